package report

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// special escapes the characters that Markdown, or a page that contains it, may interpret as markup.
var special = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~",
	`\~`, "#", `\#`, "@", "@\u2060",
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", " ", "\n", " ")

// Plain escapes text so that Markdown shows it literally, on one line.
func Plain(text string) string { return special.Replace(text) }

// Markdown returns the matrix for a review or a pull request: runs, one row per requirement, and the reasons of
// scenarios that did not pass.
func (m Matrix) Markdown() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("# Results by target\n\n")
	b.WriteString(
		"| target | details | started (UTC) | scenarios | passed | failed | known differences | not applicable | duration |\n")
	b.WriteString("|---|---|---|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range m.Runs {
		thousands.Fprintf(&b, "| %s | %s | %s | %d | %d | %d | %d | %d | %s |\n", Plain(r.Target), Plain(r.Detail),
			r.Started.Format("2006-01-02 15:04"),
			len(r.Scenarios), r.Count(Passed), r.Count(Failed), r.Count(KnownDifference), r.Count(NotApplicable),
			Short(r.Elapsed))
	}
	b.WriteString("\n")
	m.MarkdownRows(&b)
	m.markdownReasons(&b)
	return b.Bytes(), nil
}

// MarkdownRows writes a table with one row per requirement and one column per target.
func (m Matrix) MarkdownRows(b *bytes.Buffer) {
	b.WriteString("| ID | requirement |")
	for _, target := range m.Targets {
		fmt.Fprintf(b, " %s |", Plain(target))
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(m.Targets)) + "\n")
	for _, row := range m.Rows {
		fmt.Fprintf(b, "| %s | %s |", row.ID, Plain(row.Says))
		for _, c := range row.Cells {
			fmt.Fprintf(b, " %s |", row.cellText(c))
		}
		b.WriteString("\n")
		row.markdownParts(b, len(m.Targets))
	}
}

// markdownParts writes one row per clause. Targets on which only load profiles ran have empty cells.
func (r Row) markdownParts(b *bytes.Buffer, targets int) {
	for _, p := range r.Parts {
		fmt.Fprintf(b, "| %s | %s |", p.ID, Plain(p.Says))
		for _, c := range p.Cells {
			fmt.Fprintf(b, " %s |", r.cellText(c))
		}
		b.WriteString(strings.Repeat(" |", targets-len(p.Cells)) + "\n")
	}
}

func (r Row) cellText(c Cell) string {
	switch {
	case r.ByLoad && c.Total == 0:
		return NotRun.Label() + " (load test)"
	case r.ByLoad:
		return thousands.Sprintf("%s, %d of %d limits", c.Outcome.Label(), c.Passed, c.Total)
	case c.Total == 0:
		return NotRun.Label()
	}
	return thousands.Sprintf("%s, %d of %d, %s", c.Outcome.Label(), c.Passed, c.Total, Short(c.Elapsed))
}

func (m Matrix) markdownReasons(b *bytes.Buffer) {
	for _, r := range m.Runs {
		for i, s := range notPassed(r) {
			if i == 0 {
				fmt.Fprintf(b, "\n## Not passed on %s\n\n", Plain(r.Target))
			}
			fmt.Fprintf(b, "- **%s** %s (%s): %s\n", s.Outcome.Label(), Plain(s.Name), Plain(strings.Join(s.IDs, ", ")),
				Plain(s.Reason))
		}
	}
}

func notPassed(r Run) []Scenario {
	var all []Scenario
	for _, s := range r.Scenarios {
		if s.Outcome != Passed {
			all = append(all, s)
		}
	}
	return all
}

// Short formats a duration for people: 380 ms, 2.4 s, 1 min 5 s.
func Short(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}
