package command

import (
	"strings"

	"github.com/spf13/pflag"
)

// envPrefix is the prefix of every environment variable that sets a flag.
const envPrefix = "TABLETOP_"

// envName returns the name of the environment variable that sets a flag: TABLETOP_DYNAMODB_ADDR for dynamodb-addr.
func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// bindEnv sets each flag that the command line does not set from its environment variable, if that is set and not
// empty. Flags of another program have none.
func bindEnv(flags *pflag.FlagSet, lookup func(string) (string, bool)) error {
	var first error
	flags.VisitAll(func(f *pflag.Flag) {
		value, ok := lookup(envName(f.Name))
		if standard := standardEnvName(flags, f.Name); standard != "" && value == "" {
			value, ok = lookup(standard)
		}
		if _, foreign := f.Annotations[singleDashKey]; first != nil || foreign || f.Changed || !ok || value == "" ||
			f.Name == "help" || f.Name == "version" {
			return
		}
		if err := flags.Set(f.Name, value); err != nil {
			first = Usagef("environment variable %s=%s is not a valid %s for --%s: change or unset it",
				envName(f.Name), value, f.Value.Type(), f.Name)
		}
	})
	return first
}

// standardEnvName returns the environment variable that other tools use for the same setting of a DynamoDB endpoint, a
// Cosmos DB account or an OpenTelemetry collector, or "" for all other flags.
func standardEnvName(flags *pflag.FlagSet, flag string) string {
	switch isAccount := flags.Lookup("cosmos-endpoint") != nil; { // the emulator's own key is a different setting
	case flag == "endpoint" && flags.Lookup("target") != nil && !flags.Changed("target"):
		return "AWS_ENDPOINT_URL_DYNAMODB"
	case flag == "otlp-endpoint":
		return "OTEL_EXPORTER_OTLP_ENDPOINT"
	case flag == "cosmos-endpoint" && isAccount:
		return "AZURE_COSMOS_ENDPOINT"
	case flag == "cosmos-key" && isAccount:
		return "AZURE_COSMOS_KEY"
	}
	return ""
}
