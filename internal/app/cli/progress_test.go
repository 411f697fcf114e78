package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/loadtest"
)

// TestLoadtestProgressForPrograms checks that --progress json writes only lines of JSON, which count all requests, and
// that their points add up to them.
func TestLoadtestProgressForPrograms(t *testing.T) {
	t.Parallel()
	got := runCommand(t.Context(), nil, "loadtest", "run", "PE-L2", "--duration", "1s", "--shared-machine",
		"--progress", "json", "--report", t.TempDir())
	if got.status != 0 {
		t.Fatalf("%+v", got)
	}
	var last loadtest.Progress
	points := map[float64]float64{} // requests by time
	for line := range strings.Lines(got.stderr) {
		last = loadtest.Progress{}
		if err := json.Unmarshal([]byte(line), &last); err != nil || last.Profile != "PE-L2" {
			t.Fatalf("%s: %v", line, err)
		}
		for _, s := range last.Series {
			points[s.At] = s.Sent * 0.05 // the run has 20 points
		}
	}
	var sum float64
	for _, requests := range points {
		sum += requests
	}
	if last.Phase != loadtest.Attacking || last.Requests == 0 || last.P90 <= 0 || last.P90 > last.P99 ||
		int64(sum+0.5) != last.Requests {
		t.Errorf("%v requests in the points, %+v", sum, last)
	}
}

func TestUnknownProgressFormatIsRefused(t *testing.T) {
	t.Parallel()
	wantRefusal(t, runCommand(t.Context(), nil, "loadtest", "run", "PE-L2", "--progress", "xml"),
		`--progress "xml": use text or json`)
}
