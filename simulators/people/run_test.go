package people_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/simulators/people"
	"github.com/tabletop-db/tabletop/simulators/simenv"
	"github.com/tabletop-db/tabletop/simulators/simenv/simenvtest"
)

// TestRun simulates nine days with lost responses, and checks that everything is as expected and that each kind of line
// occurs.
func TestRun(t *testing.T) {
	t.Parallel()
	res, err := people.Run(t.Context(), people.Config{Config: simenv.Config{Seed: 5, ResponseLossRate: 0.1}, People: 8,
		Duration: 9 * 24 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Err(); err != nil {
		simenvtest.LogResult(t, res)
		t.Error(err)
	}
	for _, label := range []string{
		"time zone changes", "app removals", "events ended as COMPLETED", "events ended as RATE_LIMITED",
		"events ended as DEDUPLICATED", "worker rounds (query)",
		"worker rounds (change feed)", "failed attempts", "required pushes delivered",
	} {
		if simenvtest.Counts(res)[label] == 0 {
			simenvtest.LogResult(t, res)
			t.Fatalf("no %s", label)
		}
	}
}

// TestStopBeforeTheStart checks that a stopped run ends at once and reads back nothing, so its result is an error.
func TestStopBeforeTheStart(t *testing.T) {
	t.Parallel()
	stopped := make(chan struct{})
	close(stopped)
	res, err := people.Run(t.Context(), people.Config{Config: simenv.Config{Stop: stopped}, People: 2})
	if err != nil || simenvtest.Counts(res)["events acknowledged"] != 0 {
		simenvtest.LogResult(t, res)
		t.Fatal(err)
	}
	if err := res.Err(); err == nil || !strings.Contains(err.Error(), "found nothing to compare") {
		t.Errorf("a run of nothing ends with %v", err)
	}
}

// TestCheck checks that invalid settings are named.
func TestCheck(t *testing.T) {
	t.Parallel()
	cfgOfBackend := simenv.Config{BaseURL: "http://127.0.0.1:8080"}
	for want, cfg := range map[string]people.Config{
		"":                   {},
		"--people 1":         {People: 1},
		"--duration 1h0m0s":  {Duration: time.Hour},
		"--workers -1":       {Workers: -1},
		"no push gateway":    {Config: cfgOfBackend},
		"needs a clock":      {Config: cfgOfBackend, Gateway: "http://127.0.0.1:8090"},
		"requires --backend": {Gateway: "http://127.0.0.1:8090"},
	} {
		err := cfg.Check()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}
