package cli

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
		if first != nil || f.Changed || !ok || value == "" || f.Name == "help" {
			return
		}
		if err := flags.Set(f.Name, value); err != nil {
			first = usagef("%s=%s: not a value for --%s, which takes %s: change or unset the variable",
				envName(f.Name), value, f.Name, f.Value.Type())
		}
	})
	return first
}
