package store

import (
	"context"
	"sync"
)

// turns lets optimistic updates of one key run one after the other, in the order in which they came. They hold up nobody
// else.
type turns struct {
	mu  sync.Mutex
	all map[uint64]*turn // by the hashes of keys
}

type turn struct {
	taken chan struct{} // holds a value while somebody has the turn
	users int           // how many have it or wait for it
}

// take waits for the turn at each key, in the order of their hashes.
func (ts *turns) take(ctx context.Context, hashes []uint64) error {
	for i, hash := range hashes {
		select {
		case ts.join(hash).taken <- struct{}{}:
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
