package usage

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/internal/model/heatmap"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// minute returns the load of one minute on two partitions and two keys.
func minute(scale float64, throttled uint32) heatmap.Minute {
	return heatmap.Minute{
		At: time.Unix(0, 0),
		Partitions: []heatmap.PartitionLoad{{ID: 1, Read: 300 * scale, Write: 500 * scale, Throttled: throttled},
			{ID: 2, Read: 100 * scale}},
		Keys: []heatmap.KeyLoad{{Key: "hot", Read: 200 * scale, Write: 400 * scale}, {Key: "warm", Read: 100 * scale}},
	}
}

// TestHeatExcludesThePopulation checks that the heat of an attack excludes the load of creating the population.
func TestHeatExcludesThePopulation(t *testing.T) {
	t.Parallel()
	answers := [][]heatmap.Table{
		{{Resource: "a", Partitions: []heatmap.Partition{{ID: 1}, {ID: 2}}, Minutes: []heatmap.Minute{minute(1, 0)}}},
		{{Resource: "a", Partitions: []heatmap.Partition{{ID: 1}, {ID: 2}}, Minutes: []heatmap.Minute{minute(2, 3)}},
			{Resource: "idle"}},
	}
	ask := func(context.Context) (t []heatmap.Table, err error) {
		t, answers = answers[0], answers[1:]
		return t, nil
	}
	before, err := ReadHeat(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	after, err := ReadHeat(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	want := []result.Heat{{Resource: "a", Partitions: 2, Reads: 400, Writes: 500, ReadsPerSecond: 400,
		WritesPerSecond: 500, Utilization: 0.5, HottestKey: "hot", KeyShare: 600.0 / 900, Throttled: 3}}
	if diff := cmp.Diff(want, after.Since(before)); diff != "" {
		t.Error(diff)
	}
}

// TestHeatOfUnlistedKey checks that a key that was not listed before is assumed to have had as much load as
// the last listed one.
func TestHeatOfUnlistedKey(t *testing.T) {
	t.Parallel()
	m := minute(1, 0)
	for len(m.Keys) < listedKeys {
		m.Keys = append(m.Keys, heatmap.KeyLoad{Key: string(rune('a' + len(m.Keys))), Write: 50})
	}
	before := &resourceLoad{partitions: map[uint32]unitSum{}, keys: map[keyInMinute]unitSum{}, minutes: map[int64]bool{}}
	before.add(m)
	now := &resourceLoad{partitions: map[uint32]unitSum{1: {reads: 300, writes: 1500}, 2: {reads: 100}},
		keys: map[keyInMinute]unitSum{{0, "new"}: {writes: 80}}, minutes: before.minutes}
	got := Load{"a": now}.Since(Load{"a": before})
	if got[0].HottestKey != "new" || got[0].KeyShare != 0.03 || got[0].KeyUnknown {
		t.Errorf("%+v", got)
	}
	now.keys[keyInMinute{0, "new"}] = unitSum{writes: 50}
	if got = (Load{"a": now}).Since(Load{"a": before}); got[0].KeyShare != 0 || !got[0].KeyUnknown {
		t.Errorf("a key that may have had all its units before: %+v", got)
	}
	now.keys[keyInMinute{60, "new"}] = unitSum{writes: 40}
	if got = (Load{"a": now}).Since(Load{"a": before}); got[0].KeyShare != 0.04 || got[0].KeyUnknown {
		t.Errorf("a key with units in the minute after: %+v", got)
	}
	now.keys = nil
	before.unlisted = 0
	if got = (Load{"a": now}).Since(Load{"a": before}); got[0].KeyShare != 0 || got[0].KeyUnknown {
		t.Errorf("a table without keys is not one whose keys are hidden: %+v", got)
	}
}

// TestHeatOfALongRunIsUnknown checks that there is no heat if the emulator no longer lists a minute from before the
// attack, because it may no longer list one of the attack either.
func TestHeatOfALongRunIsUnknown(t *testing.T) {
	t.Parallel()
	read := func(minutes ...heatmap.Minute) Load {
		load, err := ReadHeat(t.Context(), func(context.Context) ([]heatmap.Table, error) {
			return []heatmap.Table{{Resource: "a", Minutes: minutes}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return load
	}
	first, second := minute(1, 0), minute(1, 3)
	second.At = time.Unix(60, 0)
	if got := read(first, second).Since(read(first)); len(got) != 1 || got[0].Writes != 500 || got[0].Throttled != 3 {
		t.Errorf("with all minutes: %+v", got)
	}
	if got := read(second).Since(read(first)); got != nil {
		t.Errorf("without the first minute: %+v", got)
	}
}
