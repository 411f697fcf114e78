package brewers_test

import (
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/simulators/brewers"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
	"github.com/tabletop-db/tabletop/simulators/simenv/simenvtest"
)

// TestShardsMakeOneSimulation checks that three shards together do what one run does. Each of the three tables has an
// item of the schedulers, and a reminder that is cancelled as it falls due is sent or not.
func TestShardsMakeOneSimulation(t *testing.T) {
	t.Parallel()
	const items = "expected items in the table"
	whole, merged := simenvtest.CheckShards(t, func(s sim.Shard) (sim.Result, error) {
		return brewers.Run(t.Context(), brewers.Config{Config: simenv.Config{Seed: 1, ResponseLossRate: 0.1, Shard: s},
			Brewers: 15, Duration: 3 * 24 * time.Hour})
	}, items, "push messages as expected")
	if merged.Requests != whole.Requests || merged.ResponsesLost != whole.ResponsesLost || !merged.To.Equal(whole.To) ||
		simenvtest.Counts(merged)[items] != simenvtest.Counts(whole)[items]+2 {
		t.Errorf("whole %+v, merged %+v", whole, merged)
	}
	if simenvtest.Counts(whole)["reads of strangers' batches"] == 0 {
		t.Error("no brewer deals with another")
	}
}
