package report

import (
	"html/template"
	"strings"
)

// HTML returns the matrix as one page that works without a network. It can be read on a phone, on paper and in dark
// mode.
func (m Matrix) HTML() ([]byte, error) {
	requirements, err := m.Section()
	if err != nil {
		return nil, err
	}
	page := Page{Title: "Results by target", Intro: "Each requirement has one or more scenarios. Expand a row to see them.",
		Runs: m.Runs}
	failed, any, err := m.failures()
	if err != nil {
		return nil, err
	}
	if any {
		page.Sections = append(page.Sections, failed)
	}
	page.Sections = append(page.Sections, requirements)
	return page.HTML()
}

// Section returns the matrix as a section of a page: runs, a filter, and one row per requirement that expands to its
// scenarios.
func (m Matrix) Section() (Section, error) {
	body, err := Fill(assets, "assets/matrix.tmpl", m)
	return Section{ID: "requirements", Title: "Requirements by target", Body: template.HTML(body)}, err
}

// HasLoadVerdict reports whether a load profile has a verdict on the row.
func (r Row) HasLoadVerdict() bool {
	for _, c := range r.Cells {
		if r.ByLoad && c.Total > 0 {
			return true
		}
	}
	return false
}

// AllPassed reports whether the row passed on every target, for the filter of the page.
func (r Row) AllPassed() bool {
	for _, c := range r.Cells {
		if c.Outcome != Passed {
			return false
		}
	}
	return len(r.Cells) > 0
}

// Name returns the clause's name without its entry's id, such as retry.
func (c Clause) Name() string {
	_, name, _ := strings.Cut(c.ID, ".")
	return name
}

// scenarioView is a scenario for the template, with the targets of its runs.
type scenarioView struct {
	ScenarioRuns
	Targets []string
}

// Scenarios returns the row's scenarios, each with the targets.
func (r Row) Scenarios(targets []string) []any {
	all := make([]any, len(r.Specs))
	for i, s := range r.Specs {
		all[i] = scenarioView{s, targets}
	}
	return all
}

// Sentences returns the steps of the most informative run: one with a failed step, or else the first.
func (s ScenarioRuns) Sentences() []Step {
	for _, run := range s.Runs {
		if run.Outcome == Failed {
			return run.Steps
		}
	}
	return s.Steps
}

func class(o any) string {
	text, _ := o.(string)
	if outcome, ok := o.(Outcome); ok {
		text = string(outcome)
	}
	return strings.ReplaceAll(text, " ", "-")
}

// Sign returns a character for an outcome, for pages without colour.
func Sign(o Outcome) string {
	switch o {
	case Passed:
		return "✓"
	case PassedInPart:
		return "◐"
	case Failed:
		return "✗"
	case KnownDifference:
		return "≠"
	}
	return "–"
}
