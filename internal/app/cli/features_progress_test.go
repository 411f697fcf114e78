package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/features"
	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/runner"
	"github.com/tabletop-db/tabletop/features/targets"
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
      Run it again: tabletop features features/telemetry/readings.feature:7
`
	passed := report.Scenario{System: "kefir", File: "a.feature", Name: "It ferments", Line: 3, Outcome: report.Passed,
		Elapsed: 20 * time.Millisecond}
	for verbose, want := range map[bool]string{
		false: failure, true: "PASS  features/kefir/a.feature:3  It ferments (20 ms)\n" + failure,
	} {
		var out strings.Builder
		p := newFeaturesProgress(&out, verbose, rerunOf(features.Options{OutDir: featuresFolder}))
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

// TestFailedScenariosCanBeRunAgain checks the command that is printed for one and for several failed scenarios: it is
// for the same target and the same reports.
func TestFailedScenariosCanBeRunAgain(t *testing.T) {
	t.Parallel()
	one, other := failedScenario(), failedScenario()
	other.Line = 19
	const places = "features/telemetry/readings.feature:7 features/telemetry/readings.feature:19"
	for _, c := range []struct {
		options features.Options
		failed  []report.Scenario
		want    string
	}{
		{features.Options{OutDir: featuresFolder}, nil, ""},
		{features.Options{OutDir: featuresFolder}, []report.Scenario{one},
			"Run it again: tabletop features features/telemetry/readings.feature:7\n"},
		{features.Options{OutDir: featuresFolder, Target: "dynamodb-local"}, []report.Scenario{one, other},
			"Run them again: tabletop features --target dynamodb-local --failed\n"},
		{features.Options{OutDir: "my reports", Target: "aws", Open: targets.Options{SpendAllowed: true}},
			[]report.Scenario{one, other},
			"Run them again: tabletop features --target aws --yes-spend --report 'my reports' --failed\n"},
		{features.Options{Target: "dynamodb-local", Open: targets.Options{Image: "other:1"}}, []report.Scenario{one, other},
			"Run them again: tabletop features --target dynamodb-local --image other:1 --report '' " + places + "\n"},
	} {
		var out strings.Builder
		passed := report.Scenario{System: "kefir", File: "a.feature", Outcome: report.Passed}
		printFailed(&out, features.Summary{Run: report.Run{Scenarios: append(c.failed, passed)}}, rerunOf(c.options))
		if !strings.HasSuffix(out.String(), c.want) || strings.Count(out.String(), "FAIL  ") != len(c.failed) ||
			c.want == "" && out.Len() > 0 {
			t.Errorf("%s\nwant %s", out.String(), c.want)
		}
	}
}
