package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/features/report"
)

func TestLoadVerdictsFillTheRowsOfLoad(t *testing.T) {
	t.Parallel()
	embedded, _ := runs()
	m := report.NewMatrix(entries(), []report.Run{embedded},
		report.LoadVerdict{ID: "TL-L1", Target: "embedded", Outcome: report.Passed},
		report.LoadVerdict{ID: "TL-L1", Target: "embedded", Outcome: report.Failed, Text: "20, at least 33"},
		report.LoadVerdict{ID: "TL-L1", Target: "aws", Outcome: report.Passed},
		// rows with scenarios ignore load verdicts
		report.LoadVerdict{ID: "TL-P1", Target: "embedded", Outcome: report.Failed},
	)
	if !slices.Equal(m.Targets, []string{"embedded", "aws"}) {
		t.Errorf("the columns are %v", m.Targets)
	}
	row := m.Rows[2]
	if c := row.Cells[0]; c.Outcome != report.Failed || c.Passed != 1 || c.Total != 2 || !slices.Equal(c.Reasons,
		[]string{"20, at least 33"}) {
		t.Errorf("on embedded: %+v", c)
	}
	if row.Cells[1].Outcome != report.Passed || m.Rows[0].Cells[1].Outcome != report.NotRun ||
		m.Rows[0].Cells[0].Total != 2 {
		t.Errorf("%+v", m.Rows)
	}
}

func TestTallyCountsOutcomes(t *testing.T) {
	t.Parallel()
	_, local := runs()
	m := report.NewMatrix(entries(), []report.Run{local})
	groups := m.Groups()
	if len(groups) != 1 || groups[0].ID != "TL" {
		t.Fatalf("%+v", groups)
	}
	if got, want := groups[0].Tally(0), (report.Tally{Total: 3, KnownDifferences: 2, NoResult: 1}); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
	if holes := m.Uncovered(); len(holes) != 1 || holes[0].ID != "TL-L1" {
		t.Errorf("not covered: %+v", holes)
	}
}

// TestClauseWithoutScenarioIsNotCovered checks that a requirement with a clause that no scenario covers passes only in
// part, however many scenarios of its other clauses pass.
func TestClauseWithoutScenarioIsNotCovered(t *testing.T) {
	t.Parallel()
	requirement := report.Entry{ID: "KF-R5", Kind: "rule", Says: "Reminders are sent.", Clauses: []report.Clause{
		{ID: "KF-R5.once", Says: "Once."}, {ID: "KF-R5.retry", Says: "A push that fails is repeated."},
	}}
	run := report.Run{Target: "embedded", Scenarios: []report.Scenario{scenario("sent", report.Passed, "", "KF-R5",
		"KF-R5.once")}}
	m := report.NewMatrix([]report.Entry{requirement}, []report.Run{run})
	if holes := m.Uncovered(); len(holes) != 1 || holes[0].ID != "KF-R5.retry" ||
		m.Rows[0].Cells[0].Outcome != report.PassedInPart {
		t.Errorf("not covered: %+v; cells: %+v", holes, m.Rows[0].Cells)
	}
	text, err := m.Markdown()
	if err != nil {
		t.Fatal(err)
	}
	page, err := m.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| KF-R5.once | Once. | PASS, 1 of 1, 20 ms |",
		"| KF-R5.retry | A push that fails is repeated. | NOT RUN |"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no line %s in\n%s", want, text)
		}
	}
	for _, want := range []string{`id="KF-R5.retry"`, "A push that fails is repeated."} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %s in the page", want)
		}
	}
	run.Scenarios = append(run.Scenarios, scenario("sent again", report.Passed, "", "KF-R5", "KF-R5.retry"))
	m = report.NewMatrix([]report.Entry{requirement}, []report.Run{run})
	if len(m.Uncovered()) != 0 || m.Rows[0].Cells[0].Outcome != report.Passed || m.Clauses() != 2 {
		t.Errorf("not covered: %+v; cells: %+v", m.Uncovered(), m.Rows[0].Cells)
	}
}

func TestNamesAreEscaped(t *testing.T) {
	t.Parallel()
	const evil = "<script>alert(1)</script> | [x](javascript:y) `z` @all\n# *w*"
	selected := report.Selection{Tags: evil, Name: evil, Files: []string{evil}}
	run := report.Run{Target: evil, Detail: evil, Selection: selected, Scenarios: []report.Scenario{{
		System: evil, Feature: evil, File: evil, Name: evil, IDs: []string{"TL-P1"}, Outcome: report.Failed, Reason: evil,
		Steps: []report.Step{{Keyword: evil, Text: evil, Detail: evil, Status: `"><b onclick=x`}},
	}}}
	m := report.NewMatrix([]report.Entry{{ID: "TL-P1", Kind: evil, Says: evil, Group: evil}}, []report.Run{run})
	page, err := m.HTML()
	if err != nil {
		t.Fatal(err)
	}
	text, err := m.Markdown()
	if err != nil {
		t.Fatal(err)
	}
	for _, markup := range []string{"<script>alert", "<b onclick"} {
		if strings.Contains(string(page), markup) || strings.Contains(string(text), markup) {
			t.Errorf("%s is markup", markup)
		}
	}
	for _, markup := range []string{"[x](", " `z`", "@all", "\n# *"} {
		if strings.Contains(string(text), markup) {
			t.Errorf("%q is Markdown", markup)
		}
	}
}
