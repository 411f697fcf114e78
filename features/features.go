// Package features tests the requirements of the systems' documents on any target. Each requirement of the catalogue is
// a scenario in the words of the system's users, in a folder named after the system.
//
// A scenario that needs what the target cannot do is reported as not applicable, with the reason, and never as passed.
// A scenario that is known to fail on a target, although the real service passes it, is listed in known.yaml; the run
// fails once it passes, so that the list stays up to date.
package features

import (
	"context"

	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/runner"
	"github.com/tabletop-db/tabletop/features/targets"
)

// Options selects the scenarios and the target.
type Options struct {
	Target      string           // in the format of targets.Parse; empty: embedded
	Open        targets.Options  // how to open it
	Selection   report.Selection // of the scenarios
	OutDir      string           // folder for the reports; empty: none are written
	Concurrency int              // number of parallel scenarios; 0: 4
	// OnScenario is called after each scenario, one at a time; nil: not called.
	OnScenario func(runner.Progress)
	Trace      bool // keep the requests and responses of each scenario in the JSON results
}

// Summary is the result of a run.
type Summary struct {
	report.Run
	Matrix report.Matrix // the results by requirement
	Files  []string      // the written reports
}

// Run runs the scenarios and writes the reports. A failed scenario is not an error; the summary counts it. Errors: the
// run could not start, or its reports could not be written.
func Run(ctx context.Context, o Options) (Summary, error) {
	known, err := Known()
	if err != nil {
		return Summary{}, err
	}
	run, err := runner.Run(ctx, runner.Options{
		Target: o.Target, Open: o.Open, Selection: o.Selection, Concurrency: o.Concurrency, Known: known,
		OnScenario: o.OnScenario, Trace: o.Trace,
	}, suites()...)
	if err != nil {
		return Summary{Run: run}, err
	}
	entries, err := Entries()
	if err != nil {
		return Summary{Run: run}, err
	}
	s := Summary{Run: run, Matrix: report.NewMatrix(entries, []report.Run{run})}
	if o.OutDir != "" {
		s.Files, err = report.Write(o.OutDir, entries, run)
	}
	return s, err
}
