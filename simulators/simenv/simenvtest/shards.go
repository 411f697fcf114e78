package simenvtest

import (
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// shards is the number of shards of CheckShards.
const shards = 3

// CheckShards runs a simulation, and the same simulation in three shards, each with a backend of its own. It checks
// that the merged result is that of the whole simulation, except for the lines that differ between two backends or two
// runs, and returns both results.
func CheckShards(t *testing.T, run func(sim.Shard) (sim.Result, error), differ ...string) (whole, merged sim.Result) {
	t.Helper()
	results, errs := make([]sim.Result, shards+1), make([]error, shards+1)
	var all sync.WaitGroup
	for k := range results {
		all.Go(func() {
			s := sim.Shard{Number: k, Of: shards}
			if k == 0 {
				s = sim.Shard{}
			}
			results[k], errs[k] = run(s)
		})
	}
	all.Wait()
	for k, res := range results {
		if errs[k] != nil || res.Err() != nil || len(res.Participants) == 0 || res.Participants[0].N == 0 {
			LogResult(t, res)
			t.Fatalf("shard %d: %v, %v", k, errs[k], res.Err())
		}
	}
	whole = results[0]
	merged, err := sim.MergeResults([]sim.Result{results[2], results[3], results[1]})
	if err != nil || merged.Err() != nil {
		t.Fatalf("%v, %v", err, merged.Err())
	}
	differs := func(c sim.Count) bool { return slices.Contains(differ, c.Name) }
	for _, of := range []func(sim.Result) []sim.Count{
		func(r sim.Result) []sim.Count { return r.Participants },
		func(r sim.Result) []sim.Count { return slices.DeleteFunc(slices.Clone(r.Actions), differs) },
		func(r sim.Result) []sim.Count { return slices.DeleteFunc(slices.Clone(r.Checks), differs) },
	} {
		if diff := cmp.Diff(of(whole), of(merged)); diff != "" {
			t.Errorf("whole and merged: %s", diff)
		}
	}
	if whole.Simulation != merged.Simulation || whole.Invariants != merged.Invariants || merged.Shard != (sim.Shard{}) {
		t.Errorf("whole %+v, merged %+v", whole.Run, merged.Run)
	}
	return whole, merged
}
