package store

import (
	"context"
	"sync"
	"sync/atomic"
)

// stripes is the number of stripes of a store's latches, a power of two; they take 10 KB in all.
const (
	stripes    = 1 << stripeBits
	stripeBits = 8
)

// stripeOf returns the stripe of a key's hash: its highest bits.
func stripeOf(hash uint64) int { return int(hash >> (64 - stripeBits)) }

// latchTable holds the latches of a store's keys. There is one latch for each key, because a latch may be held for
// long, as when a condition is tested on a large item. Latches are locked in ascending order of hashes, which prevents
// deadlocks.
type latchTable [stripes]stripe

// A stripe holds the latches of the keys that are held or waited for now and whose hashes begin with the same bits. Its
// mutex is held only to search them: there are none or one, most of the time.
type stripe struct {
	mu      sync.Mutex
	latches []*keyLatch  // in no order; the capacity beyond the length holds unused ones
	watched atomic.Int32 // number of watches of its keys; it grows only while their latches are held
}

// lock locks the latches of hashes, which are in ascending order, or none if ctx is done first.
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

// join returns the latch of a key and counts the caller as its user.
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

// spare appends an unused latch. s.mu must be held.
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

// part stops counting the caller as a user, and moves an unused latch beyond the length. s.mu must be held.
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
