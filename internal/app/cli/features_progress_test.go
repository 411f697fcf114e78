package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/features"
	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/runner"
)

func failedScenario() report.Scenario {
	return report.Scenario{
		System: "telemetry", File: "readings.feature", Name: "A reading is stored", Line: 7,
		IDs: []string{"TL-P7", "TL-P7.together"}, Outcome: report.Failed, Reason: "the status is 500\nnot 200",
		Steps: []report.Step{
			{Keyword: "Given", Text: "a device", Line: 8, Status: "passed"},
			{Keyword: "Then", Text: "the reading is stored", Line: 9, Status: "failed"},
			{Keyword: "And", Text: "the marker is stored", Line: 10, Status: "skipped"},
		},
	}
}

// TestFailedScenariosArePrintedWhenTheyFail checks that a failure shows its step with file and line, and the reason,
// and that scenarios that pass are printed with --verbose only.
func TestFailedScenariosArePrintedWhenTheyFail(t *testing.T) {
	t.Parallel()
	const failure = `FAIL  features/telemetry/readings.feature:7  A reading is stored
      Then the reading is stored  (features/telemetry/readings.feature:9)
      the status is 500
      not 200
`
	passed := report.Scenario{System: "kefir", File: "a.feature", Name: "It ferments", Line: 3, Outcome: report.Passed,
		Elapsed: 20 * time.Millisecond}
	for verbose, want := range map[bool]string{
		false: failure, true: "PASS  features/kefir/a.feature:3  It ferments (20 ms)\n" + failure,
	} {
		var out strings.Builder
		p := newFeaturesProgress(&out, verbose)
		p.show(runner.Progress{Scenario: passed, Done: 1, Total: 2})
		p.show(runner.Progress{Scenario: failedScenario(), Done: 2, Failed: 1, Total: 2})
		p.line.Done()
		lines := strings.SplitAfter(out.String(), "\n")
		var rest strings.Builder
		for _, line := range lines {
			if !strings.Contains(line, "of 2 scenarios") {
				rest.WriteString(line)
			}
		}
		if rest.String() != want || !strings.Contains(out.String(), "2 of 2 scenarios, 1 failed") {
			t.Errorf("verbose %t:\n%s", verbose, out.String())
		}
	}
}

func TestFailedScenariosCanBeRunAgain(t *testing.T) {
	t.Parallel()
	other := failedScenario()
	other.IDs = []string{"KF-R1"}
	var out strings.Builder
	printFailed(&out, features.Summary{Run: report.Run{Target: "dynamodb-local",
		Scenarios: []report.Scenario{failedScenario(), other, failedScenario()}}})
	want := "Run them again: tabletop features --target dynamodb-local --tags '@TL-P7.together or @KF-R1'\n"
	if !strings.HasSuffix(out.String(), want) || strings.Count(out.String(), "FAIL  ") != 3 {
		t.Errorf("%s\nwant %s", out.String(), want)
	}
}
