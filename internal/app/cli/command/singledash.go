package command

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// singleDashKey is the annotation of flags that may have a single dash, with their replacement.
const singleDashKey = "tabletop_single_dash"

// AcceptSingleDash lets a flag also be given with a single dash, as another program takes it: -port for --port.
// replacement is what other commands have for it, such as "--data FOLDER"; empty: nothing.
func AcceptSingleDash(flags *pflag.FlagSet, name, replacement string) {
	_ = flags.SetAnnotation(name, singleDashKey, []string{replacement}) // fails only without such a flag
}

// foreignFlag returns the error of a flag of another program that only another command accepts. It returns nil for
// other flags, and if the replacement is not for this command either.
func foreignFlag(cmd *cobra.Command, name string) error {
	owner := ownerOf(cmd.Root(), name)
	if owner == nil {
		return nil
	}
	if cmd == cmd.Root() {
		return Usagef("unknown flag -%s: %s takes it", name, owner.CommandPath())
	}
	remedy := "omit it"
	if replacement := owner.Flags().Lookup(name).Annotations[singleDashKey][0]; replacement != "" {
		flag, _, _ := strings.Cut(strings.TrimPrefix(replacement, "--"), " ")
		flag, _, _ = strings.Cut(flag, "=")
		if cmd.Flags().Lookup(flag) == nil {
			return nil
		}
		remedy = "use " + replacement
	}
	return Usagef("unknown flag -%s: %s, or use %s, which takes it", name, remedy, owner.CommandPath())
}

// ownerOf returns the command that accepts a flag with a single dash, or nil.
func ownerOf(cmd *cobra.Command, name string) *cobra.Command {
	if flag := cmd.Flags().Lookup(name); flag != nil && flag.Annotations[singleDashKey] != nil {
		return cmd
	}
	for _, sub := range cmd.Commands() {
		if owner := ownerOf(sub, name); owner != nil {
			return owner
		}
	}
	return nil
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
