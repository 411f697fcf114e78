package command

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// completionTimeout is how long a shell waits for values that are read from a running emulator, unless the command's
// context has a deadline.
const completionTimeout = time.Second

// Offer makes shells complete the values of a flag with what values returns. After a comma they offer what the list
// does not have yet. Errors are not shown: the shell then offers nothing.
func Offer(cmd *cobra.Command, flag string, values func(context.Context) []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, typed string) ([]string,
		cobra.ShellCompDirective) {
		before := typed[:strings.LastIndex(typed, ",")+1]
		all := without(offered(cmd, values), strings.Split(before, ","))
		for i := range all {
			all[i] = before + all[i]
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the command has no such flag, or offers its values twice
	}
}

// OfferArguments makes shells complete the arguments of a command with what values returns, without those that are
// already there.
func OfferArguments(cmd *cobra.Command, values func(context.Context) []string) {
	offerArguments(cmd, values, cobra.ShellCompDirectiveNoFileComp)
}

// OfferArgumentsOrFiles is like OfferArguments, for arguments that may also be files.
func OfferArgumentsOrFiles(cmd *cobra.Command, values func(context.Context) []string) {
	offerArguments(cmd, values, cobra.ShellCompDirectiveDefault)
}

func offerArguments(cmd *cobra.Command, values func(context.Context) []string, d cobra.ShellCompDirective) {
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		return without(offered(cmd, values), args), d
	}
}

// without returns the values that are not chosen yet.
func without(values, chosen []string) (left []string) {
	for _, value := range values {
		if !slices.Contains(chosen, value) {
			left = append(left, value)
		}
	}
	return left
}

func offered(cmd *cobra.Command, values func(context.Context) []string) []string {
	ctx := cmd.Context()
	if _, limited := ctx.Deadline(); limited {
		return values(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, completionTimeout)
	defer cancel()
	return values(ctx)
}

// Fixed returns values that are always the same.
func Fixed(values ...string) func(context.Context) []string {
	return func(context.Context) []string { return values }
}
