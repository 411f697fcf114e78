package command

import (
	"strings"

	"github.com/spf13/pflag"
)

// envPrefix starts the name of each variable that stands for a flag.
const envPrefix = "TABLETOP_"

// envName is the variable that stands for a flag: TABLETOP_DYNAMODB_ADDR for dynamodb-addr.
func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// bindEnv gives each flag that the command line left out the value of its variable, if that is set and not empty.
func bindEnv(flags *pflag.FlagSet, lookup func(string) (string, bool)) error {
	var first error
	flags.VisitAll(func(f *pflag.Flag) {
		value, ok := lookup(envName(f.Name))
		if other := usualName(flags, f.Name); other != "" && value == "" {
			value, ok = lookup(other)
		}
		if first != nil || f.Changed || !ok || value == "" || f.Name == "help" {
			return
		}
		if err := flags.Set(f.Name, value); err != nil {
			first = Usagef("%s=%s: not a value for --%s, which takes %s: change or unset the variable",
				envName(f.Name), value, f.Name, f.Value.Type())
		}
	})
	return first
}

// usualName is the variable by which other tools know what a flag says of a Cosmos DB account or of a collector; empty
// for all other flags.
func usualName(flags *pflag.FlagSet, flag string) string {
	switch ofAccount := flags.Lookup("cosmos-endpoint") != nil; { // the emulator's own key is another thing
	case flag == "otlp-endpoint":
		return "OTEL_EXPORTER_OTLP_ENDPOINT"
	case flag == "cosmos-endpoint" && ofAccount:
		return "AZURE_COSMOS_ENDPOINT"
	case flag == "cosmos-key" && ofAccount:
		return "AZURE_COSMOS_KEY"
	}
	return ""
}
