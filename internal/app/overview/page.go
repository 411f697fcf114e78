package overview

import (
	"embed"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"

	"github.com/tabletop-db/tabletop/features/play"
	"github.com/tabletop-db/tabletop/features/report"
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
		return nil, fmt.Errorf("the report's folder cannot be made: %w", err)
	}
	page, err := o.HTML()
	if err != nil {
		return nil, err
	}
	files := []string{filepath.Join(dir, HTMLName), filepath.Join(dir, MarkdownName)}
	for i, text := range [][]byte{page, o.Markdown()} {
		if err := os.WriteFile(files[i], text, 0o644); err != nil {
			return nil, fmt.Errorf("the report cannot be written: %w", err)
		}
	}
	return files, nil
}

// HTML returns the page.
func (o *Overview) HTML() ([]byte, error) {
	m := report.NewMatrix(o.Entries, o.Runs, o.proofs()...)
	page := report.Page{Title: "What was promised, and what holds", Intro: "By target: the promises of the documents, load, cost, and known differences."}
	for _, part := range []struct {
		id, title, note string
		data            any
		there           bool
	}{
		{"glance", "At a glance", "", newGlance(m), true},
		{id: "promises"},
		{"load", "Load", "What the documents state, how it was measured, and whether it held.", o.figures(), len(o.Loads) > 0},
		{"cost", "Cost", "Dollars a month: as the document states them, by its own arithmetic, with its prices and measured units, and with today's prices.", o.documents(), len(o.documents()) > 0},
		{"differences", "Known differences", "", o.differences(m), true},
		{"simulations", "Simulations", "What people and devices did in moved time, and whether the tables hold what they did.", o.Simulations, len(o.Simulations) > 0},
	} {
		if part.id == "promises" {
			s, err := m.Section()
			if err != nil {
				return nil, err
			}
			page.Sections = append(page.Sections, s)
			continue
		}
		if !part.there {
			continue
		}
		body, err := report.Fill(assets, "assets/"+part.id+".tmpl", part.data)
		if err != nil {
			return nil, err
		}
		page.Sections = append(page.Sections, report.Section{ID: part.id, Title: part.title, Note: part.note, Body: template.HTML(body)})
	}
	return page.HTML()
}

// differences are those of the targets, with the ids of their scenarios, and those of the emulator.
type differences struct {
	Targets []known
	Facts
}

type known struct {
	play.Difference
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

// glance is the top of the page: a line per target, a row per system, and what needs attention.
type glance struct {
	Targets []string
	Lines   []line
	Systems []system
	Look    []look
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

// look is a promise that is broken or has no result.
type look struct {
	report.Entry
	Outcome     report.Outcome
	Target, Why string
}

func newGlance(m report.Matrix) glance {
	g := glance{Targets: m.Targets}
	whole := report.Group{Rows: m.Rows}
	for i, target := range m.Targets {
		t := whole.Tally(i)
		g.Lines = append(g.Lines, line{target, fmt.Sprintf("%d of %d promises are kept%s", t.Kept, t.Total, rest(t)), verdict(t)})
	}
	for _, group := range m.Groups() {
		s := system{ID: group.ID, Name: group.Name}
		for i, target := range m.Targets {
			t := group.Tally(i)
			s.Cells = append(s.Cells, systemCell{target, strings.TrimPrefix(rest(t), "; "), verdict(t), t})
		}
		g.Systems = append(g.Systems, s)
	}
	for _, r := range m.Rows {
		for _, c := range r.Cells {
			if c.Outcome == report.Failed || c.Outcome == report.Missed {
				g.Look = append(g.Look, look{r.Entry, c.Outcome, c.Target, strings.Join(c.Reasons, "; ")})
			}
		}
	}
	for _, hole := range m.Holes() {
		g.Look = append(g.Look, look{Entry: hole, Outcome: report.NotRun})
	}
	return g
}

// rest describes the promises that are not kept.
func rest(t report.Tally) string {
	text := ""
	for _, part := range []struct {
		n    int
		what string
	}{
		{t.Broken, "broken"}, {t.Differs, "known to differ"}, {t.Beyond, "not applicable"}, {t.Open, "not tried"},
	} {
		if part.n > 0 {
			text += fmt.Sprintf("; %d %s", part.n, part.what)
		}
	}
	return text
}

// verdict returns the outcome of a tally.
func verdict(t report.Tally) report.Outcome {
	switch {
	case t.Broken > 0:
		return report.Failed
	case t.Differs > 0:
		return report.KnownFailure
	case t.Kept == 0 && t.Beyond > 0:
		return report.NotApplicable
	case t.Kept == 0:
		return report.NotRun
	case t.Kept < t.Total:
		return report.PassedInPart
	}
	return report.Passed
}
