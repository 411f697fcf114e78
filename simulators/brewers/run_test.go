package brewers_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/simulators/brewers"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// sixDayConfig returns the configuration of a few brewers for six days with many lost responses.
func sixDayConfig() brewers.Config {
	return brewers.Config{
		Config: simenv.Config{Seed: 1, ResponseLossRate: 0.1}, Brewers: 6, Duration: 6 * 24 * time.Hour, Schedulers: 3,
	}
}

func TestRunFindsNoFaults(t *testing.T) {
	t.Parallel()
	res, err := brewers.Run(t.Context(), sixDayConfig())
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Err(); err != nil {
		t.Error(err, res.Faults)
	}
	for _, c := range append(res.Actions, res.Checks...) {
		if c.N == 0 && !c.Fault && c.Name != "batches unshared" {
			t.Errorf("six days have no %s", c.Name)
		}
	}
	if res.ResponsesLost == 0 {
		t.Error("no answers were lost")
	}
}

// Two runs with the same seed differ only in who won a race: a reminder that is cancelled as it falls due is sent or
// not.
func TestRunIsRepeatable(t *testing.T) {
	t.Parallel()
	var results [2]sim.Result
	for i := range results {
		cfg := sixDayConfig()
		cfg.Brewers, cfg.Duration = 3, 3*24*time.Hour
		res, err := brewers.Run(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		results[i] = res
	}
	if diff := cmp.Diff(results[0].Actions, results[1].Actions); diff != "" {
		t.Error(diff)
	}
	raced := cmp.FilterValues(func(a, b sim.Count) bool {
		return strings.HasPrefix(a.Name, "push messages")
	}, cmp.Ignore())
	if diff := cmp.Diff(results[0].Checks, results[1].Checks, raced); diff != "" {
		t.Error(diff)
	}
}
