// Package clock is the one clock of an emulator: everything that expires, waits or stamps a time asks it, so that a test
// moves time instead of sleeping.
package clock

import (
	"container/heap"
	"fmt"
	"math"
	"sync"
	"time"
)

// Clock tells the time and runs functions when it comes. A real clock follows the machine's, plus what Advance added; a
// manual clock stands still between calls of Advance. It is safe for concurrent use.
type Clock struct {
	manual bool

	advancing sync.Mutex // held by Advance and by the timer while functions run: one after the other, in time order

	mu      sync.Mutex
	start   time.Time     // manual clocks: the time before any Advance
	offset  time.Duration // the sum of all Advances
	waiting alarms
	timer   *time.Timer // real clocks: set for the first of waiting; nil when nothing waits
	serial  uint64
}

// Real returns a clock that follows the machine's.
func Real() *Clock { return &Clock{} }

// Manual returns a clock that shows start and moves only by Advance.
func Manual(start time.Time) *Clock { return &Clock{manual: true, start: start} }

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

func (c *Clock) now() time.Time { return c.machine().Add(c.offset) }

// machine returns the time without what Advance added.
func (c *Clock) machine() time.Time {
	if c.manual {
		return c.start
	}
	return time.Now()
}

// At registers fn to run once, when the clock reaches t; a time already reached counts as now. On a manual clock fn runs
// inside Advance, on a real one inside Advance or in a goroutine of its own; no two functions run at once. fn may
// call At and Now, but not Advance. cancel removes fn if it has not begun, and may be called any number of times.
func (c *Clock) At(t time.Time, fn func()) (cancel func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.serial++
	a := &alarm{at: t, serial: c.serial, fn: fn}
	heap.Push(&c.waiting, a)
	c.rearm()
	return func() { c.cancel(a) }
}

func (c *Clock) cancel(a *alarm) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.index >= 0 {
		heap.Remove(&c.waiting, a.index)
		c.rearm()
	}
}

// Advance moves the clock forward by d and runs all that fell due, in time order, before it returns. While such a
// function runs, Now is the time it was registered for, or the time before the call if that is later; so what it
// registers in turn runs too when it falls due within d. A negative d is an error and changes nothing.
func (c *Clock) Advance(d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("the clock cannot go back by %v: advance it by zero or more", -d)
	}
	c.advancing.Lock()
	defer c.advancing.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	target := c.offset + d
	if target < c.offset {
		return fmt.Errorf("the clock cannot advance by more than %v in all", time.Duration(math.MaxInt64))
	}
	c.runUntil(target)
	return nil
}

// fire runs what fell due on a real clock without anyone advancing it.
func (c *Clock) fire() {
	c.advancing.Lock()
	defer c.advancing.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runUntil(c.offset)
}

// runUntil moves the offset to target in steps, one for each alarm on the way, and runs these without holding mu.
func (c *Clock) runUntil(target time.Duration) {
	for len(c.waiting) > 0 {
		now := c.machine()
		due := c.waiting[0].at.Sub(now)
		if due > target {
			break
		}
		c.offset = max(c.offset, due)
		c.run(heap.Pop(&c.waiting).(*alarm).fn)
	}
	c.offset = target
	c.rearm()
}

func (c *Clock) run(fn func()) {
	c.mu.Unlock()
	defer c.mu.Lock()
	fn()
}

// rearm sets a real clock's timer for the first alarm. A clock without alarms has no timer.
func (c *Clock) rearm() {
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	if !c.manual && len(c.waiting) > 0 {
		c.timer = time.AfterFunc(c.waiting[0].at.Sub(c.now()), c.fire)
	}
}
