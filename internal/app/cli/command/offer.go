package command

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// completionTimeout is how long a shell waits for values that are read from a running emulator.
const completionTimeout = time.Second

// Offer makes shells complete the values of a flag with what values returns, also after a comma. Errors are not shown:
// the shell then offers nothing.
func Offer(cmd *cobra.Command, flag string, values func(context.Context) []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, typed string) ([]string,
		cobra.ShellCompDirective) {
		before := typed[:strings.LastIndex(typed, ",")+1]
		var all []string
		for _, value := range offered(cmd, values) {
			all = append(all, before+value)
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the command has no such flag, or offers its values twice
	}
}

// OfferArguments makes shells complete the arguments of a command with what values returns.
func OfferArguments(cmd *cobra.Command, values func(context.Context) []string) {
	cmd.ValidArgsFunction = func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return offered(cmd, values), cobra.ShellCompDirectiveDefault
	}
}

func offered(cmd *cobra.Command, values func(context.Context) []string) []string {
	ctx, cancel := context.WithTimeout(cmd.Context(), completionTimeout)
	defer cancel()
	return values(ctx)
}

// Fixed returns values that are always the same.
func Fixed(values ...string) func(context.Context) []string {
	return func(context.Context) []string { return values }
}
