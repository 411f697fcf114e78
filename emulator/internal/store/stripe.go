package store

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"
)

// stripes is the number of latches that all keys share, a power of two. With 16 writers on random keys two of them meet on
// a stripe by chance about once in nine moments at 1,024 stripes; they cost 16 KB a store.
const (
	stripes    = 1 << stripeBits
	stripeBits = 10
)

// stripeOf returns the stripe of a key's hash: its highest bits, so that hashes in order have stripes in order.
func stripeOf(hash uint64) int { return int(hash >> (64 - stripeBits)) }

// stripeTable is the latches of a store. Everyone locks in ascending order, so nobody waits in a circle.
type stripeTable [stripes]stripe

// lock locks the stripes of hashes in ascending order, or none where ctx is done before.
func (t *stripeTable) lock(ctx context.Context, hashes []uint64) error {
	last := -1
	for i, hash := range hashes {
		at := stripeOf(hash)
		if at == last {
			continue
		}
		if err := t[at].lock(ctx); err != nil {
			t.unlock(hashes[:i])
			return err
		}
		last = at
	}
	return nil
}

func (t *stripeTable) unlock(hashes []uint64) {
	last := -1
	for _, hash := range hashes {
		if at := stripeOf(hash); at != last {
			t[at].unlock()
			last = at
		}
	}
}

// A stripe is a mutex whose waits end with their request. Like sync.Mutex it may be taken by who comes just as it is
// free, which is fast, until somebody has waited for starvingAfter: then it goes to those who wait, in their order.
type stripe struct {
	state   atomic.Int32 // held and starving, and how often waiting: how many wait
	watched atomic.Int32 // how many watches there are of its keys; it grows only while the stripe is held
	wake    atomic.Pointer[chan struct{}]
}

// The parts of a stripe's state.
const (
	held     = 1
	starving = 2
	waiting  = 4
)

// starvingAfter is the wait after which a stripe goes by the order of those who wait, the time that sync.Mutex has.
const starvingAfter = time.Millisecond

// stripeSpins is how often a newcomer lets others run before it waits: a stripe is held for microseconds.
const stripeSpins = 2

func (s *stripe) lock(ctx context.Context) error {
	if s.state.CompareAndSwap(0, held) {
		return nil
	}
	for range stripeSpins {
		if state := s.state.Load(); state&(held|starving) == 0 && s.state.CompareAndSwap(state, state|held) {
			return nil
		}
		runtime.Gosched()
	}
	s.state.Add(waiting)
	return s.wait(ctx)
}

// wait takes the stripe for one who is counted as waiting.
func (s *stripe) wait(ctx context.Context) error {
	wake, since, woken := s.waker(), time.Now(), false
	for {
		state := s.state.Load()
		long := time.Since(since) > starvingAfter
		switch {
		case state&held == 0 && (woken || state&starving == 0):
			next := (state - waiting) | held
			if !long || next < waiting {
				next &^= starving
			}
			if s.state.CompareAndSwap(state, next) {
				return nil
			}
			continue
		case long && state&starving == 0:
			s.state.CompareAndSwap(state, state|starving)
			continue
		}
		select {
		case <-wake:
			woken = true
		case <-ctx.Done():
			s.giveUp()
			return context.Cause(ctx)
		}
	}
}

// giveUp counts one out who waited. The last one takes the order of those who wait along.
func (s *stripe) giveUp() {
	for {
		state := s.state.Load()
		next := state - waiting
		if next < waiting {
			next &^= starving
		}
		if s.state.CompareAndSwap(state, next) {
			return
		}
	}
}

// unlock frees the stripe and wakes one of those who wait. A wake-up that nobody has taken yet serves as well.
func (s *stripe) unlock() {
	if s.state.Add(-held) < waiting {
		return
	}
	select {
	case s.waker() <- struct{}{}:
	default:
	}
}

// waker returns the channel that wakes those who wait. Most stripes never need one.
func (s *stripe) waker() chan struct{} {
	if wake := s.wake.Load(); wake != nil {
		return *wake
	}
	wake := make(chan struct{}, 1)
	if s.wake.CompareAndSwap(nil, &wake) {
		return wake
	}
	return *s.wake.Load()
}
