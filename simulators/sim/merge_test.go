package sim_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// shardResult returns the result of a shard of a cellar of 20 jars.
func shardResult(k, of int) sim.Result {
	return sim.Result{
		Run: sim.Run{
			Simulator: "cellar", Shard: sim.Shard{Number: k, Of: of}, Settings: sim.Settings{"jars": "20"}, Seed: 3,
			From: start(), To: start().Add(time.Duration(k) * time.Hour), WallSeconds: float64(k), Requests: 10,
			ResponsesLost: 1, Reconciled: true, Invariants: 6, Faults: []string{"lost: jar"},
		},
		Participants: sim.Participants{{Name: "jars", N: 10}, {Name: "lids", N: 600}}, PassMessage: "every jar is there",
		Actions: []sim.Count{{Name: "jars bought", N: 2}},
		Checks:  []sim.Count{{Name: "jars as expected", N: 1}, {Name: "lost", N: int64(k), Fault: true}},
	}
}

func TestMergeAddsShards(t *testing.T) {
	t.Parallel()
	second := shardResult(2, 2)
	second.Checks = append(second.Checks, sim.Count{Name: "broken invariants", N: 1, Fault: true})
	second.Invariants = 5
	first := shardResult(1, 2)
	got, err := sim.MergeResults([]sim.Result{second, first})
	if err != nil {
		t.Fatal(err)
	}
	want := shardResult(0, 0)
	want.Simulation, want.To, want.WallSeconds, want.Invariants = "20 jars with 1,200 lids", start().Add(2*time.Hour), 2, 5
	want.Requests, want.ResponsesLost, want.Faults = 20, 2, []string{"lost: jar", "lost: jar"}
	want.Participants = sim.Participants{{Name: "jars", N: 20}, {Name: "lids", N: 1200}}
	want.Actions = []sim.Count{{Name: "jars bought", N: 4}}
	want.Checks = []sim.Count{{Name: "jars as expected", N: 2}, {Name: "lost", N: 3, Fault: true},
		{Name: "broken invariants", N: 1, Fault: true}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(shardResult(1, 2), first); diff != "" {
		t.Error("merging changed a part:", diff)
	}
}

// TestMergeRefusesOtherShards checks that each wrong set of results is refused in one line with the remedy.
func TestMergeRefusesOtherShards(t *testing.T) {
	t.Parallel()
	changed := func(k int, change func(*sim.Result)) sim.Result {
		r := shardResult(k, 2)
		change(&r)
		return r
	}
	for want, second := range map[string][]sim.Result{
		"shard 2/2 of cellar is missing: wait for it, or name its file too": nil,
		"shard 1/2 of cellar is there twice: name each file once":           {shardResult(1, 2)},
		"shard 3/2 of cellar is damaged: run it again":                      {shardResult(3, 2)},
		"shards 1/2 and 2/3 are not of one simulation: give all shards":     {shardResult(2, 3)},
		"a result is that of a whole simulation: merge only results of --":  {shardResult(0, 0)},
		"shard 1/2 is of cellar, and shard 2/2 of kitchen: merge only the": {
			changed(2, func(r *sim.Result) { r.Simulator = "kitchen" }),
		},
		"shard 1/2 has --seed 3, and shard 2/2 has 4: give all shards the same": {
			changed(2, func(r *sim.Result) { r.Seed = 4 }),
		},
		"shard 1/2 has --jars 20, and shard 2/2 has 21: give all shards the same": {
			changed(2, func(r *sim.Result) { r.Settings = sim.Settings{"jars": "21"} }),
		},
	} {
		_, err := sim.MergeResults(append([]sim.Result{shardResult(1, 2)}, second...))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := sim.MergeResults(nil); err == nil || !strings.Contains(err.Error(), "name the files") {
		t.Error(err)
	}
}

// TestAShardWithNothingToCompare checks that a shard whose people do nothing is no failure, but a simulation is.
func TestAShardWithNothingToCompare(t *testing.T) {
	t.Parallel()
	r := sim.Result{Run: sim.Run{Reconciled: true, Shard: sim.Shard{Number: 1, Of: 2}}}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	r.Shard = sim.Shard{}
	if r.Err() == nil {
		t.Error("a simulation of nothing passes")
	}
}

// TestCircles checks that each person is in one circle, whose members agree about it, and that nobody is alone.
func TestCircles(t *testing.T) {
	t.Parallel()
	for people := 2; people < 40; people++ {
		for n := range people {
			others := sim.OthersInCircle(n, people)
			if len(others) == 0 || people >= 5 && len(others) < 4 || slices.Contains(others, n) ||
				sim.CircleOf(n, people) >= sim.Circles(people) {
				t.Errorf("%d of %d people: %v", n, people, others)
			}
			for _, o := range others {
				if o >= people || sim.CircleOf(o, people) != sim.CircleOf(n, people) ||
					!slices.Contains(sim.OthersInCircle(o, people), n) {
					t.Errorf("%d of %d people: %d is not in the same circle", n, people, o)
				}
			}
		}
	}
	if sim.OthersInCircle(0, 1) != nil || sim.Circles(1) != 1 {
		t.Error("one person has others")
	}
}
