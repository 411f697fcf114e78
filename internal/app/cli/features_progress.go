package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/features"
	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/runner"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/simulators/live"
)

// featuresProgress shows the progress of a run of scenarios: how many have ended, and each failure when it happens.
type featuresProgress struct {
	line    *live.Line
	verbose bool // show every scenario
	again   rerun
	started time.Time
}

func newFeaturesProgress(w io.Writer, verbose bool, again rerun) *featuresProgress {
	return &featuresProgress{line: live.New(w), verbose: verbose, again: again, started: time.Now()}
}

// writeFeaturesProgress returns a function that writes each scenario, when it ends, to w as a line of JSON.
func writeFeaturesProgress(w io.Writer) func(runner.Progress) {
	encoder := json.NewEncoder(w)
	return func(p runner.Progress) { _ = encoder.Encode(p) } // fails only if nobody reads w
}

func (p *featuresProgress) show(now runner.Progress) {
	switch s := now.Scenario; {
	case s.Outcome == report.Failed:
		p.line.Print(failureText(s) + "\n      Run it again: " + p.again.scenarios(s))
	case p.verbose:
		p.line.Print(fmt.Sprintf("%-5s %s  %s (%s)", s.Outcome.Label(), sourceOf(s, s.Line), s.Name, report.Short(s.Elapsed)))
	}
	p.line.Set(thousands.Sprintf("%s of %s scenarios, %d failed, %s", thousands.Group(now.Done),
		thousands.Group(now.Total), now.Failed, time.Since(p.started).Round(time.Second)), time.Now())
}

// failureText returns a failed scenario with the step that failed and the reason.
func failureText(s report.Scenario) string {
	text := fmt.Sprintf("FAIL  %s  %s\n", sourceOf(s, s.Line), s.Name)
	for _, step := range s.Steps {
		if step.Status != "passed" && step.Status != "skipped" {
			text += fmt.Sprintf("      %s %s  (%s)\n", step.Keyword, step.Text, sourceOf(s, step.Line))
		}
	}
	return text + "      " + strings.ReplaceAll(strings.TrimSpace(s.Reason), "\n", "\n      ")
}

// sourceOf returns a place in a scenario's file, as editors and terminals understand it.
func sourceOf(s report.Scenario, line int) string {
	return fmt.Sprintf("%s:%d", s.Path(), line)
}

// printFailed lists the failed scenarios of a run, and the command that runs them again.
func printFailed(w io.Writer, s features.Summary, again rerun) {
	failed := s.With(report.Failed)
	for _, sc := range failed {
		_, _ = fmt.Fprintf(w, "FAIL  %s  %s\n", sourceOf(sc, sc.Line), sc.Name)
	}
	switch len(failed) {
	case 0:
	case 1:
		_, _ = fmt.Fprintln(w, "Run it again:", again.scenarios(failed...))
	default:
		_, _ = fmt.Fprintln(w, "Run them again:", again.failed(failed))
	}
}
