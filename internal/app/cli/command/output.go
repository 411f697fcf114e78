package command

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// BindOutput adds the flag --output, which sets asJSON if its value is json.
func BindOutput(flags *pflag.FlagSet, asJSON *bool) {
	flags.Var((*jsonOutput)(asJSON), "output", "Output format: text or json.")
}

// offerOutputs makes shells complete the values of the flags that BindOutput added to a command and its subcommands.
func offerOutputs(cmd *cobra.Command) {
	if flag := cmd.Flags().Lookup("output"); flag != nil {
		if _, ok := flag.Value.(*jsonOutput); ok {
			Offer(cmd, flag.Name, Fixed("text", "json"))
		}
	}
	for _, sub := range cmd.Commands() {
		offerOutputs(sub)
	}
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
