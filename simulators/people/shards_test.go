package people_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/simulators/people"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
	"github.com/tabletop-db/tabletop/simulators/simenv/simenvtest"
)

// TestShardsMakeOneSimulation checks that the people of three shards together do what those of one run do. The workers
// and the push services of each shard differ, so that events end otherwise; but each ends.
func TestShardsMakeOneSimulation(t *testing.T) {
	t.Parallel()
	const ended = "events ended as "
	whole, merged := simenvtest.CheckShards(t, func(s sim.Shard) (sim.Result, error) {
		return people.Run(t.Context(), people.Config{Config: simenv.Config{Seed: 5, ResponseLossRate: 0.1, Shard: s},
			People: 15, Duration: 2 * 24 * time.Hour})
	}, "worker rounds (query)", "worker rounds (change feed)", "failed attempts", ended+"COMPLETED", ended+"FAILED",
		ended+"DEDUPLICATED", ended+"RATE_LIMITED", "events completed silently (category off)", "notifications as expected",
		"required pushes delivered", "pushes delivered once, outside quiet hours or urgent", "active devices as expected")
	final := func(r sim.Result) (n int64) {
		for name, count := range simenvtest.Counts(r) {
			if strings.HasPrefix(name, ended) {
				n += count
			}
		}
		return n
	}
	if final(whole) == 0 || final(merged) != final(whole) || merged.ResponsesLost != whole.ResponsesLost {
		t.Errorf("whole %+v, merged %+v", whole, merged)
	}
}
