package store

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"
)

// A keyLatch is a mutex whose waits end with their request. Like sync.Mutex, a newcomer may take it as soon as it is
// free, which is fast, until a waiter has waited for starvingAfter: then it goes to the waiters in their order.
type keyLatch struct {
	hash  uint64       // of its key
	users int          // number of holders and waiters; guarded by its stripe
	state atomic.Int32 // held and starving, plus waiting times the number of waiters
	wake  atomic.Pointer[chan struct{}]
}

// The parts of a latch's state.
const (
	held     = 1
	starving = 2
	waiting  = 4
)

// starvingAfter is the wait after which a latch goes to its waiters in order, as in sync.Mutex.
const starvingAfter = time.Millisecond

// latchSpins is how often a newcomer yields before it waits: most latches are held for microseconds.
const latchSpins = 2

func (l *keyLatch) lock(ctx context.Context) error {
	if l.state.CompareAndSwap(0, held) {
		return nil
	}
	for range latchSpins {
		if state := l.state.Load(); state&(held|starving) == 0 && l.state.CompareAndSwap(state, state|held) {
			return nil
		}
		runtime.Gosched()
	}
	l.state.Add(waiting)
	return l.wait(ctx)
}

// wait takes the latch for a goroutine that is counted as waiting.
func (l *keyLatch) wait(ctx context.Context) error {
	wake, since, woken := l.waker(), time.Now(), false
	for {
		state := l.state.Load()
		long := time.Since(since) > starvingAfter
		switch {
		case state&held == 0 && (woken || state&starving == 0):
			next := (state - waiting) | held
			if !long || next < waiting {
				next &^= starving
			}
			if l.state.CompareAndSwap(state, next) {
				return nil
			}
			continue
		case long && state&starving == 0:
			l.state.CompareAndSwap(state, state|starving)
			continue
		}
		select {
		case <-wake:
			woken = true
		case <-ctx.Done():
			l.giveUp()
			return context.Cause(ctx)
		}
	}
}

// giveUp stops counting the caller as waiting. The last waiter also clears starving.
func (l *keyLatch) giveUp() {
	for {
		state := l.state.Load()
		next := state - waiting
		if next < waiting {
			next &^= starving
		}
		if l.state.CompareAndSwap(state, next) {
			return
		}
	}
}

// unlock frees the latch and wakes one waiter. A pending wake-up is not sent twice.
func (l *keyLatch) unlock() {
	if l.state.Add(-held) < waiting {
		return
	}
	select {
	case l.waker() <- struct{}{}:
	default:
	}
}

// waker returns the channel that wakes waiters. Most latches never need one.
func (l *keyLatch) waker() chan struct{} {
	if wake := l.wake.Load(); wake != nil {
		return *wake
	}
	wake := make(chan struct{}, 1)
	if l.wake.CompareAndSwap(nil, &wake) {
		return wake
	}
	return *l.wake.Load()
}
