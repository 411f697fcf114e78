package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/runner"
)

// TestFeaturesTrace runs the scenarios of requirements on both databases, and finds the requests of their steps in the
// progress for programs.
func TestFeaturesTrace(t *testing.T) {
	t.Parallel()
	got := runCommand(t.Context(), nil, "features", "--tags", "@TL-P1 or @NT-P1", "--trace", "--progress", "json",
		"--report", t.TempDir())
	if got.status != 0 {
		t.Fatalf("%+v", got)
	}
	var services []string
	n := 0
	for line := range strings.Lines(got.stderr) {
		var p runner.Progress
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		n++
		for _, e := range p.Scenario.Trace {
			if e.Step >= 0 && e.Status > 0 {
				services = append(services, e.Service)
			}
		}
		if p.Done != n || p.Scenario.Outcome != report.Passed || p.Total < n {
			t.Errorf("%+v", p)
		}
	}
	slices.Sort(services)
	if got := slices.Compact(services); !slices.Equal(got, []string{"api", "cosmos", "dynamodb"}) {
		t.Errorf("%d scenarios with requests to %v", n, got)
	}
}
