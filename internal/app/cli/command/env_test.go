package command

import (
	"testing"

	"github.com/spf13/pflag"
)

// sampleFlags returns one flag of each type that the commands use.
func sampleFlags() *pflag.FlagSet {
	flags := pflag.NewFlagSet("sample", pflag.ContinueOnError)
	flags.String("dynamodb-addr", "127.0.0.1:8000", "")
	flags.Int("devices", 1000, "")
	flags.Bool("quiet", false, "")
	flags.Duration("for", 0, "")
	return flags
}

func TestEnvironmentVariablesSetFlags(t *testing.T) {
	t.Parallel()
	flags := sampleFlags()
	if err := flags.Parse([]string{"--devices", "5"}); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{
		"TABLETOP_DYNAMODB_ADDR": "127.0.0.1:0",
		"TABLETOP_DEVICES":       "7",
		"TABLETOP_QUIET":         "true",
		"TABLETOP_FOR":           "",
		"TABLETOP_OTHER":         "ignored",
	}
	if err := bindEnv(flags, lookupIn(env)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"dynamodb-addr": "127.0.0.1:0", // from the variable
		"devices":       "5",           // the flag wins
		"quiet":         "true",
		"for":           "0s", // an empty variable counts as unset
	} {
		if got := flags.Lookup(name).Value.String(); got != want {
			t.Errorf("--%s is %s, want %s", name, got, want)
		}
	}
}

func TestInvalidEnvironmentVariableIsRefused(t *testing.T) {
	t.Parallel()
	err := bindEnv(sampleFlags(), lookupIn(map[string]string{"TABLETOP_DEVICES": "many"}))
	want := "environment variable TABLETOP_DEVICES=many is not a valid int for --devices: change or unset it"
	if err == nil || err.Error() != want || exitStatus(err) != 2 {
		t.Errorf("got %v, want %s", err, want)
	}
}

// lookupIn returns an os.LookupEnv for an environment that holds only env.
func lookupIn(env map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	}
}
