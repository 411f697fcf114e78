package exploration

import (
	"embed"
	"html/template"
	"strings"

	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/internal/explore"
)

//go:embed assets
var assets embed.FS

// HTML returns the report as a page that works without a network: the verdict, the findings, and the matrix of
// operations and mishaps.
func (r *Report) HTML() ([]byte, error) {
	page := report.Page{Title: "Exploration", Intro: commandLine(r.Command)}
	for _, s := range []struct{ id, title string }{{"verdict", "Verdict"}, {"findings", "Findings"},
		{"matrix", "What was tried"}} {
		if s.id == "findings" && len(r.Result.Findings) == 0 {
			continue
		}
		body, err := report.Fill(assets, "assets/"+s.id+".tmpl", r)
		if err != nil {
			return nil, err
		}
		page.Sections = append(page.Sections, report.Section{ID: s.id, Title: s.title, Body: template.HTML(body)})
	}
	return page.HTML()
}

// Cell is a cell of the matrix for a page.
type Cell struct {
	Kind    explore.Kind
	Verdict explore.Verdict
	Class   string // a class of the page's styles
	Sign    string
}

// Cells returns the cells of a row, one for each kind of Kinds.
func (r *Report) Cells(row explore.Row) []Cell {
	var cells []Cell
	for _, k := range r.Kinds() {
		c := Cell{Kind: k, Verdict: row.Verdicts[k]}
		switch c.Verdict {
		case explore.Survived:
			c.Class, c.Sign = "passed", "✓"
		case explore.Failed:
			c.Class, c.Sign = "failed", "✗"
		case explore.NotReached:
			c.Class, c.Sign = "not-run", "–"
		}
		cells = append(cells, c)
	}
	return cells
}

// Folder returns the folder of a finding, relative to the page.
func (r *Report) Folder(f *explore.Finding) string {
	for i, each := range r.Result.Findings {
		if each == f {
			return folder(i)
		}
	}
	return ""
}

// Account returns the finding's story, the client that was disturbed, and how to reproduce it, in lines.
func (r *Report) Account(f *explore.Finding) string {
	text := f.Story()
	if client := f.Client(); client != "" {
		text += "Client: " + client + "\n"
	}
	return text + "Reproduce: " + r.Rerun(f) + "\n"
}

// Rerun returns the command that runs only the plan of a finding.
func (r *Report) Rerun(f *explore.Finding) string {
	words := append([]string{"tabletop", "explore", "--plan", f.Plan.Text()}, r.Flags...)
	return commandLine(append(append(words, "--"), r.Command...))
}

// commandLine returns a command as a shell reads it.
func commandLine(command []string) string {
	quoted := make([]string, len(command))
	for i, word := range command {
		quoted[i] = report.Quoted(word)
	}
	return strings.Join(quoted, " ")
}
