package report_test

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/features/report"
)

func scenario(name string, o report.Outcome, reason string, ids ...string) report.Scenario {
	status := map[report.Outcome]string{report.Passed: "passed", report.Failed: "failed"}[o]
	if status == "" {
		status = "skipped"
	}
	return report.Scenario{
		System: "telemetry", Feature: "Devices <introduce> themselves", File: "registration.feature", Name: name, Line: 7,
		IDs: ids, Outcome: o, Reason: reason, Elapsed: 20 * time.Millisecond,
		Steps: []report.Step{{Keyword: "Given", Text: `a "device" & more`, Detail: "| a | b |", Status: status}},
	}
}

func entries() []report.Entry {
	return []report.Entry{
		{ID: "TL-P1", Kind: "pattern", Says: "A device registers."},
		{ID: "TL-P2", Kind: "pattern", Says: "Devices are listed."},
		{ID: "TL-L1", Kind: "load", Says: "33 a second.", ByLoad: true},
	}
}

func runs() (embedded, local report.Run) {
	embedded = report.Run{Target: "embedded", Detail: "in this process", Elapsed: 2 * time.Second,
		Scenarios: []report.Scenario{
			scenario("first", report.Passed, "", "TL-P1"),
			scenario("second", report.Failed, "it is 3, not 2", "TL-P1", "TL-P2"),
		}}
	local = report.Run{Target: "dynamodb-local", Detail: "jar", Scenarios: []report.Scenario{
		scenario("first", report.NotApplicable, "no clock", "TL-P1"),
		scenario("second", report.KnownDifference, "answers 500", "TL-P1", "TL-P2"),
	}}
	return embedded, local
}

// TestSelectedScenariosHaveTheirOwnReports runs all scenarios, then those of other tags on each of two targets.
func TestSelectedScenariosHaveTheirOwnReports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	all, local := runs()
	some, other := all, local
	some.Selection.Tags, other.Selection.Tags = "@TL-P2", "@TL-P1"
	some.Scenarios = all.Scenarios[1:]
	for _, r := range []report.Run{all, other, some} {
		if _, err := report.Write(dir, entries(), r); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := report.Load(dir)
	if err != nil || len(whole) != 1 || len(whole[0].Scenarios) != 2 {
		t.Errorf("the run of all scenarios is %+v, %v", whole, err)
	}
	page, err := os.ReadFile(filepath.Join(dir, report.SelectedFolder, "features.md"))
	if err != nil || strings.Contains(string(page), "dynamodb-local") || strings.Contains(string(page), "TL-L1") ||
		!strings.Contains(string(page), "TL-P2") {
		t.Errorf("%s\n%v", page, err)
	}
}

// TestFailuresAreFirst checks that the page begins with target, date and version, then lists what failed.
func TestFailuresAreFirst(t *testing.T) {
	t.Parallel()
	embedded, local := runs()
	embedded.Version, embedded.Started = "v1.2", time.Date(2026, 11, 26, 9, 30, 0, 0, time.UTC)
	page, err := report.NewMatrix(entries(), []report.Run{embedded, local}).HTML()
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for _, part := range []string{"<b>embedded</b>, 26 November 2026, 09:30 UTC, version v1.2", `<section id="failures">`,
		"registration.feature:7", "it is 3, not 2", `<section id="requirements">`} {
		_, rest, found := strings.Cut(text, part)
		if !found {
			t.Fatalf("the page lacks %s, or has it earlier", part)
		}
		text = rest
	}
	embedded.Scenarios = embedded.Scenarios[:1]
	if page, err = report.NewMatrix(entries(), []report.Run{embedded, local}).HTML(); err != nil ||
		strings.Contains(string(page), `<section id="failures">`) {
		t.Errorf("nothing failed, but the page has failures (%v)", err)
	}
}

func TestRunsOnSeveralTargetsAreMerged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	embedded, local := runs()
	for _, r := range []report.Run{local, embedded, embedded} { // a second run on a target replaces its first
		if _, err := report.Write(dir, entries(), r); err != nil {
			t.Fatal(err)
		}
	}
	all, err := report.Load(dir)
	if err != nil || len(all) != 2 || all[0].Target != "embedded" {
		t.Fatalf("%d runs, %v", len(all), err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "features.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| TL-P1 | A device registers. | FAIL, 1 of 2, 40 ms | KNOWN DIFFERENCE, 0 of 2, 40 ms |",
		"| TL-P2 | Devices are listed. | FAIL, 0 of 1, 20 ms | KNOWN DIFFERENCE, 0 of 1, 20 ms |",
		"| TL-L1 | 33 a second. | NOT RUN (load test) | NOT RUN (load test) |",
		"- **NOT APPLICABLE** first (TL-P1): no clock",
	} {
		if !strings.Contains(string(text), line) {
			t.Errorf("features.md lacks\n%s\nin\n%s", line, text)
		}
	}
}

func TestCellOutcome(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of   []report.Outcome
		want report.Outcome
	}{
		{nil, report.NotRun},
		{[]report.Outcome{report.Passed, report.Passed}, report.Passed},
		{[]report.Outcome{report.Passed, report.NotApplicable}, report.PassedInPart},
		{[]report.Outcome{report.NotApplicable, report.NotApplicable}, report.NotApplicable},
		{[]report.Outcome{report.Passed, report.KnownDifference}, report.KnownDifference},
		{[]report.Outcome{report.KnownDifference, report.Failed, report.Passed}, report.Failed},
	} {
		run := report.Run{Target: "embedded"}
		for _, o := range c.of {
			run.Scenarios = append(run.Scenarios, scenario("s", o, "", "TL-P1"))
		}
		m := report.NewMatrix(entries(), []report.Run{run})
		if got := m.Rows[0].Cells[0].Outcome; got != c.want {
			t.Errorf("%v: %s, want %s", c.of, got, c.want)
		}
	}
}

func TestPageNeedsNoNetworkAndEscapesText(t *testing.T) {
	t.Parallel()
	embedded, local := runs()
	page, err := report.NewMatrix(entries(), []report.Run{embedded, local}).HTML()
	if err != nil {
		t.Fatal(err)
	}
	if m := regexp.MustCompile(`(?i)src\s*=|href\s*=\s*"[^#]|https?://|@import|url\(`).Find(page); m != nil {
		t.Errorf("the page refers to something outside: %s", m)
	}
	for _, want := range []string{"Devices &lt;introduce&gt; themselves", "it is 3, not 2", "no clock",
		"prefers-color-scheme: dark", "@media print"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestJUnitAndCucumberAreValid(t *testing.T) {
	t.Parallel()
	embedded, local := runs()
	var suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	text, err := local.JUnit()
	if err != nil || xml.Unmarshal(text, &suites) != nil || suites.Tests != 2 || suites.Failures != 0 ||
		suites.Skipped != 2 {
		t.Errorf("JUnit: %v, %+v\n%s", err, suites, text)
	}
	var features []struct {
		Elements []struct {
			Steps []struct {
				Result struct {
					Status string
					Error  string `json:"error_message"`
				}
			}
		}
	}
	text, err = embedded.Cucumber()
	if err != nil || json.Unmarshal(text, &features) != nil {
		t.Fatalf("Cucumber: %v\n%s", err, text)
	}
	result := features[0].Elements[1].Steps[0].Result
	if result.Status != "failed" || result.Error != "it is 3, not 2" {
		t.Errorf("Cucumber: %+v", result)
	}
}
