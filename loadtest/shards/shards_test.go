package shards_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/loadtest/shards"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

func config(dir string, k, of int) shards.Config {
	return shards.Config{Dir: dir, Shard: sim.Shard{Number: k, Of: of}, Wait: time.Minute,
		StartIn: time.Second, Poll: time.Millisecond}
}

// TestShardsStartTogether runs three shards of a run: they learn of the population, start at the same moment, and the
// first ends last. Their clock stands still while one of them works, so that none learns of the start too late.
func TestShardsStartTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		var all errgroup.Group
		starts := make([]time.Time, 3)
		for range 3 {
			all.Go(func() error { return takePart(t, dir, starts) })
		}
		if err := errors.Join(shards.AwaitEnd(t.Context(), config(dir, 0, 0)), all.Wait()); err != nil {
			t.Fatal(err)
		}
		if !starts[0].Equal(starts[1]) || !starts[0].Equal(starts[2]) || time.Now().Before(starts[0]) {
			t.Errorf("starts %v", starts)
		}
		found, err := filepath.Glob(filepath.Join(dir, shards.Results))
		if err != nil || len(found) != 3 {
			t.Errorf("results %v, %v", found, err)
		}
		for _, s := range []sim.Shard{{Of: 3}, {Number: 2, Of: 3}} {
			if _, err := shards.Claim(dir, s); err == nil || !strings.Contains(err.Error(), "use an empty folder") {
				t.Errorf("a second run in the folder: %v", err)
			}
		}
	})
}

// takePart is a shard of a run of three, from its claim to its end. It notes when it started.
func takePart(t *testing.T, dir string, starts []time.Time) error {
	s, err := shards.Claim(dir, sim.Shard{Of: 3})
	if err != nil {
		return err
	}
	g := shards.Open(config(dir, s.Number, 3), "TL-L1")
	if s.Leads() {
		g.Run = shards.Run{ID: "run", Population: []byte(`["d1"]`)}
		err = g.Publish()
	} else if err = g.Join(t.Context()); err == nil && string(g.Run.Population) != `["d1"]` {
		err = errors.New("another population")
	}
	if err != nil {
		return err
	}
	if err := g.Ready(t.Context()); err != nil {
		return err
	}
	if starts[s.Number-1], err = g.Start(t.Context()); err != nil {
		return err
	}
	if s.Leads() {
		err = g.AwaitOthers(t.Context())
	}
	return errors.Join(err, g.Finish("measured"), shards.End(dir, s, nil))
}

// TestShardsThatCannotTakePart checks the message when a shard fails, is missing, differs, or learns of the start late.
func TestShardsThatCannotTakePart(t *testing.T) {
	t.Parallel()
	check := func(err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	dir := t.TempDir()
	hasty := config(dir, 2, 2)
	hasty.Wait = 5 * time.Millisecond
	check(shards.Open(hasty, "A-L1").Join(t.Context()), "shard 1 has not prepared the run: waited for 5ms: check that all")
	check(shards.AwaitEnd(t.Context(), hasty), "no shard has started: waited for 5ms")

	first := shards.Open(config(dir, 1, 2), "A-L1")
	if err := first.Publish(); err != nil {
		t.Fatal(err)
	}
	check(shards.Open(config(dir, 3, 3), "A-L1").Join(t.Context()), "shard 1 runs with 2 shards, this one with 3")
	shards.Open(config(dir, 2, 2), "A-L1").Fail(errors.New("no database"))
	check(first.Ready(t.Context()), "shard 2 is not ready: shard 2 failed: no database")

	past := []byte(`{"at":"2020-01-01T00:00:00Z"}`)
	if err := os.WriteFile(filepath.Join(dir, "B-L1.start.json"), past, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := shards.Open(config(dir, 2, 2), "B-L1").Start(t.Context())
	check(err, "before this shard learned of it: increase --start-in")

	s, err := shards.Claim(dir, sim.Shard{Number: 1, Of: 1})
	if err != nil || shards.End(dir, s, errors.New("limit reached")) != nil {
		t.Fatal(err)
	}
	check(shards.AwaitEnd(t.Context(), config(dir, 0, 0)), "shard 1/1 failed: limit reached")
}
