// Package cli holds the commands of tabletop, one per file. A command reads flags, calls one of the project's packages
// and prints the result; it has no logic of its own. The emulator's commands are in package emulatorcmd, and what all
// commands share is in package command.
package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/cli/emulatorcmd"
)

// Main runs one command line and returns its exit status. It stops cleanly and returns early when ctx is done.
func Main(ctx context.Context, p command.Process) int { return command.Main(ctx, p, Root()) }

// Root builds the tree of commands. It runs at every start of the process, so it only allocates.
func Root() *cobra.Command {
	root := &cobra.Command{
		Use:   "tabletop",
		Short: "Emulate Amazon DynamoDB and Azure Cosmos DB locally",
		Long: `Tabletop emulates Amazon DynamoDB and Azure Cosmos DB for NoSQL locally. It includes backends with documented
schemas, scenarios for their access patterns and rules, load profiles for their documented rates and costs, and
simulators of devices and people.

Every flag can also be set by an environment variable: TABLETOP_DYNAMODB_ADDR sets --dynamodb-addr. Flags override
environment variables. NO_COLOR=1 turns off the colours of PASS and FAIL on a terminal.`,
		Example: `  tabletop up
  tabletop emulator --data ./data
  tabletop features --target embedded`,
		Args: command.OnlySubcommands,
		RunE: command.ShowHelp,
	}
	root.AddCommand(commands()...)
	offerValues(root)
	for _, group := range groups() {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title + ":"})
		for _, sub := range root.Commands() {
			if slices.Contains(group.commands, sub.Name()) {
				sub.GroupID = group.title
			}
		}
	}
	return root
}

// commandGroup is a group of commands in the help.
type commandGroup struct {
	title    string
	commands []string
}

// groups returns the groups of commands; completion, help and version are in none.
func groups() []commandGroup {
	return []commandGroup{
		{"Run", []string{"up", "emulator", "backend", "pushgateway"}},
		{"Control a running emulator", []string{"clock", "faults", "heat", "cost", "cosmos", "health"}},
		{"Manage data", []string{"tables", "import", "export", "query", "seed", "job", "backup", "doctor"}},
		{"Verify", []string{"features", "explore", "invariants", "advise", "loadtest", "simulate", "replay", "policy",
			"report", "dashboard"}},
	}
}

// commands returns the commands in alphabetical order.
func commands() []*cobra.Command {
	return []*cobra.Command{
		newAdvise(),
		newBackend(),
		emulatorcmd.NewBackup(),
		emulatorcmd.NewClock(),
		command.NewCompletion(),
		emulatorcmd.NewCosmos(),
		emulatorcmd.NewCost(),
		newDashboard(),
		emulatorcmd.NewDoctor(),
		emulatorcmd.New(new(consolePages)),
		newExplore(),
		newExport(),
		emulatorcmd.NewFaults(),
		newFeatures(),
		emulatorcmd.NewHealth(),
		emulatorcmd.NewHeat(),
		newImport(),
		newInvariants(),
		newJob(),
		newLoadtest(),
		newPolicy(),
		newPushGateway(),
		newQuery(),
		newReplay(),
		newReport(),
		newSeed(),
		newSimulate(),
		newTables(),
		newUp(),
		command.NewVersion(),
	}
}
