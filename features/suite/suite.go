package suite

import (
	"cmp"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"testing"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/play"
	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/targets"
)

// Options say where scenarios run and what they are proof of. The zero value runs every scenario on an emulator in this
// process.
type Options struct {
	// Target is embedded, dynamodb-local, url=http://HOST:PORT or aws. Default: what the environment variable
	// TABLETOP_TARGET says, or else embedded.
	Target string
	// Open says how to open the target; aws wants Open.SpendAllowed.
	Open targets.Options
	// Tags chooses scenarios, such as "@seats && ~@slow". Default: what TABLETOP_TAGS says, or else all.
	Tags string
	// Steps adds sentences of your own. It is called once a scenario; the world is filled in when the steps run.
	Steps func(*godog.ScenarioContext, *steps.World)
	// Name is what reports call the suite. Default: the test's name.
	Name string
	// Reports is the folder for the reports: HTML, Markdown, JUnit XML and Cucumber JSON, in which runs on several
	// targets add up. Default: none are written.
	Reports string
	// Promises are the rows of the reports, in their order: scenarios prove them by tags, @ and their ids. Default: a
	// row for each tag.
	Promises []report.Entry
	// Known lists the scenarios that a target is known to fail where the real service does not.
	Known []play.Difference
	// Concurrency is how many scenarios run at a time. Default: 4.
	Concurrency int
	// Logger hears of progress. Default: nobody.
	Logger *slog.Logger
}

// Run runs the feature files at the top of files, each scenario as a subtest of its name. A scenario that needs what
// the target cannot do is skipped, with the reason; one that is known to fail there likewise.
func Run(t *testing.T, files fs.FS, o Options) {
	t.Helper()
	run, err := play.Run(t.Context(), play.Options{
		Target: cmp.Or(o.Target, os.Getenv("TABLETOP_TARGET")), Open: o.Open, Tags: cmp.Or(o.Tags, os.Getenv("TABLETOP_TAGS")),
		Concurrency: o.Concurrency, Known: o.Known, Logger: o.Logger,
	}, play.Suite{Name: cmp.Or(o.Name, t.Name()), Files: files, Steps: o.Steps})
	if err != nil {
		t.Fatal(err)
	}
	Show(t, run)
	if o.Reports == "" {
		return
	}
	written, err := report.Write(o.Reports, promises(o.Promises, run), run)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("report: ", written[0])
}

// Show makes a subtest of each scenario of a run. A failed one shows its sentences, the one that failed marked, and
// why.
func Show(t *testing.T, run report.Run) {
	t.Helper()
	for _, s := range run.Scenarios {
		t.Run(s.File+"/"+s.Name, func(t *testing.T) {
			switch s.Outcome {
			case report.Failed:
				t.Errorf("%s:%d\n%s%s", s.File, s.Line, s.Text(), s.Reason)
			case report.NotApplicable, report.KnownFailure:
				t.Skip(s.Outcome, ": ", s.Reason)
			}
		})
	}
}

// promises are those given or, without any, one for each tag of the run, in alphabetical order.
func promises(given []report.Entry, run report.Run) []report.Entry {
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
