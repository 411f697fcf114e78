// Package features proves what the systems' documents promise, on any target: each promise of the catalogue is a
// scenario in the words of the system's users, in a folder named after the system.
//
// A scenario that needs what the target cannot do is reported as not applicable, with the reason, and never as passed.
// One that a target is known to fail where the real service does not is listed in known.yaml; the run turns red the
// day it passes.
package features

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/targets"
)

// Options say what to run and where.
type Options struct {
	Target      string          // as targets.Parse reads it; empty: embedded
	Open        targets.Options // how to open it
	Tags        string          // such as "@TL-P1" or "@TL-R9 && ~@TL-O3"; empty: every scenario
	OutDir      string          // where reports go; empty: none are written
	Concurrency int             // scenarios at a time; 0: 4
	Logger      *slog.Logger    // hears of progress; nil: nobody
}

// Summary is how a run went.
type Summary struct {
	report.Run
	Files []string // the reports that were written
}

// OK reports whether nothing failed.
func (s Summary) OK() bool { return s.Count(report.Failed) == 0 }

// Run runs the scenarios and writes the reports. A failed scenario is not an error: see Summary.OK. An error means that
// the run could not be made, or its reports not written.
func Run(ctx context.Context, o Options) (Summary, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Open.Logger == nil {
		o.Open.Logger = o.Logger
	}
	spec, err := targets.Parse(o.Target)
	if err != nil {
		return Summary{}, err
	}
	target, err := spec.Open(ctx, o.Open)
	if err != nil {
		return Summary{}, err
	}
	run, err := runOn(ctx, target, o)
	if err = errors.Join(err, target.Close()); err != nil {
		return Summary{Run: run}, err
	}
	if o.OutDir == "" {
		return Summary{Run: run}, nil
	}
	files, err := writeReports(o.OutDir, run)
	return Summary{Run: run, Files: files}, err
}

func runOn(ctx context.Context, target *targets.Target, o Options) (report.Run, error) {
	run := report.Run{Target: target.Name, Detail: target.Detail, Started: time.Now().UTC(), Tags: o.Tags}
	known, err := loadKnown(target.Name)
	if err != nil {
		return run, err
	}
	for _, sys := range systems() {
		c := &collector{system: sys.Name, known: known, log: o.Logger}
		if err := runSystem(ctx, target, sys, c, o); err != nil {
			return run, err
		}
		run.Scenarios = append(run.Scenarios, c.sorted()...)
	}
	run.Elapsed = time.Since(run.Started)
	if len(run.Scenarios) == 0 {
		return run, fmt.Errorf("no scenario has the tags %q: see features/catalog for the ids", o.Tags)
	}
	return run, nil
}

func runSystem(ctx context.Context, target *targets.Target, sys system, c *collector, o Options) error {
	sources, err := readSources(sys.Files)
	if err != nil {
		return err
	}
	c.sources = sources
	suite := godog.TestSuite{
		Name: sys.Name,
		ScenarioInitializer: func(sc *godog.ScenarioContext) {
			c.observe(sc, stage(sc, target, sys))
		},
		Options: &godog.Options{
			Strict: true, Randomize: -1, Concurrency: concurrency(o), Tags: o.Tags, NoColors: true,
			Format: "progress", Output: io.Discard, // the collector reports
			FS: sys.Files, Paths: []string{"."}, DefaultContext: ctx,
		},
	}
	const unusable = 2
	if status := suite.Run(); status == unusable {
		return fmt.Errorf("the scenarios of %s cannot be run: check the tags %q", sys.Name, o.Tags)
	}
	return ctx.Err()
}

func concurrency(o Options) int {
	if o.Concurrency > 0 {
		return o.Concurrency
	}
	return 4
}
