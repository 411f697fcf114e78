// Package clock is the one clock of an emulator: everything that expires, waits or needs a timestamp uses it, so that a
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

// Limits of a clock's speed, in its seconds per second of the machine.
const (
	MinSpeed = 0.001
	MaxSpeed = 1_000_000
)

// Clock tells the time and runs functions at set times. It runs with the machine's clock, slower or faster by its
// speed, or is frozen; Advance moves it in both cases. It never goes back. It is safe for concurrent use.
type Clock struct {
	machine timeSource

	// shown is cur, for readers without the lock. It is nil while cur is being changed: a reader that loads the same
	// reading before and after it reads the machine's clock has read it before any change.
	shown atomic.Pointer[reading]

	// holds an element while Advance or the timer runs functions: one after the other, in time order
	advancing chan struct{}

	mu       sync.Mutex
	cur      reading
	ahead    bool          // see MayBeAhead
	advanced time.Duration // sum of all Advances
	waiting  timerHeap
	stop     func() // stops the timer of the first of waiting; nil if there is none
	serial   uint64
	onPanic  func(reason any, stack []byte)
}

// Real returns a clock that follows the machine's, in UTC. At speed 1, it follows a forward jump of the machine's
// clock, as after sleep; if the machine's clock is set back, it continues.
func Real() *Clock {
	c := newClock(newSystem(), time.Now().UTC())
	c.Resume()
	return c
}

// Manual returns a clock that is frozen at start.
func Manual(start time.Time) *Clock {
	c := newClock(newSystem(), start)
	c.ahead = true
	return c
}

func newClock(m timeSource, start time.Time) *Clock {
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
		if c.shown.Load() == r && !r.machineSlept(wall, elapsed) {
			return r.at(elapsed)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

// now is Now for callers that hold mu. It follows a jump of the machine's clock.
func (c *Clock) now() time.Time {
	wall, elapsed := c.machine.read()
	if c.cur.machineSlept(wall, elapsed) {
		c.change(func(*reading) {})
		c.rearm()
	}
	return c.cur.at(elapsed)
}

// change makes fn change the reading that applies from now on. mu must be held.
func (c *Clock) change(fn func(next *reading)) {
	c.shown.Store(nil)
	wall, elapsed := c.machine.read()
	next := c.cur.from(wall, elapsed)
	fn(&next)
	c.cur = next
	c.shown.Store(&next)
}

// Frozen reports whether only Advance moves the clock.
func (c *Clock) Frozen() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.cur.moving
}

// Freeze stops the clock until Resume.
func (c *Clock) Freeze() { c.move(false) }

// Resume lets a frozen clock run on at its speed.
func (c *Clock) Resume() { c.move(true) }

func (c *Clock) move(moving bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.change(func(next *reading) { next.moving = moving })
	c.rearm()
}

// Speed returns how many seconds the clock moves per second of the machine while it is not frozen. The default is 1.
func (c *Clock) Speed() float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cur.speed
}

// SetSpeed changes the speed from now on. Errors: a speed outside MinSpeed and MaxSpeed, which changes nothing. At a
// speed other than 1 the clock runs for at most 292 years, and then stops until it is changed.
func (c *Clock) SetSpeed(factor float64) error {
	if !(factor >= MinSpeed && factor <= MaxSpeed) {
		return fmt.Errorf("the clock cannot go at %v times the machine's speed: give it %v to %d", factor, MinSpeed, MaxSpeed)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.change(func(next *reading) { next.speed = factor })
	c.ahead = c.ahead || factor > 1
	c.rearm()
	return nil
}

// MayBeAhead reports whether the clock may be ahead of the machine's: it is manual, was advanced, or ran faster. Then
// the clock of a later process may begin at an earlier time.
func (c *Clock) MayBeAhead() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ahead
}

// At registers fn to run once, when the clock reaches t; a time already reached counts as now. On a frozen clock fn
// runs inside Advance, on a running one inside Advance or in a goroutine of its own; functions never run concurrently.
// fn must not call Advance. cancel removes fn if it has not begun, and may be called any number of times.
func (c *Clock) At(t time.Time, fn func()) (cancel func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.serial++
	a := &timer{due: t, serial: c.serial, fn: fn}
	heap.Push(&c.waiting, a)
	if a.index == 0 {
		c.rearm()
	}
	return func() { c.cancel(a) }
}

func (c *Clock) cancel(a *timer) {
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

// Advance moves the clock forward by d and runs everything that is due by then, in time order, before it returns. While
// such a function runs, Now is the time it was registered for, or the time before the call if that is later; so
// functions that it registers run too if they are due within d. Errors: a negative d, which changes nothing.
func (c *Clock) Advance(d time.Duration) error { return c.AdvanceContext(context.Background(), d) }

// AdvanceContext is Advance that stops when ctx is done, also while it waits for another Advance. The clock then stays
// at the time that it has reached, between two functions, which the error states.
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

// InterruptedError reports that AdvanceContext stopped before the clock reached its target.
type InterruptedError struct {
	Moved, Of time.Duration
	Err       error // of the context
}

func (e *InterruptedError) Error() string {
	return fmt.Sprintf("the clock was advanced by %v of %v when it was interrupted (%v): advance it again by the rest",
		e.Moved, e.Of, e.Err)
}

// Unwrap returns the context's error.
func (e *InterruptedError) Unwrap() error { return e.Err }

// fire runs what is due on a running clock. The timer calls it.
func (c *Clock) fire() {
	c.advancing <- struct{}{}
	defer func() { <-c.advancing }()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.run(context.Background(), 0)
}

// run moves the clock by d in steps, one for each alarm on the way, and runs the alarms without holding mu. What is due
// later than d after the call is left to the timer, however fast the clock is. If ctx is done, it stops, and returns
// the rest of d.
func (c *Clock) run(ctx context.Context, d time.Duration) (left time.Duration) {
	defer c.rearm() // also if an alarm ends the goroutine
	until := c.now().Add(d)
	for ctx.Err() == nil && len(c.waiting) > 0 && !c.waiting[0].due.After(until) {
		if ahead := min(c.waiting[0].due.Sub(c.now()), d); ahead > 0 {
			c.shift(ahead)
			d -= ahead
		}
		c.call(heap.Pop(&c.waiting).(*timer).fn)
	}
	if ctx.Err() != nil {
		return d
	}
	c.shift(d)
	return 0
}

func (c *Clock) shift(d time.Duration) {
	c.ahead = c.ahead || d > 0
	c.change(func(next *reading) { next.base = next.base.Add(d) })
}

// call runs a function that is due. A panic neither stops the others nor ends the process.
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

// OnPanic sets the function that is called with the reason and stack of each panic of a function of At. By default
// there is none.
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
		c.stop = c.machine.after(c.cur.wait(c.waiting[0].due.Sub(c.cur.at(elapsed))), c.fire)
	}
}
