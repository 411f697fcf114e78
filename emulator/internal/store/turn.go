package store

import (
	"context"
	"sync"
)

// turns lets optimistic updates of one key run one after the other, in the order in which they came. They hold up
// nobody else.
type turns struct {
	mu  sync.Mutex
	all map[uint64]*turn // by the hashes of keys
}

type turn struct {
	taken chan struct{} // holds a value while somebody has the turn
	users int           // how many have it or wait for it
}

// take waits for the turn at each key, in the order of their hashes, for turnFor at most in all. Errors: ErrConflict
// after that time, and the cause of the context's end.
func (ts *turns) take(ctx context.Context, hashes []uint64) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	limited := false // the time is only counted where somebody else has a turn, which is seldom
	for i, hash := range hashes {
		t := ts.join(hash)
		select {
		case t.taken <- struct{}{}: // those who wait come first: their turn is handed to them
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

// part counts one out, and returns the turn.
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
