package emulatorcmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// standaloneName is the name of the program that consists of this package's commands only.
const standaloneName = "tabletop-emulator"

// Commands returns the commands that need only an emulator or a data folder, in alphabetical order.
func Commands() []*cobra.Command {
	return []*cobra.Command{NewBackup(), NewClock(), NewCosmos(), NewCost(), NewDoctor(), NewFaults(), NewHealth(),
		NewHeat()}
}

// Standalone returns the command tree of the program tabletop-emulator. Without a subcommand it runs the emulator, and
// so does its hidden subcommand emulator, so that command lines written for "tabletop emulator" work with it too.
func Standalone() *cobra.Command {
	root, same := New(nil), New(nil)
	root.Use, root.Args = standaloneName, command.OnlySubcommands
	same.Hidden = true
	root.AddCommand(append(Commands(), command.NewCompletion(), command.NewVersion(), same)...)
	ownNames(root).apply(root)
	return root
}

// renaming replaces tabletop's name with this program's in the texts of commands.
type renaming struct{ *strings.Replacer }

// ownNames returns the renaming for the subcommands that root has itself.
func ownNames(root *cobra.Command) renaming {
	pairs := []string{"tabletop emulator", standaloneName}
	for _, sub := range root.Commands() {
		pairs = append(pairs, "tabletop "+sub.Name(), standaloneName+" "+sub.Name())
	}
	return renaming{strings.NewReplacer(pairs...)}
}

// apply renames in a command and its subcommands.
func (r renaming) apply(cmd *cobra.Command) {
	cmd.Long, cmd.Example = r.Replace(cmd.Long), r.Replace(cmd.Example)
	for _, sub := range cmd.Commands() {
		r.apply(sub)
	}
}
