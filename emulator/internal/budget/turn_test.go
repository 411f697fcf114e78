package budget

import (
	"context"
	"sync"
	"testing"
	"time"
)

// occupied returns a pool whose turns are all taken, and a budget that has one of them.
func occupied(t *testing.T) (*Pool, *Budget) {
	t.Helper()
	pool := NewPool(1)
	var last *Budget
	for range cap(pool.turns) {
		last = New(t.Context(), Limits{Pool: pool})
		if last.TakeTurn(); !last.hasTurn {
			t.Fatal("a turn that nobody has was not given")
		}
	}
	return pool, last
}

// TestTurnPassesToTheNextWaiter makes a request wait for a turn until another ends its turn, or closes.
func TestTurnPassesToTheNextWaiter(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*Budget){"EndTurn": (*Budget).EndTurn, "Close": (*Budget).Close} {
		pool, had := occupied(t)
		next := New(t.Context(), Limits{Pool: pool})
		taken := make(chan struct{})
		go func() {
			defer close(taken)
			next.TakeTurn()
		}()
		end(had)
		if <-taken; !next.hasTurn || had.hasTurn {
			t.Errorf("%s: the next request has a turn: %v, the one before: %v", name, next.hasTurn, had.hasTurn)
		}
	}
}

// TestALongRequestWaitsForItsTurn steps a request past its slice: a short one takes no turn, a long one does, also in
// the middle of its work.
func TestALongRequestWaitsForItsTurn(t *testing.T) {
	t.Parallel()
	pool := NewPool(1)
	b := New(t.Context(), Limits{Pool: pool})
	if err := b.Step(checkEvery); err != nil || b.hasTurn {
		t.Fatalf("at its first look: %v, it has a turn: %v", err, b.hasTurn)
	}
	for !b.hasTurn {
		if err := b.Step(checkEvery); err != nil {
			t.Fatal(err)
		}
	}
	if b.Close(); b.hasTurn || len(pool.turns) != 0 {
		t.Errorf("%d turns are left taken", len(pool.turns))
	}
}

// TestWaitingForATurnTimesOut takes all turns forever: steps continue without one, and a wait ends with its request.
func TestWaitingForATurnTimesOut(t *testing.T) {
	t.Parallel()
	pool, _ := occupied(t)
	b := New(t.Context(), Limits{Pool: pool})
	b.since = time.Now().Add(-timeSlice)
	if err := b.Step(checkEvery); err != nil || b.hasTurn {
		t.Errorf("%v, it has a turn: %v", err, b.hasTurn)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	gone := New(ctx, Limits{Pool: pool})
	if gone.TakeTurn(); gone.hasTurn {
		t.Error("a request that has ended took a turn")
	}
}

// TestManyLongRequestsShareTheTurns runs many long requests: each ends, and all turns are free again.
func TestManyLongRequestsShareTheTurns(t *testing.T) {
	t.Parallel()
	pool := NewPool(1)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			b := New(context.Background(), Limits{Pool: pool})
			defer b.Close()
			for range 20 {
				b.since = time.Now().Add(-timeSlice)
				b.Yield()
				if len(pool.turns) > cap(pool.turns) {
					t.Errorf("%d turns of %d are taken", len(pool.turns), cap(pool.turns))
				}
			}
		})
	}
	if group.Wait(); len(pool.turns) != 0 {
		t.Errorf("%d turns are left taken", len(pool.turns))
	}
}
