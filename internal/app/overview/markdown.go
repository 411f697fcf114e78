package overview

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// Markdown returns the page for a pull request: the summary, what needs attention and, folded, the rest.
func (o *Overview) Markdown() []byte {
	m := report.NewMatrix(o.Entries, o.Runs, o.loadVerdicts()...)
	var b bytes.Buffer
	b.WriteString("## Results overview\n\n")
	newSummary(m).markdown(&b)
	fold(&b, thousands.Sprintf("Requirements by target: %d", len(m.Rows)), func() { m.MarkdownRows(&b) })
	if len(o.Loads) > 0 {
		fold(&b, "Load tests", func() { o.markdownLoads(&b) })
	}
	if costs := o.documents(); len(costs) > 0 {
		fold(&b, thousands.Sprintf("Cost: %d", len(costs)), func() { markdownCosts(&b, costs) })
	}
	if len(o.Known) > 0 {
		fold(&b, thousands.Sprintf("Known differences of targets: %d", len(o.Known)), func() {
			for _, k := range o.Known {
				fmt.Fprintf(&b, "- %s, *%s*: %s\n", report.Plain(k.Target), report.Plain(k.Scenario), report.Plain(k.Reason))
			}
		})
	}
	if len(o.Simulations) > 0 {
		fold(&b, thousands.Sprintf("Simulations: %d", len(o.Simulations)), func() { o.markdownSimulations(&b) })
	}
	return b.Bytes()
}

// fold writes a section that is collapsed by default.
func fold(b *bytes.Buffer, title string, write func()) {
	fmt.Fprintf(b, "\n<details>\n<summary>%s</summary>\n\n", report.Plain(title))
	write()
	b.WriteString("\n</details>\n")
}

func (g summary) markdown(b *bytes.Buffer) {
	for _, l := range g.Lines {
		fmt.Fprintf(b, "- %s **%s**: %s\n", report.Sign(l.Outcome), report.Plain(l.Target), l.Text)
	}
	b.WriteString("\n| system |")
	for _, t := range g.Targets {
		fmt.Fprintf(b, " %s |", report.Plain(t))
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(g.Targets)) + "\n")
	for _, s := range g.Systems {
		fmt.Fprintf(b, "| %s |", report.Plain(s.Name))
		for _, c := range s.Cells {
			thousands.Fprintf(b, " %s %d of %d", report.Sign(c.Outcome), c.Passed, c.Total)
			if c.Rest != "" {
				b.WriteString("; " + c.Rest)
			}
			b.WriteString(" |")
		}
		b.WriteString("\n")
	}
	if len(g.Attention) == 0 {
		return
	}
	b.WriteString("\nNeeds attention:\n\n")
	for _, l := range g.Attention {
		where := ""
		if l.Target != "" {
			where = " on " + report.Plain(l.Target)
		}
		why := l.Why
		if why == "" {
			why = l.Says
		}
		fmt.Fprintf(b, "- **%s** %s%s: %s\n", l.ID, l.Outcome.Label(), where, report.Plain(why))
	}
}

func (o *Overview) markdownLoads(b *bytes.Buffer) {
	b.WriteString("| ID | profile | target | limit | measured | verdict |\n|---|---|---|---|--:|---|\n")
	for _, l := range o.Loads {
		for _, v := range l.Verdicts {
			fmt.Fprintf(b, "| %s | %s | %s | %s %s | %s | %s %s |\n", report.Plain(v.ID), report.Plain(l.Profile.ID),
				report.Plain(l.Target),
				report.Plain(v.Name()), report.Plain(v.Limit), report.Plain(v.Measured), report.Sign(outcome(v)),
				outcome(v).Label())
		}
	}
}

func markdownCosts(b *bytes.Buffer, costs []measuredCost) {
	b.WriteString("| ID | cost | documented | recalculated | measured | current prices |\n|---|---|--:|--:|--:|--:|\n")
	for _, c := range costs {
		stated := "–"
		if c.Stated != nil {
			stated = c.Stated.Dollars()
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", report.Plain(c.ID),
			report.Plain(strings.TrimSpace(c.Says+" "+c.Remark)),
			stated, c.Computed.Dollars(), c.Measured.Dollars(), c.Today.Dollars())
	}
}

func (o *Overview) markdownSimulations(b *bytes.Buffer) {
	for _, s := range o.Simulations {
		verdict := report.Sign(report.Passed) + " PASS"
		if err := s.Err(); err != nil {
			verdict = report.Sign(report.Failed) + " FAIL: " + report.Plain(err.Error())
		}
		fmt.Fprintf(b, "- **%s**: %s\n", report.Plain(s.Simulation), verdict)
	}
}
