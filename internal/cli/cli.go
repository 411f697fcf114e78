// Package cli holds the commands of tabletop, one in a file. A command reads flags, calls one of the project's packages
// and prints; it has no logic of its own.
//
// Exit statuses: 0 done, 1 the work failed (a scenario, a load limit, a lost connection), 2 the command could not begin
// as asked (a wrong flag, a taken port, an unreadable folder). A failure is one line on the error stream with its remedy.
package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// Process is the part of the operating system that a command sees. Tests pass their own.
type Process struct {
	Args           []string                    // without the program's name
	Env            func(string) (string, bool) // as os.LookupEnv
	Stdout, Stderr io.Writer
}

// Main runs one command line and returns its exit status. It returns early, cleanly, when ctx is done.
func Main(ctx context.Context, p Process) int {
	err := execute(ctx, p)
	if err == nil {
		return 0
	}
	if text := oneLine(err); text != "" {
		_, _ = fmt.Fprintln(p.Stderr, "tabletop: "+text)
	}
	return exitStatus(err)
}

func execute(ctx context.Context, p Process) error {
	root := newRoot(p)
	root.SetArgs(p.Args)
	root.SetOut(printable{p.Stdout})
	root.SetErr(p.Stderr)
	return root.ExecuteContext(ctx)
}

// newRoot builds the tree of commands. It runs at each start of the process, so it only allocates.
func newRoot(p Process) *cobra.Command {
	root := &cobra.Command{
		Use:   "tabletop",
		Short: "A cloud database on a desk",
		Long: `Tabletop is a cloud database on a desk: an emulator of Amazon DynamoDB and Azure Cosmos DB, backends on documented
schemas, the specs of their access patterns, load profiles for their documented rates and costs, and simulated devices and people.

Every flag can also be given as a variable: --dynamodb-addr is TABLETOP_DYNAMODB_ADDR. The flag wins.`,
		Example: `  tabletop up
  tabletop emulator --data ./data
  tabletop features --target embedded`,
		Args:              onlySubcommands,
		RunE:              showHelp,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return bindEnv(cmd.Flags(), p.Env) },
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetFlagErrorFunc(flagError(p.Args))
	root.AddCommand(commands()...)
	return root
}

// commands lists the commands in alphabetical order.
func commands() []*cobra.Command {
	return []*cobra.Command{
		newBackend(),
		newBackup(),
		newClock(),
		newCompletion(),
		newCosmos(),
		newCost(),
		newDashboard(),
		newDoctor(),
		newEmulator(),
		newFaults(),
		newFeatures(),
		newHeat(),
		newJob(),
		newLoadtest(),
		newPolicy(),
		newPushGateway(),
		newReplay(),
		newReport(),
		newSeed(),
		newSimulate(),
		newTables(),
		newUp(),
		newVersion(),
	}
}

func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// flagError explains a flag that cannot be read. Behind a misspelt command every flag is unknown; then it is the command
// that the person has to mend.
func flagError(args []string) func(*cobra.Command, error) error {
	return func(cmd *cobra.Command, err error) error {
		depth := len(strings.Fields(cmd.CommandPath())) - 1
		if cmd.HasSubCommands() && len(args) > depth && !strings.HasPrefix(args[depth], "-") {
			return onlySubcommands(cmd, args[depth:])
		}
		return usagef("%v: see %s --help", err, cmd.CommandPath())
	}
}

// onlySubcommands refuses an argument of a command that only groups others, naming what was probably meant.
func onlySubcommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2 // letters
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return usagef("unknown command %q: did you mean %s %s?", args[0], cmd.CommandPath(), strings.Join(near, " or "))
	}
	return usagef("unknown command %q: see %s --help", args[0], cmd.CommandPath())
}

// noArguments refuses arguments of a command that takes only flags.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("unexpected argument %q: %s takes only flags, see %s --help", args[0], cmd.CommandPath(), cmd.CommandPath())
}
