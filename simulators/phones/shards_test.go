package phones_test

import (
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/simulators/phones"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
	"github.com/tabletop-db/tabletop/simulators/simenv/simenvtest"
)

// TestShardsMakeOneSimulation checks that three shards together do what one run does, apart from who wins a race, as in
// TestRunIsRepeatable.
func TestShardsMakeOneSimulation(t *testing.T) {
	t.Parallel()
	whole, merged := simenvtest.CheckShards(t, func(s sim.Shard) (sim.Result, error) {
		return phones.Run(t.Context(), phones.Config{Config: simenv.Config{Seed: 4, ResponseLossRate: 0.1, Shard: s},
			Users: 6, Duration: 10 * 24 * time.Hour})
	}, "registrations of new devices", "device refreshes", "pushes delivered once")
	if merged.Requests != whole.Requests || merged.ResponsesLost != whole.ResponsesLost || !merged.To.Equal(whole.To) {
		t.Errorf("whole %+v, merged %+v", whole, merged)
	}
}
