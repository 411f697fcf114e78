package overview

import (
	"embed"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"

	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/runner"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/internal/util/wholefile"
)

//go:embed assets
var assets embed.FS

// Names of the files that Write creates.
const (
	HTMLName     = "overview.html"
	MarkdownName = "overview.md"
)

// Write writes the page into a folder, with its Markdown version for a pull request. It returns the names of both.
func (o *Overview) Write(dir string) ([]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("cannot create the report folder: %w", err)
	}
	page, err := o.HTML()
	if err != nil {
		return nil, err
	}
	files := []string{filepath.Join(dir, HTMLName), filepath.Join(dir, MarkdownName)}
	for i, text := range [][]byte{page, o.Markdown()} {
		if err := wholefile.WriteFile(files[i], text, 0o644); err != nil {
			return nil, fmt.Errorf("cannot write the report: %w", err)
		}
	}
	return files, nil
}

// HTML returns the page.
func (o *Overview) HTML() ([]byte, error) {
	m := report.NewMatrix(o.Entries, o.Runs, o.loadVerdicts()...)
	page := report.Page{Title: "Results overview",
		Intro: "Requirements, load tests, costs and known differences, by target.", Runs: o.Runs}
	for _, part := range []struct {
		id, title, note string
		data            any
		hasData         bool
	}{
		{"glance", "Summary", "", newSummary(m), true},
		{id: "requirements"},
		{"load", "Load tests", "The documented figure, the method of measurement, and the verdict on each limit.",
			o.loadRequirements(), len(o.Loads) > 0},
		{"cost", "Cost", "Per month: as documented; recalculated from the documented quantities; with measured units at the documented prices; with measured units at current prices.",
			o.documents(), len(o.documents()) > 0},
		{"differences", "Known differences", "", o.differences(m), true},
		{"simulations", "Simulations",
			"Activity of simulated users and devices over days of simulated time, and whether the stored data matches it.",
			o.Simulations, len(o.Simulations) > 0},
	} {
		if part.id == "requirements" {
			s, err := m.Section()
			if err != nil {
				return nil, err
			}
			page.Sections = append(page.Sections, s)
			continue
		}
		if !part.hasData {
			continue
		}
		body, err := report.Fill(assets, "assets/"+part.id+".tmpl", part.data)
		if err != nil {
			return nil, err
		}
		page.Sections = append(page.Sections, report.Section{ID: part.id, Title: part.title, Note: part.note,
			Body: template.HTML(body)})
	}
	return page.HTML()
}

// differences are the known differences of the targets, with the ids of their scenarios, and those of the emulator.
type differences struct {
	Targets []known
	Facts
}

type known struct {
	runner.Difference
	IDs     []string
	Outcome report.Outcome // of its scenario in the last run on the target; empty: none
}

func (o *Overview) differences(m report.Matrix) differences {
	d := differences{Facts: o.Facts}
	for _, k := range o.Known {
		one := known{Difference: k}
		for _, r := range m.Runs {
			for _, s := range r.Scenarios {
				if s.Name != k.Scenario {
					continue
				}
				if one.IDs = s.IDs; r.Target == k.Target {
					one.Outcome = s.Outcome
				}
			}
		}
		d.Targets = append(d.Targets, one)
	}
	return d
}

// summary is the summary: a line per target, a row per system, and what needs attention.
type summary struct {
	Targets   []string
	Lines     []line
	Systems   []system
	Attention []attention
}

type line struct {
	Target, Text string
	Outcome      report.Outcome
}

type system struct {
	ID, Name string
	Cells    []systemCell
}

type systemCell struct {
	Target, Rest string
	Outcome      report.Outcome
	report.Tally
}

// attention is a requirement that failed or has no result.
type attention struct {
	report.Entry
	Outcome     report.Outcome
	Target, Why string
}

func newSummary(m report.Matrix) summary {
	g := summary{Targets: m.Targets}
	whole := report.Group{Rows: m.Rows}
	for i, target := range m.Targets {
		t := whole.Tally(i)
		g.Lines = append(g.Lines, line{target,
			thousands.Sprintf("%d of %d requirements pass%s", t.Passed, t.Total, remainder(t)), t.Outcome()})
	}
	for _, group := range m.Groups() {
		s := system{ID: group.ID, Name: group.Name}
		for i, target := range m.Targets {
			t := group.Tally(i)
			s.Cells = append(s.Cells, systemCell{target, strings.TrimPrefix(remainder(t), "; "), t.Outcome(), t})
		}
		g.Systems = append(g.Systems, s)
	}
	for _, r := range m.Rows {
		for _, c := range r.Cells {
			if c.Outcome == report.Failed {
				g.Attention = append(g.Attention, attention{r.Entry, c.Outcome, c.Target, strings.Join(c.Reasons, "; ")})
			}
		}
	}
	for _, hole := range m.Uncovered() {
		g.Attention = append(g.Attention, attention{Entry: hole, Outcome: report.NotRun})
	}
	return g
}

// remainder counts the requirements that do not pass, by the reason.
func remainder(t report.Tally) string {
	text := ""
	for _, part := range []struct {
		n    int
		what string
	}{
		{t.Failed, "failed"}, {t.KnownDifferences, "known to differ"}, {t.NotApplicable, "not applicable"},
		{t.NoResult, "without a result"},
	} {
		if part.n > 0 {
			text += thousands.Sprintf("; %d %s", part.n, part.what)
		}
	}
	return text
}
