package fleet_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/simulators/fleet"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi/telemetrytest"
)

// TestShardsMakeOneFleet runs a fleet and the same fleet in three shards: the merged result is that of the fleet.
func TestShardsMakeOneFleet(t *testing.T) {
	t.Parallel()
	want, err := fleet.Run(t.Context(), oneDayConfig(telemetrytest.Start(t)))
	if err != nil {
		t.Fatal(err)
	}
	b := telemetrytest.Start(t)
	var parts []fleet.Result
	for _, k := range []int{2, 3, 1} {
		cfg := oneDayConfig(b)
		cfg.Shard = sim.Shard{Number: k, Of: 3}
		res, err := fleet.Run(t.Context(), cfg)
		if err != nil || res.Err() != nil || res.Made == 0 {
			t.Fatalf("shard %d: %v, %v, %+v", k, err, res.Err(), res)
		}
		parts = append(parts, res)
	}
	got, err := fleet.Merge(parts)
	want.WallSeconds, got.WallSeconds = 0, 0
	want.Requests += 2 // each shard creates an API key of its own
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v: %s", err, diff)
	}
	another := parts[0]
	another.Seed++
	for _, c := range []struct {
		parts []fleet.Result
		want  string
	}{
		{nil, "no results"}, {parts[:2], "shard 1/3 of fleet is missing"},
		{[]fleet.Result{parts[0], parts[1], parts[1]}, "shard 3/3 of fleet is there twice"},
		{[]fleet.Result{parts[2], another}, "shard 1/3 has --seed 7, and shard 2/3 has 8"},
		{[]fleet.Result{want}, "a whole simulation"},
	} {
		if _, err := fleet.Merge(c.parts); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
