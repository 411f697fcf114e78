package store

import (
	"context"
	"sync"
	"sync/atomic"
)

// stripes is into how many parts the latches of a store are divided, a power of two; they cost 10 KB a store.
const (
	stripes    = 1 << stripeBits
	stripeBits = 8
)

// stripeOf returns the stripe of a key's hash: its highest bits.
func stripeOf(hash uint64) int { return int(hash >> (64 - stripeBits)) }

// latchTable is the latches of a store's keys. A key waits for itself alone: whoever holds a latch may hold it for
// long, as where a condition is tested on a large item. Everyone locks in the ascending order of hashes, so nobody
// waits in a circle.
type latchTable [stripes]stripe

// A stripe has the latches of the keys that are held or waited for now, of those whose hashes begin alike. Its mutex is
// held only to look through them: one or none, most of the time.
type stripe struct {
	mu      sync.Mutex
	latches []*keyLatch  // in no order; beyond the length there are some to use again
	watched atomic.Int32 // how many watches there are of its keys; it grows only while their latches are held
}

// lock locks the latches of hashes, which are in ascending order, or none where ctx is done before.
func (t *latchTable) lock(ctx context.Context, hashes []uint64) error {
	for i, hash := range hashes {
		if err := t[stripeOf(hash)].lock(ctx, hash); err != nil {
			t.unlock(hashes[:i])
			return err
		}
	}
	return nil
}

func (t *latchTable) unlock(hashes []uint64) {
	for _, hash := range hashes {
		t[stripeOf(hash)].unlock(hash)
	}
}

func (s *stripe) lock(ctx context.Context, hash uint64) error {
	l := s.join(hash)
	err := l.lock(ctx)
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.part(l)
	}
	return err
}

func (s *stripe) unlock(hash uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.latches {
		if l.hash == hash {
			l.unlock()
			s.part(l)
			return
		}
	}
}

// join counts one in who wants a key's latch.
func (s *stripe) join(hash uint64) *keyLatch {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.latches {
		if l.hash == hash {
			l.users++
			return l
		}
	}
	l := s.spare()
	l.hash, l.users = hash, 1
	return l
}

// spare adds a latch that nobody uses. mu is held.
func (s *stripe) spare() *keyLatch {
	n := len(s.latches)
	if n == cap(s.latches) {
		s.latches = append(s.latches, new(keyLatch))
		return s.latches[n]
	}
	s.latches = s.latches[:n+1]
	if s.latches[n] == nil {
		s.latches[n] = new(keyLatch)
	}
	return s.latches[n]
}

// part counts one out, and puts a latch that nobody uses any more beyond the others. mu is held.
func (s *stripe) part(l *keyLatch) {
	if l.users--; l.users > 0 {
		return
	}
	last := len(s.latches) - 1
	for i, other := range s.latches {
		if other == l {
			s.latches[i], s.latches[last] = s.latches[last], l
			s.latches = s.latches[:last]
			return
		}
	}
}
