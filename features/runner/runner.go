// Package runner runs scenarios on a target. It sets up a world for each, records its steps, decides its outcome, and
// tears down the world. It has no knowledge of any system or catalogue.
package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/internal/util/version"
)

// Suite is a set of feature files and the steps that they use in addition to the generic ones.
type Suite struct {
	Name  string                                     // name of the system, for reports
	Files fs.FS                                      // *.feature files at the top level
	Steps func(*godog.ScenarioContext, *steps.World) // nil: only the generic steps
	// On is the database that the suite's scenarios need: targets.DynamoDB (the default) or targets.CosmosDB.
	On targets.Capability
}

// path returns the path of a file of the suite, as a Selection names it.
func (s Suite) path(file string) string {
	return report.Scenario{System: s.Name, File: path.Base(file)}.Path()
}

// Options holds where and how to run scenarios.
type Options struct {
	Target      string           // in the format of targets.Parse; empty: embedded
	Open        targets.Options  // how to open it
	Selection   report.Selection // of the scenarios; in its files, a suite is a folder of features
	Concurrency int              // number of parallel scenarios; 0: 4
	Known       []Difference     // known differences of any targets
	Logger      *slog.Logger     // receives the progress; nil: no logging
	OnScenario  func(Progress)   // called after each scenario, one at a time; nil: not called
	Trace       bool             // keep the requests and responses of each scenario
}

// Progress is the state of a run after a scenario.
type Progress struct {
	Scenario report.Scenario `json:"scenario"` // the one that has ended
	Done     int             `json:"done"`     // scenarios of the run
	Failed   int             `json:"failed"`
	Total    int             `json:"total"`
}

// Difference is an expected failure: a scenario that a target fails although the real service passes it. A run fails if
// such a scenario passes, so that the list stays up to date.
type Difference struct {
	Target    string `yaml:"target"`   // in the format of targets.Parse
	Scenario  string `yaml:"scenario"` // its full name
	Reason    string `yaml:"reason"`
	Sometimes bool   `yaml:"sometimes"` // it depends on timing: a pass is allowed
}

// TargetError means that the target could not be opened, so nothing was run. Its text says what to do.
type TargetError struct{ Err error }

func (e *TargetError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *TargetError) Unwrap() error { return e.Err }

// Run opens the target, runs the suites one after the other, and closes it. A failed scenario is not an error. Errors:
// the run could not start, and a *SelectionError or a *TargetError tells why; or the context has ended, and the run has
// only the scenarios that ended before.
func Run(ctx context.Context, o Options, suites ...Suite) (report.Run, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Open.Logger == nil {
		o.Open.Logger = o.Logger
	}
	spec, err := targets.Parse(o.Target)
	if err != nil {
		return report.Run{}, err
	}
	p, err := newPlan(o.Selection, suites)
	if err != nil {
		return report.Run{}, err
	}
	target, err := spec.Open(ctx, o.Open)
	if err != nil {
		return report.Run{}, &TargetError{err}
	}
	run, err := p.run(ctx, target, o)
	return run, errors.Join(err, target.Close())
}

func (p *plan) run(ctx context.Context, target *targets.Target, o Options) (report.Run, error) {
	run := report.Run{Target: target.Name, Detail: target.Detail, Version: version.Current(),
		Started: time.Now().UTC(), Selection: o.Selection}
	known := map[string]Difference{}
	for _, d := range o.Known {
		if d.Target == target.Name {
			known[d.Scenario] = d
		}
	}
	c := &counter{total: p.total, report: o.OnScenario}
	for _, s := range p.suites {
		if len(s.files) == 0 {
			continue
		}
		scenarios, err := s.run(ctx, target, &collector{suite: s.Suite, selection: p.selection,
			sources: s.sources, known: known, log: o.Logger, ended: c.add, traces: o.Trace, lacks: target.Lacks}, concurrency(o))
		run.Scenarios = append(run.Scenarios, scenarios...)
		if err != nil {
			return run, err
		}
	}
	run.Elapsed = time.Since(run.Started)
	return run, nil
}

// run runs the scenarios of one suite. Its files are those that have scenarios to run; others in them are skipped.
func (s plannedSuite) run(ctx context.Context, target *targets.Target, c *collector, concurrency int) (
	[]report.Scenario, error) {
	suite := godog.TestSuite{
		Name: s.Name,
		ScenarioInitializer: func(sc *godog.ScenarioContext) {
			trace := c.newTrace()
			c.observe(ctx, sc, trace, setUpWorld(sc, target, s.Suite, c.selection, trace))
		},
		Options: &godog.Options{
			Strict: true, Randomize: -1, Concurrency: concurrency, NoColors: true,
			Format: "progress", Output: io.Discard, // the collector reports
			FS: s.Files, Paths: s.files, DefaultContext: ctx,
		},
	}
	const unusable = 2
	if status := suite.Run(); status == unusable {
		return nil, fmt.Errorf("the scenarios of %s cannot be run", s.Name)
	}
	if ctx.Err() == nil && len(c.done) != s.total {
		return c.sorted(), fmt.Errorf("only %d of %d scenarios of %s ran: the others have no steps; add steps or remove them",
			len(c.done), s.total, s.Name)
	}
	return c.sorted(), ctx.Err()
}

func concurrency(o Options) int {
	if o.Concurrency > 0 {
		return o.Concurrency
	}
	return 4
}
