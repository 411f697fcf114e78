package report

import (
	"errors"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// The names of the files that WriteComparison writes.
const (
	ComparisonHTML     = "comparison.html"
	ComparisonMarkdown = "comparison.md"
)

// Comparison is the results of the same profiles on several targets.
type Comparison struct {
	Targets  []string
	Profiles []Compared
	Notes    []string // what could not run, and why
}

// Compared is the results of one profile on the targets.
type Compared struct {
	Profile profile.Profile `json:"profile"`
	Quick   string          `json:"quick,omitempty"` // how the runs were shortened
	Rows    []ComparedRow   `json:"rows"`
}

// ComparedRow is one figure of a profile, with one cell per target.
type ComparedRow struct {
	Label  string  `json:"label"`
	Cells  []Cell  `json:"cells"`
	Change *Change `json:"change,omitempty"` // from the first to the second of two targets; nil: not known
}

// Cell is a figure on a target. Share is its percentage of the row's largest figure, for a bar. State is the state of
// its verdict, empty for a figure without a limit.
type Cell struct {
	Text  string       `json:"text"`
	State result.State `json:"state,omitempty"`
	Share float64      `json:"share,omitempty"`
}

// Compare builds the comparison of reports, in the order of the given targets. A target that did not run a profile has
// empty cells.
func Compare(reports []*result.Report, targets []string) Comparison {
	c := Comparison{Targets: targets}
	var ids []string
	for _, r := range reports {
		if slices.Contains(targets, r.Target) && !slices.Contains(ids, r.Profile.ID) {
			ids = append(ids, r.Profile.ID)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		c.Profiles = append(c.Profiles, compare(reports, id, targets))
	}
	return c
}

func compare(reports []*result.Report, id string, targets []string) Compared {
	runs := make([]*result.Report, len(targets))
	var one Compared
	for i, target := range targets {
		at := slices.IndexFunc(reports, func(r *result.Report) bool { return r.Profile.ID == id && r.Target == target })
		if at >= 0 {
			runs[i] = reports[at]
			one.Profile, one.Quick = runs[i].Profile, runs[i].Shortened
		}
	}
	for _, f := range comparedFigures() {
		if row, any := f.row(runs); any {
			one.Rows = append(one.Rows, row)
		}
	}
	one.Rows = append(one.Rows, verdictRows(runs)...)
	return one
}

// comparedFigure is a figure to compare. of returns it, and whether the report has it.
type comparedFigure struct {
	label  string
	value  func(*result.Report) (float64, bool)
	bar    bool
	better int // 1: a higher value is better, -1: a lower one, 0: neither
}

func comparedFigures() []comparedFigure {
	always := func(f func(*result.Report) float64) func(*result.Report) (float64, bool) {
		return func(r *result.Report) (float64, bool) { return f(r), true }
	}
	units := func(f func(result.Consumed) float64) func(*result.Report) (float64, bool) {
		return func(r *result.Report) (sum float64, measured bool) {
			for _, c := range r.Consumed {
				sum += f(c)
			}
			return sum, len(r.Consumed) > 0
		}
	}
	return []comparedFigure{
		{label: "Throughput, requests/s", better: 1, value: always(func(r *result.Report) float64 { return r.Throughput })},
		{label: "Errors", better: -1, value: always(func(r *result.Report) float64 { return float64(r.Errors) })},
		{label: "Latency p50, ms", bar: true, better: -1,
			value: always(func(r *result.Report) float64 { return r.Latency.P50 })},
		{label: "Latency p99, ms", bar: true, better: -1,
			value: always(func(r *result.Report) float64 { return r.Latency.P99 })},
		{label: "Latency max, ms", bar: true, better: -1,
			value: always(func(r *result.Report) float64 { return r.Latency.Max })},
		{label: "Backend overhead p99, ms", better: -1, value: func(r *result.Report) (float64, bool) {
			if r.Overhead == nil {
				return 0, false
			}
			return r.Overhead.P99, true
		}},
		{label: "Read units", value: units(func(c result.Consumed) float64 { return c.ReadUnits })},
		{label: "Write units", value: units(func(c result.Consumed) float64 { return c.WriteUnits })},
		{label: "Stored bytes", value: func(r *result.Report) (sum float64, measured bool) {
			for _, s := range r.Stored {
				sum += float64(s.Bytes)
			}
			return sum, len(r.Stored) > 0
		}},
	}
}

func (f comparedFigure) row(runs []*result.Report) (row ComparedRow, any bool) {
	row = ComparedRow{Label: f.label, Cells: emptyCells(runs)}
	values, most, measured := make([]float64, len(runs)), 0.0, 0
	for i, r := range runs {
		if r == nil {
			continue
		}
		v, ok := f.value(r)
		if !ok {
			row.Cells[i].Text = "not measured"
			continue
		}
		any = true
		measured++
		values[i], most = v, max(most, v)
		row.Cells[i].Text = figure(v)
	}
	for i, v := range values {
		if f.bar && most > 0 {
			row.Cells[i].Share = 100 * v / most
		}
	}
	if len(runs) == 2 && measured == 2 {
		row.Change = numberChange(values[0], values[1], f.better)
	}
	return row, any
}

// verdictRows returns one row per limit.
func verdictRows(runs []*result.Report) []ComparedRow {
	var rows []ComparedRow
	for i, r := range runs {
		if r == nil {
			continue
		}
		for _, v := range r.Verdicts {
			label := fmt.Sprintf("%s %s %s", v.ID, v.Name(), v.Limit)
			at := slices.IndexFunc(rows, func(row ComparedRow) bool { return row.Label == label })
			if at < 0 {
				at = len(rows)
				rows = append(rows, ComparedRow{Label: label, Cells: emptyCells(runs)})
			}
			rows[at].Cells[i] = Cell{Text: v.Explained(), State: v.State}
		}
	}
	for i := range rows {
		rows[i].Change = stateChange(rows[i].Cells)
	}
	return rows
}

// emptyCells returns the cells of a row before the values are filled in.
func emptyCells(runs []*result.Report) []Cell {
	cells := make([]Cell, len(runs))
	for i, r := range runs {
		if r == nil {
			cells[i].Text = "not run"
		}
	}
	return cells
}

// Plain returns the cell as text.
func (c Cell) Plain() string {
	if c.State == "" {
		return c.Text
	}
	separator := " "
	if c.State == result.NotMeasured {
		separator = ": " // the text is the reason
	}
	return strings.TrimSpace(c.State.Label() + separator + c.Text)
}

// WriteText writes the comparison for a terminal.
func (c Comparison) WriteText(w io.Writer) error {
	for _, note := range c.Notes {
		fmt.Fprintf(w, "%s\n\n", note)
	}
	for i, p := range c.Profiles {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s  %s\n", p.Profile.ID, p.Profile.Title)
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintf(tw, "  \t%s\n", strings.Join(c.Targets, "\t"))
		for _, row := range p.Rows {
			fmt.Fprintf(tw, "  %s", row.Label)
			for _, cell := range row.Cells {
				fmt.Fprintf(tw, "\t%s", cell.Plain())
			}
			fmt.Fprintln(tw)
		}
		if err := tw.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// WriteMarkdown writes the comparison for a pull request.
func (c Comparison) WriteMarkdown(w io.Writer) error {
	fmt.Fprintln(w, "# Load test comparison")
	for _, note := range c.Notes {
		fmt.Fprintf(w, "\n- %s\n", escaped(note))
	}
	for _, p := range c.Profiles {
		fmt.Fprintf(w, "\n## %s: %s\n\n> %s\n", p.Profile.ID, p.Profile.Title, p.Profile.Figure)
		if p.Quick != "" {
			fmt.Fprintf(w, "\nShortened: %s.\n", p.Quick)
		}
		fmt.Fprintf(w, "\n| | %s |\n|---|%s\n", strings.Join(c.Targets, " | "), strings.Repeat("---|", len(c.Targets)))
		for _, row := range p.Rows {
			fmt.Fprintf(w, "| %s |", escaped(row.Label))
			for _, cell := range row.Cells {
				fmt.Fprintf(w, " %s |", escaped(cell.Plain()))
			}
			fmt.Fprintln(w)
		}
	}
	return nil
}

// escaped escapes a text for a cell of a Markdown table.
func escaped(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(text)
}

// WriteHTML writes the comparison as one HTML page that works without a network.
func (c Comparison) WriteHTML(w io.Writer) error {
	t, err := template.New("page").Funcs(functions()).ParseFS(assets, "assets/*.tmpl")
	if err != nil {
		return err
	}
	return t.ExecuteTemplate(w, "compare.tmpl", c)
}

// WriteComparison writes the comparison into a folder as HTML and Markdown, and returns the name of the HTML file. It
// creates the folder if necessary.
func WriteComparison(dir string, c Comparison) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("cannot create the report folder: %w", err)
	}
	page := filepath.Join(dir, ComparisonHTML)
	return page, errors.Join(writeTo(page, c.WriteHTML), writeTo(filepath.Join(dir, ComparisonMarkdown), c.WriteMarkdown))
}
