package emulatorcmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/cli/command"
)

// alone is the name of the program that has only the commands of this package.
const alone = "tabletop-emulator"

// Commands are the commands that need an emulator or a data folder and nothing else, in alphabetical order.
func Commands() []*cobra.Command {
	return []*cobra.Command{NewBackup(), NewClock(), NewCosmos(), NewCost(), NewDoctor(), NewFaults(), NewHeat()}
}

// Alone is the tree of commands of the program tabletop-emulator: without a command it runs the emulator. So does its
// command emulator, so that command lines of tabletop emulator are good for it too.
func Alone() *cobra.Command {
	root, same := New(), New()
	root.Use, root.Args = alone, command.OnlySubcommands
	same.Hidden = true
	root.AddCommand(append(Commands(), command.NewCompletion(), command.NewVersion(), same)...)
	rename(root)
	return root
}

// rename makes the texts of a command, and of those below it, name this program.
func rename(cmd *cobra.Command) {
	for _, text := range []*string{&cmd.Long, &cmd.Example} {
		*text = strings.ReplaceAll(*text, "tabletop emulator", alone)
		for _, sub := range Commands() {
			*text = strings.ReplaceAll(*text, "tabletop "+sub.Name(), alone+" "+sub.Name())
		}
		for _, own := range []string{"version", "completion"} {
			*text = strings.ReplaceAll(*text, "tabletop "+own, alone+" "+own)
		}
	}
	for _, sub := range cmd.Commands() {
		rename(sub)
	}
}
