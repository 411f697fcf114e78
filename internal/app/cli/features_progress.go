package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
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
	started time.Time
}

func newFeaturesProgress(w io.Writer, verbose bool) *featuresProgress {
	return &featuresProgress{line: live.New(w), verbose: verbose, started: time.Now()}
}

// writeFeaturesProgress returns a function that writes each scenario, when it ends, to w as a line of JSON.
func writeFeaturesProgress(w io.Writer) func(runner.Progress) {
	encoder := json.NewEncoder(w)
	return func(p runner.Progress) { _ = encoder.Encode(p) } // fails only if nobody reads w
}

func (p *featuresProgress) show(now runner.Progress) {
	switch s := now.Scenario; {
	case s.Outcome == report.Failed:
		p.line.Print(failureText(s))
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
	return fmt.Sprintf("features/%s/%s:%d", s.System, s.File, line)
}

// printFailed lists the failed scenarios of a run, and the command that runs them again.
func printFailed(w io.Writer, s features.Summary) {
	var tags []string
	for _, sc := range s.Scenarios {
		if sc.Outcome != report.Failed {
			continue
		}
		_, _ = fmt.Fprintf(w, "FAIL  %s  %s\n", sourceOf(sc, sc.Line), sc.Name)
		if tag := narrowestTag(sc.IDs); !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	if len(tags) == 0 {
		return
	}
	target := ""
	if s.Target != "embedded" {
		target = "--target " + s.Target + " "
	}
	_, _ = fmt.Fprintf(w, "Run them again: tabletop features %s--tags '%s'\n", target, strings.Join(tags, " or "))
}

// narrowestTag returns the tag that the fewest other scenarios have: that of a clause, if the scenario has one.
func narrowestTag(ids []string) string {
	for _, id := range ids {
		if strings.Contains(id, ".") {
			return "@" + id
		}
	}
	return "@" + ids[0]
}
