package store

import (
	"context"
	"sync"
)

// turns makes optimistic updates of one key run one after the other, in the order of their arrival. It does not delay
// other updates.
type turns struct {
	mu  sync.Mutex
	all map[uint64]*turn // by key hash
}

type turn struct {
	taken chan struct{} // holds a value while an update has the turn
	users int           // number of updates that have the turn or wait for it
}

// take waits for the turn at each key, in the order of their hashes, for up to turnFor in all. Errors: ErrConflict
// after that time, and the cause of ctx.
func (ts *turns) take(ctx context.Context, hashes []uint64) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	limited := false // the timer starts only if another update has a turn, which is rare
	for i, hash := range hashes {
		t := ts.join(hash)
		select {
		case t.taken <- struct{}{}: // waiting updates come first: a turn is handed to them
			continue
		default:
		}
		if !limited {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeoutCause(ctx, turnFor, ErrConflict)
			defer cancel()
			limited = true
		}
		select {
		case t.taken <- struct{}{}:
		case <-ctx.Done():
			ts.part(hash)
			ts.give(hashes[:i])
			return context.Cause(ctx)
		}
	}
	return nil
}

func (ts *turns) join(hash uint64) *turn {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.all[hash]
	if t == nil {
		if ts.all == nil {
			ts.all = map[uint64]*turn{}
		}
		t = &turn{taken: make(chan struct{}, 1)}
		ts.all[hash] = t
	}
	t.users++
	return t
}

// part stops counting the caller, and returns the turn.
func (ts *turns) part(hash uint64) *turn {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.all[hash]
	if t.users--; t.users == 0 {
		delete(ts.all, hash)
	}
	return t
}

// give ends the turn at each key.
func (ts *turns) give(hashes []uint64) {
	for _, hash := range hashes {
		<-ts.part(hash).taken
	}
}
