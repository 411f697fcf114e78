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
	return []*cobra.Command{NewBackup(), NewClock(), NewCosmos(), NewCost(), NewDoctor(), NewFaults(), NewHeat()}
}

// Standalone returns the command tree of the program tabletop-emulator. Without a subcommand it runs the emulator, and
// so does its hidden subcommand emulator, so that command lines written for "tabletop emulator" work with it too.
func Standalone() *cobra.Command {
	root, same := New(), New()
	root.Use, root.Args = standaloneName, command.OnlySubcommands
	same.Hidden = true
	root.AddCommand(append(Commands(), command.NewCompletion(), command.NewVersion(), same)...)
	rename(root)
	return root
}

// rename replaces tabletop's name with this program's in the texts of a command and of its subcommands.
func rename(cmd *cobra.Command) {
	for _, text := range []*string{&cmd.Long, &cmd.Example} {
		*text = strings.ReplaceAll(*text, "tabletop emulator", standaloneName)
		for _, sub := range Commands() {
			*text = strings.ReplaceAll(*text, "tabletop "+sub.Name(), standaloneName+" "+sub.Name())
		}
		for _, own := range []string{"version", "completion"} {
			*text = strings.ReplaceAll(*text, "tabletop "+own, standaloneName+" "+own)
		}
	}
	for _, sub := range cmd.Commands() {
		rename(sub)
	}
}
