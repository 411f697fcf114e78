package command

import (
	"errors"

	"github.com/spf13/pflag"
)

// BindOutput adds the flag --output, which sets asJSON if its value is json.
func BindOutput(flags *pflag.FlagSet, asJSON *bool) {
	flags.Var((*jsonOutput)(asJSON), "output", "Output format: text or json.")
}

// jsonOutput is the value of --output: whether it is json.
type jsonOutput bool

// Set implements pflag.Value.
func (o *jsonOutput) Set(text string) error {
	switch text {
	case "text", "json":
		*o = text == "json"
		return nil
	}
	return errors.New("use text or json")
}

// String implements pflag.Value.
func (o *jsonOutput) String() string {
	if *o {
		return "json"
	}
	return "text"
}

// Type implements pflag.Value.
func (o *jsonOutput) Type() string { return "format" }
