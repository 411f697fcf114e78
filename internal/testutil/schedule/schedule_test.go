package schedule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/internal/testutil/schedule"
)

// TestSeedDeterminesTheInterleaving runs workers that record when they run: one seed always gives the same order, and
// many seeds give many orders.
func TestSeedDeterminesTheInterleaving(t *testing.T) {
	t.Parallel()
	order := func(seed uint64) string {
		var steps []string
		schedule.Run(t, seed, func(*testing.T) (workers []schedule.Worker) {
			for w := range 3 {
				workers = append(workers, func(yield func()) {
					for step := range 3 {
						steps = append(steps, fmt.Sprint(w, step))
						yield()
					}
				})
			}
			return workers
		})
		return strings.Join(steps, " ")
	}
	seen := map[string]bool{}
	for seed := range uint64(30) {
		first := order(seed)
		if again := order(seed); first != again {
			t.Errorf("seed %d runs %s, and again %s", seed, first, again)
		}
		seen[first] = true
	}
	if len(seen) < 20 {
		t.Errorf("30 seeds give %d orders", len(seen))
	}
}

// TestWorkersMayWaitForEachOther makes a worker wait for a channel that another one closes.
func TestWorkersMayWaitForEachOther(t *testing.T) {
	t.Parallel()
	for seed := range uint64(10) {
		done := 0
		schedule.Run(t, seed, func(*testing.T) []schedule.Worker {
			ready := make(chan struct{})
			return []schedule.Worker{
				func(yield func()) { <-ready; yield(); done++ },
				func(yield func()) { yield(); close(ready); yield(); done++ },
			}
		})
		if done != 2 {
			t.Errorf("seed %d: %d workers ended", seed, done)
		}
	}
}
