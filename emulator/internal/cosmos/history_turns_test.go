package cosmos

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// newTurnsTest returns a container with items in memory, and the pool of its service, which pause looks at in each
// update.
func newTurnsTest(t *testing.T, pause func(*budget.Pool)) (*killedRestore, *budget.Pool) {
	h, pool := &killedRestore{t: t, operation: "Restore"}, budget.NewPool(budget.DefaultPool)
	var err error
	if h.store, err = store.Open(store.Options{Pause: func() { pause(pool) }}); err != nil {
		t.Fatal(err)
	}
	if h.service, err = New(Config{Store: h.store, Clock: clock.Manual(time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)),
		Pool: pool, Seed: 1, ContinuousBackup: 7 * 24 * time.Hour}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.stop)
	h.service.histories.WriteBatch = 2
	h.expect("POST", "/dbs", `{"id":"db"}`, http.StatusCreated)
	h.expect("POST", "/dbs/db/colls", `{"id":"c","partitionKey":{"paths":["/id"],"kind":"Hash","version":2}}`,
		http.StatusCreated)
	for n := range killedItems {
		h.expect("POST", "/dbs/db/colls/c/docs", fmt.Sprintf(`{"id":"%d"}`, n), http.StatusCreated)
	}
	return h, pool
}

// TestWorkOnMuchDataTakesTurns looks at such work in its updates of the store: it has one of the turns that long
// requests share, so that it leaves a processor to other clients.
func TestWorkOnMuchDataTakesTurns(t *testing.T) {
	t.Parallel()
	var inTurns atomic.Int64
	h, pool := newTurnsTest(t, func(pool *budget.Pool) { inTurns.Add(int64(pool.Turns())) })
	h.service.MinIndexedItems = 1
	x, batches := &busyService{b: t, service: h.service}, int64(killedItems/h.service.histories.WriteBatch)
	for _, c := range []struct {
		name  string
		steps int64
		run   func()
	}{
		{"a restore", batches, func() { x.history("Restore", `{"Database":"db","Container":"c","NewContainer":"restored"}`) }},
		{"a clone", batches, func() { x.history("Clone", `{"Database":"db","Container":"c","NewContainer":"cloned"}`) }},
		{"the build of an index", 1, func() {
			x.post("/dbs/db/colls/c/docs", `{"query":"SELECT c.id FROM c WHERE c.n = 5"}`, "", http.StatusOK)
		}},
		{"a deletion", 1, func() { x.post("/dbs/db/colls/c/operations/partitionkeydelete", "", "1", http.StatusOK) }},
	} {
		inTurns.Store(0)
		if c.run(); inTurns.Load() < c.steps || pool.Turns() != 0 {
			t.Errorf("%s: seen %d times with a turn in %d steps, %d turns are left", c.name, inTurns.Load(), c.steps,
				pool.Turns())
		}
	}
}

// TestOneRestoreWritesAtATime holds a restore in its first write: another one waits for it, and leaves nothing when its
// client leaves.
func TestOneRestoreWritesAtATime(t *testing.T) {
	t.Parallel()
	var pauses atomic.Int64
	var hold atomic.Bool
	held, released := make(chan struct{}), make(chan struct{})
	release := sync.OnceFunc(func() { close(released) })
	h, _ := newTurnsTest(t, func(pool *budget.Pool) {
		if pauses.Add(1); pool.Turns() > 0 && hold.CompareAndSwap(true, false) {
			close(held)
			<-released
		}
	})
	t.Cleanup(release) // also if the test fails
	hold.Store(true)
	first := make(chan int, 1)
	go func() {
		status, _ := h.restore()
		first <- status
	}()
	<-held
	pauses.Store(0)
	ctx, cancel := context.WithCancel(t.Context())
	second := make(chan int, 1)
	go func() {
		status, _ := h.restoreAs(ctx, "other")
		second <- status
	}()
	await.True(t, "the container of the second restore", func() bool { return pauses.Load() >= 3 })
	cancel()
	await.Return(t, "a restore that waits, whose client left", func() {
		if status := <-second; status == http.StatusOK {
			t.Error("a restore whose client left succeeded")
		}
	})
	h.expect("GET", "/dbs/db/colls/other", "", http.StatusNotFound)
	release()
	if status := <-first; status != http.StatusOK {
		t.Errorf("the first restore: %d", status)
	}
}

// TestAPanicReleasesWhatReadersOfTheHistoryWaitFor panics in the commit of a transaction that runs scripts, and makes
// another write: readers of the history see it.
func TestAPanicReleasesWhatReadersOfTheHistoryWaitFor(t *testing.T) {
	t.Parallel()
	h, _ := newTurnsTest(t, func(*budget.Pool) {})
	c := h.service.Catalog.Container("db", "c")
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the commit did not panic")
			}
		}()
		_, _ = c.WriteOptimistic(t.Context(), doc.PartitionKey{doc.String("a")}, func(own *engine.Transaction) *wire.Error {
			own.Changes = append(own.Changes, nil)
			return nil
		})
	}()
	h.expect("POST", "/dbs/db/colls/c/docs", `{"id":"after"}`, http.StatusCreated)
	if tip := c.History.Tip(); c.History.Floor() < tip {
		t.Errorf("the history stops at %d of %d", c.History.Floor(), tip)
	}
}
