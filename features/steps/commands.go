package steps

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/invariants"
	"github.com/tabletop-db/tabletop/internal/explore"
	"github.com/tabletop-db/tabletop/internal/explore/process"
	"github.com/tabletop-db/tabletop/internal/explore/setup"
	"github.com/tabletop-db/tabletop/internal/model/tablefile"
)

// commandLimit is the time after which a command of a scenario has failed.
const commandLimit = 5 * time.Minute

func (w *World) commandSteps() Group {
	return Group{Title: "Commands",
		Intro: "Runs a command line, such as tests in any language, on an emulator of its own, which it finds by AWS_ENDPOINT_URL_DYNAMODB or AZURE_COSMOS_ENDPOINT. It runs in the folder of the test, by the shell. [Explore](explore.md) finds the mishaps that break it, and writes such scenarios.",
		Steps: []Step{
			{`^commands find the tables of the file "([^"]*)"$`, w.commandsFindTables,
				`commands find the tables of the file "tables.yaml"`,
				"Creates the tables of a [table file](tables.md) in the folder of the features before each later command."},
			{`^commands must keep the invariants of the file "([^"]*)"$`, w.commandsKeepInvariants,
				`commands must keep the invariants of the file "invariants.yaml"`,
				"A later command fails if an [invariant](invariants.md) is broken after it."},
			{`^a command runs undisturbed:$`, func(ctx context.Context, line *godog.DocString) error {
				return w.runCommand(ctx, nil, line)
			}, `a command runs undisturbed:`, "The doc string is the command line."},
			{`^a command runs with the mishaps "([^"]*)":$`, func(ctx context.Context, text string, line *godog.DocString) error {
				plan, err := explore.ParsePlan(text)
				if err != nil {
					return err
				}
				return w.runCommand(ctx, plan, line)
			}, `a command runs with the mishaps "cut-after-commit PutItem 1 orders":`,
				"The doc string is the command line; the mishaps are what tabletop explore --plan takes."},
			{`^the command succeeds$`, w.commandSucceeds, `the command succeeds`, "Its exit status is 0."},
			{`^the command fails$`, w.commandFails, `the command fails`, "Its exit status is not 0, or it did not end."},
		}}
}

// commands is what a scenario says about its commands.
type commands struct {
	prepare func(context.Context, *emulator.Emulator) error
	check   func(context.Context, *emulator.Emulator, bool) (string, error)
	last    *explore.Outcome // of the last command; nil: none
}

func (w *World) commandsFindTables(name string) error {
	text, err := w.file(name)
	if err != nil {
		return err
	}
	file, err := tablefile.Parse(name, text)
	if err == nil {
		w.commands.prepare = setup.Tables(file)
	}
	return err
}

func (w *World) commandsKeepInvariants(name string) error {
	text, err := w.file(name)
	if err != nil {
		return err
	}
	set, err := invariants.Parse(name, text)
	if err == nil {
		w.commands.check = setup.Invariants(set)
	}
	return err
}

// runCommand runs a command line with a plan, and keeps its outcome.
func (w *World) runCommand(ctx context.Context, plan explore.Plan, line *godog.DocString) (err error) {
	shell := []string{"sh", "-c"}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/c"}
	}
	p := &process.Program{Args: append(shell, line.Content), Limit: commandLimit, Prepare: w.commands.prepare,
		Check: w.commands.check}
	if err := p.Open(); err != nil {
		return err
	}
	w.OnClose(func(context.Context) error { return p.Close() })
	w.commands.last, err = p.Run(ctx, plan)
	return err
}

func (w *World) commandSucceeds() error {
	if w.commands.last == nil {
		return errNoCommand
	}
	if !w.commands.last.Passed {
		return fmt.Errorf("it failed: %s\n%s", w.commands.last.Reason, w.commands.last.Output)
	}
	return nil
}

func (w *World) commandFails() error {
	if w.commands.last == nil {
		return errNoCommand
	}
	if w.commands.last.Passed {
		return fmt.Errorf("it succeeded\n%s", w.commands.last.Output)
	}
	return nil
}

var errNoCommand = fmt.Errorf("no command ran before: begin with a step such as: When a command runs undisturbed")
