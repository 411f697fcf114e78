package applicants_test

import (
	"testing"

	"github.com/tabletop-db/tabletop/simulators/applicants"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
	"github.com/tabletop-db/tabletop/simulators/simenv/simenvtest"
)

// TestShardsMakeOneSimulation checks that the applicants of three shards together do what those of one run do. Each
// shard rotates the key of its own backend once, and searches its own table and folder.
func TestShardsMakeOneSimulation(t *testing.T) {
	t.Parallel()
	perBackend := []string{"rotations of the contact data key", "table scans without contact data in clear text",
		"final table scans with only audit trail and keys", "upload folders without files left"}
	whole, merged := simenvtest.CheckShards(t, func(s sim.Shard) (sim.Result, error) {
		return applicants.Run(t.Context(), applicants.Config{
			Config: simenv.Config{Seed: 4, ResponseLossRate: 0.1, Shard: s}, Applicants: 9, Clients: 3,
		})
	}, perBackend...)
	for _, name := range perBackend {
		if one, all := simenvtest.Counts(whole)[name], simenvtest.Counts(merged)[name]; one != 1 || all != 3 {
			t.Errorf("%d and %d %s", one, all, name)
		}
	}
	if !merged.To.Equal(whole.To) {
		t.Errorf("until %v, and the shards until %v", whole.To, merged.To)
	}
}
