package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// WithVerdict makes a command print PASS or FAIL with its name as its last line, unless its output is JSON or it could
// not start as requested. It returns the command.
func WithVerdict(cmd *cobra.Command) *cobra.Command {
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
		var usage *usageError
		if printsJSON(cmd) || errors.As(err, &usage) {
			return err
		}
		verdict := "PASS"
		if err != nil {
			verdict = "FAIL"
		}
		_, _ = fmt.Fprintf(cmd.OutOrStdout(), "%s  %s\n", verdict, cmd.CommandPath()) // err is what the user needs
		return err
	}
	return cmd
}

// printsJSON reports whether a command with --json or --output prints JSON.
func printsJSON(cmd *cobra.Command) bool {
	short, long := cmd.Flag("json"), cmd.Flag("output")
	return short != nil && short.Value.String() == "true" || long != nil && long.Value.String() == "json"
}
