package suite

import (
	"cmp"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"testing"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/runner"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/targets"
)

// Options holds where to run scenarios, and which requirements they verify. The zero value runs every scenario on an
// emulator in this process.
type Options struct {
	// Target is embedded, dynamodb-local, url=http://HOST:PORT or aws. Default: the environment variable
	// TABLETOP_TARGET, or else embedded.
	Target string
	// Open holds the options to open the target. aws needs Open.SpendAllowed.
	Open targets.Options
	// Tags selects scenarios with a tag expression of Cucumber, such as "@seats and not @slow". A tag that no scenario
	// has is an error. Default: the environment variable TABLETOP_TAGS, or else all.
	Tags string
	// Steps registers your own steps. It is called once per scenario; the world is ready when the steps run.
	Steps func(*godog.ScenarioContext, *steps.World)
	// Name is the name of the suite in reports. Default: the test's name.
	Name string
	// Reports is the folder for the reports: HTML, Markdown, JUnit XML and Cucumber JSON, in which runs on several
	// targets are combined. Those about selected scenarios are in its subfolder selected. Default: no reports.
	Reports string
	// Requirements are the rows of the reports, in order. A scenario verifies those whose ids it has as tags, after @.
	// Default: one row per tag.
	Requirements []report.Entry
	// Known lists the scenarios that a target is known to fail although the real service passes them.
	Known []runner.Difference
	// Concurrency is the number of scenarios to run in parallel. Default: 4.
	Concurrency int
	// Logger receives the progress. Default: no logging.
	Logger *slog.Logger
}

// Run runs the feature files at the top level of files, each scenario as a subtest with its name. A scenario that needs
// what the target cannot do, or is known to fail there, is skipped with the reason.
func Run(t *testing.T, files fs.FS, o Options) {
	t.Helper()
	run, err := runner.Run(t.Context(), runner.Options{
		Target: cmp.Or(o.Target, os.Getenv("TABLETOP_TARGET")), Open: o.Open,
		Selection:   report.Selection{Tags: cmp.Or(o.Tags, os.Getenv("TABLETOP_TAGS"))},
		Concurrency: o.Concurrency, Known: o.Known, Logger: o.Logger,
	}, runner.Suite{Name: cmp.Or(o.Name, t.Name()), Files: files, Steps: o.Steps})
	if err != nil {
		t.Fatal(err)
	}
	RunSubtests(t, run)
	if o.Reports == "" {
		return
	}
	written, err := report.Write(o.Reports, requirements(o.Requirements, run), run)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("report: ", written[0])
}

// RunSubtests runs a subtest for each scenario of a run. A failed one shows its steps, with the failed one marked, and
// the reason.
func RunSubtests(t *testing.T, run report.Run) {
	t.Helper()
	for _, s := range run.Scenarios {
		t.Run(s.File+"/"+s.Name, func(t *testing.T) {
			switch s.Outcome {
			case report.Failed:
				t.Errorf("%s:%d\n%s%s", s.File, s.Line, s.Text(), s.Reason)
			case report.NotApplicable, report.KnownDifference:
				t.Skip(s.Outcome, ": ", s.Reason)
			}
		})
	}
}

// requirements returns the given requirements or, if there are none, one for each tag of the run, in alphabetical
// order.
func requirements(given []report.Entry, run report.Run) []report.Entry {
	if len(given) > 0 {
		return given
	}
	var all []report.Entry
	for _, s := range run.Scenarios {
		for _, id := range s.IDs {
			if !slices.ContainsFunc(all, func(e report.Entry) bool { return e.ID == id }) {
				all = append(all, report.Entry{ID: id, Kind: "tag", Says: s.Feature})
			}
		}
	}
	slices.SortFunc(all, func(a, b report.Entry) int { return cmp.Compare(a.ID, b.ID) })
	return all
}
