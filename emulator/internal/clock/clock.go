// Package clock is the one clock of an emulator: everything that expires, waits or stamps a time asks it, so that a
// test moves time instead of sleeping.
package clock

import (
	"container/heap"
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// The bounds of a clock's speed, in its seconds a second of the machine.
const (
	MinSpeed = 0.001
	MaxSpeed = 1_000_000
)

// Clock tells the time and runs functions when it comes. It moves with the machine's clock, slower or faster by its
// speed, or is frozen and stands still; Advance moves it in both cases. It never goes back, and is safe for concurrent
// use.
type Clock struct {
	machine machine

	// shown is cur, for readers without the lock. It is nil while cur is being changed: a reader that finds the same
	// reading before and after it asked the machine has asked before any change.
	shown atomic.Pointer[reading]

	advancing chan struct{} // has an element while Advance or the timer runs functions: one after the other, in time order

	mu       sync.Mutex
	cur      reading
	advanced time.Duration // the sum of all Advances
	waiting  alarms
	stop     func() // ends the timer of the first of waiting; nil when there is none
	serial   uint64
	onPanic  func(reason any, stack []byte)
}

// Real returns a clock that follows the machine's, in UTC. When that jumps forward, as after sleep, the clock does too
// while its speed is 1; when it is set back, the clock goes on.
func Real() *Clock {
	c := newClock(newSystem(), time.Now().UTC())
	c.Resume()
	return c
}

// Manual returns a clock that is frozen at start.
func Manual(start time.Time) *Clock { return newClock(newSystem(), start) }

func newClock(m machine, start time.Time) *Clock {
	c := &Clock{machine: m, advancing: make(chan struct{}, 1)}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.change(func(r *reading) { r.base, r.speed = start.Round(0), 1 })
	return c
}

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	r := c.shown.Load()
	if r != nil && !r.moving {
		return r.base
	}
	if r != nil {
		wall, elapsed := c.machine.read()
		if c.shown.Load() == r && !r.overslept(wall, elapsed) {
			return r.at(elapsed)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

// now is Now for who holds mu. It takes notice of a jump of the machine's clock.
func (c *Clock) now() time.Time {
	wall, elapsed := c.machine.read()
	if c.cur.overslept(wall, elapsed) {
		c.change(func(*reading) {})
		c.rearm()
	}
	return c.cur.at(elapsed)
}

// change has fn change the reading that applies from now on. mu must be held.
func (c *Clock) change(fn func(next *reading)) {
	c.shown.Store(nil)
	wall, elapsed := c.machine.read()
	next := c.cur.from(wall, elapsed)
	fn(&next)
	c.cur = next
	c.shown.Store(&next)
}

// Frozen says whether the clock moves by Advance only.
func (c *Clock) Frozen() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.cur.moving
}

// Freeze has the clock stand still until Resume.
func (c *Clock) Freeze() { c.move(false) }

// Resume has a frozen clock go on from where it stands, at its speed.
func (c *Clock) Resume() { c.move(true) }

func (c *Clock) move(moving bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.change(func(next *reading) { next.moving = moving })
	c.rearm()
}

// Speed is how many seconds the clock moves in a second of the machine while it is not frozen; 1 unless SetSpeed said
// otherwise.
func (c *Clock) Speed() float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cur.speed
}

// SetSpeed changes the speed from now on. One outside MinSpeed and MaxSpeed is an error and changes nothing. At a speed
// other than 1 the clock moves 292 years at most, and then stands until it is changed.
func (c *Clock) SetSpeed(factor float64) error {
	if !(factor >= MinSpeed && factor <= MaxSpeed) {
		return fmt.Errorf("the clock cannot go at %v times the machine's speed: give it %v to %d", factor, MinSpeed, MaxSpeed)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.change(func(next *reading) { next.speed = factor })
	c.rearm()
	return nil
}

// At registers fn to run once, when the clock reaches t; a time already reached counts as now. On a frozen clock fn
// runs inside Advance, on a moving one inside Advance or in a goroutine of its own; no two functions run at once. fn
// may call everything but Advance. cancel removes fn if it has not begun, and may be called any number of times.
func (c *Clock) At(t time.Time, fn func()) (cancel func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.serial++
	a := &alarm{at: t, serial: c.serial, fn: fn}
	heap.Push(&c.waiting, a)
	if a.index == 0 {
		c.rearm()
	}
	return func() { c.cancel(a) }
}

func (c *Clock) cancel(a *alarm) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.index < 0 {
		return
	}
	first := a.index == 0
	heap.Remove(&c.waiting, a.index)
	if first {
		c.rearm()
	}
}

// Advance moves the clock forward by d and runs all that fell due, in time order, before it returns. While such a
// function runs, Now is the time it was registered for, or the time before the call if that is later; so what it
// registers in turn runs too when it falls due within d. A negative d is an error and changes nothing.
func (c *Clock) Advance(d time.Duration) error { return c.AdvanceContext(context.Background(), d) }

// AdvanceContext is Advance that ends with ctx, also while it waits for another one: the clock stands where it was
// moved to by then, between two functions, and the error says how far that is.
func (c *Clock) AdvanceContext(ctx context.Context, d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("the clock cannot go back by %v: advance it by zero or more", -d)
	}
	select {
	case c.advancing <- struct{}{}:
		defer func() { <-c.advancing }()
	case <-ctx.Done():
		return &InterruptedError{Of: d, Err: ctx.Err()}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.advanced > math.MaxInt64-d {
		return fmt.Errorf("the clock cannot advance by more than %v in all", time.Duration(math.MaxInt64))
	}
	left := c.run(ctx, d)
	c.advanced += d - left
	if err := ctx.Err(); err != nil && left > 0 {
		return &InterruptedError{Moved: d - left, Of: d, Err: err}
	}
	return nil
}

// InterruptedError is that an AdvanceContext ended before the clock was where it was to be.
type InterruptedError struct {
	Moved, Of time.Duration
	Err       error // of the context
}

func (e *InterruptedError) Error() string {
	return fmt.Sprintf("the clock was advanced by %v of %v when it was interrupted (%v): advance it again by the rest", e.Moved, e.Of, e.Err)
}

// Unwrap returns the context's error.
func (e *InterruptedError) Unwrap() error { return e.Err }

// fire runs what fell due on a moving clock without anyone advancing it.
func (c *Clock) fire() {
	c.advancing <- struct{}{}
	defer func() { <-c.advancing }()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.run(context.Background(), 0)
}

// run moves the clock by d in steps, one for each alarm on the way, and runs these without holding mu. What falls due
// later than d from the call is left to the timer, however fast the clock is. When ctx ends, it stops, and returns how
// much of d is left.
func (c *Clock) run(ctx context.Context, d time.Duration) (left time.Duration) {
	defer c.rearm() // also when an alarm ends the goroutine
	until := c.now().Add(d)
	for ctx.Err() == nil && len(c.waiting) > 0 && !c.waiting[0].at.After(until) {
		if ahead := min(c.waiting[0].at.Sub(c.now()), d); ahead > 0 {
			c.shift(ahead)
			d -= ahead
		}
		c.call(heap.Pop(&c.waiting).(*alarm).fn)
	}
	if ctx.Err() != nil {
		return d
	}
	c.shift(d)
	return 0
}

func (c *Clock) shift(d time.Duration) {
	c.change(func(next *reading) { next.base = next.base.Add(d) })
}

// call runs a function that fell due. One that panics does not keep the others from running, nor end the process.
func (c *Clock) call(fn func()) {
	onPanic := c.onPanic
	c.mu.Unlock()
	defer c.mu.Lock()
	defer func() {
		if reason := recover(); reason != nil && onPanic != nil {
			onPanic(reason, debug.Stack())
		}
	}()
	fn()
}

// OnPanic has report told of each function that panics when it falls due, with the stack. By default nobody is told.
func (c *Clock) OnPanic(report func(reason any, stack []byte)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onPanic = report
}

// rearm sets the timer for the first alarm. A clock that is frozen, or has no alarms, has no timer.
func (c *Clock) rearm() {
	if c.stop != nil {
		c.stop()
		c.stop = nil
	}
	if c.cur.moving && len(c.waiting) > 0 {
		_, elapsed := c.machine.read()
		c.stop = c.machine.after(c.cur.wait(c.waiting[0].at.Sub(c.cur.at(elapsed))), c.fire)
	}
}
