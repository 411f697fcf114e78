package report

import (
	"bytes"
	"embed"
	"html/template"
	"strings"
	"time"
)

//go:embed assets
var assets embed.FS

// HTML writes the matrix as one page that needs no network. It reads on a phone, on paper, and in the dark.
func (m Matrix) HTML() ([]byte, error) {
	t, err := template.New("page").Funcs(template.FuncMap{
		"css": func() (template.CSS, error) {
			b, err := assets.ReadFile("assets/page.css")
			return template.CSS(b), err
		},
		"js":    func() (template.JS, error) { b, err := assets.ReadFile("assets/page.js"); return template.JS(b), err },
		"short": Short,
		"class": class,
		"sign":  sign,
		"when":  func(t time.Time) string { return t.Format("2 January 2006, 15:04") + " UTC" },
		"count": func(r Run, o string) int { return r.Count(Outcome(o)) },
		"share": func(r Run, o string) float64 {
			return 100 * float64(r.Count(Outcome(o))) / float64(max(len(r.Scenarios), 1))
		},
		"run":   func(i int) Run { return m.Runs[i] },
		"kinds": func() []string { return m.kinds() },
	}).ParseFS(assets, "assets/*.tmpl")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.ExecuteTemplate(&b, "page.tmpl", m)
	return b.Bytes(), err
}

// kinds are the kinds of entry, in the order in which the catalogue has them.
func (m Matrix) kinds() []string {
	var all []string
	seen := map[string]bool{}
	for _, r := range m.Rows {
		if !seen[r.Kind] {
			seen[r.Kind] = true
			all = append(all, r.Kind)
		}
	}
	return all
}

// Excused reports whether something in the row is other than passed, for the filter of the page.
func (r Row) Excused() bool {
	for _, c := range r.Cells {
		if c.Outcome != Passed {
			return true
		}
	}
	return len(r.Cells) == 0
}

// Sentences are the steps of the run that says most: one where a step failed, or else the first.
func (s Specs) Sentences() []Step {
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

// sign says an outcome without colour.
func sign(o Outcome) string {
	switch o {
	case Passed:
		return "✓"
	case PassedInPart:
		return "◐"
	case Failed:
		return "✗"
	case KnownFailure:
		return "≠"
	}
	return "–"
}
