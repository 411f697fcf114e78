package command

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// singleDashKey is the annotation of flags that may have a single dash.
const singleDashKey = "tabletop_single_dash"

// AcceptSingleDash lets flags also be given with a single dash, as another program takes them: -port for --port.
func AcceptSingleDash(flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		_ = flags.SetAnnotation(name, singleDashKey, nil) // fails only without such a flag
	}
}

// singleDash returns the arguments with a second dash before the flags that AcceptSingleDash names, of any command.
func singleDash(root *cobra.Command, args []string) []string {
	names := map[string]bool{}
	addSingleDash(names, root)
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = arg
		if name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "="); strings.HasPrefix(arg, "-") && names[name] {
			out[i] = "-" + arg
		}
	}
	return out
}

func addSingleDash(names map[string]bool, cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, ok := f.Annotations[singleDashKey]; ok {
			names[f.Name] = true
		}
	})
	for _, sub := range cmd.Commands() {
		addSingleDash(names, sub)
	}
}
