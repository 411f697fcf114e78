package clock

import (
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// fakeSource is a machine clock that the test moves. It is not safe for concurrent use.
type fakeSource struct {
	wall, elapsed time.Duration
	timers        []*fakeTimer
}

type fakeTimer struct {
	at time.Duration
	fn func()
}

func (m *fakeSource) read() (wall, elapsed time.Duration) { return m.wall, m.elapsed }

func (m *fakeSource) after(d time.Duration, fn func()) (stop func()) {
	added := &fakeTimer{m.elapsed + d, fn}
	m.timers = append(m.timers, added)
	return func() {
		m.timers = slices.DeleteFunc(m.timers, func(t *fakeTimer) bool { return t == added })
	}
}

// advance moves time and runs the timers on the way.
func (m *fakeSource) advance(d time.Duration) {
	until := m.elapsed + d
	for {
		i := slices.IndexFunc(m.timers, func(t *fakeTimer) bool { return t.at <= until })
		if i < 0 {
			break
		}
		due := m.timers[i]
		m.timers = slices.Delete(m.timers, i, i+1)
		m.wall += max(due.at-m.elapsed, 0)
		m.elapsed = max(due.at, m.elapsed)
		due.fn()
	}
	m.wall += until - m.elapsed
	m.elapsed = until
}

func (m *fakeSource) sleep(d time.Duration) { m.wall += d }

func equal(t *testing.T, c *Clock, want time.Duration) {
	t.Helper()
	if got := c.Now().Sub(start); got != want {
		t.Fatalf("the clock moved by %v, want %v", got, want)
	}
}

func TestSpeed(t *testing.T) {
	t.Parallel()
	m := &fakeSource{}
	c := newClock(m, start)
	m.advance(time.Hour)
	equal(t, c, 0)
	c.Resume()
	m.advance(time.Second)
	equal(t, c, time.Second)
	if err := c.SetSpeed(60); err != nil {
		t.Fatal(err)
	}
	m.advance(time.Second)
	equal(t, c, 61*time.Second)
	c.Freeze()
	m.advance(time.Hour)
	equal(t, c, 61*time.Second)
	c.Resume()
	m.advance(2 * time.Second)
	equal(t, c, 181*time.Second)
	if err := c.SetSpeed(0.5); err != nil {
		t.Fatal(err)
	}
	m.advance(2 * time.Second)
	equal(t, c, 182*time.Second)
	if c.Speed() != 0.5 || c.Frozen() {
		t.Errorf("speed %v, frozen %v", c.Speed(), c.Frozen())
	}
}

// TestAClockMayBeAhead checks that a clock counts as ahead once it was advanced or ran faster, and stays so.
func TestAClockMayBeAhead(t *testing.T) {
	t.Parallel()
	speed := func(factor float64) func(*Clock) error {
		return func(c *Clock) error { return errors.Join(c.SetSpeed(factor), c.SetSpeed(1)) }
	}
	machine := &fakeSource{}
	for name, c := range map[string]struct {
		clock  *Clock
		change func(*Clock) error
		want   bool
	}{
		"real": {Real(), func(*Clock) error { return nil }, false},
		"alarm": {newClock(machine, start), func(c *Clock) error {
			c.Resume()
			c.At(start.Add(time.Second), func() {})
			machine.advance(2 * time.Second)
			return nil
		}, false},
		"slow":     {Real(), speed(0.5), false},
		"fast":     {Real(), speed(2), true},
		"advanced": {Real(), func(c *Clock) error { return c.Advance(time.Second) }, true},
		"manual":   {Manual(start), func(*Clock) error { return nil }, true},
	} {
		if err := c.change(c.clock); err != nil || c.clock.MayBeAhead() != c.want {
			t.Errorf("%s: %v, %v", name, c.clock.MayBeAhead(), err)
		}
	}
}

func TestASpeedOutsideItsBoundsIsAnError(t *testing.T) {
	t.Parallel()
	c := Manual(start)
	for _, factor := range []float64{0, -1, 0.0009, 1_000_001, math.NaN(), math.Inf(1)} {
		if err := c.SetSpeed(factor); err == nil || c.Speed() != 1 {
			t.Errorf("SetSpeed(%v): %v, speed %v", factor, err, c.Speed())
		}
	}
}

func TestAFastClockStopsInsteadOfGoingBack(t *testing.T) {
	t.Parallel()
	m := &fakeSource{}
	c := newClock(m, start)
	c.Resume()
	if err := c.SetSpeed(MaxSpeed); err != nil {
		t.Fatal(err)
	}
	m.advance(24 * time.Hour)
	end := c.Now()
	m.advance(24 * time.Hour)
	if !c.Now().Equal(end) || end.Year() != 2318 {
		t.Errorf("the clock ends at %v, and shows %v", end, c.Now())
	}
}

func TestAlarmsComeAtTheMachinesTime(t *testing.T) {
	t.Parallel()
	m := &fakeSource{}
	c := newClock(m, start)
	rang := time.Duration(-1)
	c.At(start.Add(time.Hour), func() { rang = m.elapsed })
	m.advance(2 * time.Hour)
	if rang >= 0 {
		t.Fatal("an alarm of a frozen clock ran")
	}
	c.Resume()
	if err := c.SetSpeed(3600); err != nil {
		t.Fatal(err)
	}
	m.advance(500 * time.Millisecond)
	if err := c.SetSpeed(1800); err != nil { // half an hour is left: one second of the machine
		t.Fatal(err)
	}
	m.advance(time.Minute)
	if want := 2*time.Hour + 1500*time.Millisecond; rang < want || rang > want+time.Microsecond {
		t.Errorf("the alarm rang at %v of the machine, want %v", rang, want)
	}
}

func TestAClockFollowsAMachineThatSlept(t *testing.T) {
	t.Parallel()
	m := &fakeSource{}
	c := newClock(m, start)
	c.Resume()
	rang := false
	c.At(start.Add(8*time.Hour), func() { rang = true })
	m.advance(time.Minute)
	m.sleep(9 * time.Hour)
	equal(t, c, 9*time.Hour+time.Minute)
	m.advance(0)
	if !rang {
		t.Error("what fell due during sleep did not run")
	}
	m.sleep(-time.Hour) // the clock is set back
	equal(t, c, 9*time.Hour+time.Minute)
	m.advance(time.Minute)
	equal(t, c, 9*time.Hour+2*time.Minute)
}

// TestAnyChangesOfSpeed compares a clock with the sum of its stretches of time, and each alarm with its set time.
func TestAnyChangesOfSpeed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := &fakeSource{}
		c := newClock(m, start)
		want, speed, moving := 0.0, 1.0, false
		last := c.Now()
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0:
				c.Freeze()
				moving = false
			case 1:
				c.Resume()
				moving = true
			case 2:
				speed = rapid.SampledFrom([]float64{MinSpeed, 0.5, 1, 3, 1000, MaxSpeed}).Draw(t, "speed")
				if err := c.SetSpeed(speed); err != nil {
					t.Fatal(err)
				}
			case 3:
				d := rapid.Int64Range(0, int64(time.Hour)).Draw(t, "advance")
				if err := c.Advance(time.Duration(d)); err != nil {
					t.Fatal(err)
				}
				want += float64(d)
			case 4:
				in := rapid.Int64Range(-int64(time.Minute), int64(time.Hour)).Draw(t, "alarm")
				at := c.Now().Add(time.Duration(in))
				c.At(at, func() {
					if c.Now().Before(at) {
						t.Errorf("an alarm of %v ran at %v", at, c.Now())
					}
				})
			default:
				d := rapid.Int64Range(0, int64(time.Minute)).Draw(t, "pass")
				if moving {
					want += float64(d) * speed
				}
				m.advance(time.Duration(d))
			}
			now := c.Now()
			if now.Before(last) {
				t.Fatalf("the clock went back from %v to %v", last, now)
			}
			last = now
			if got := float64(now.Sub(start)); math.Abs(got-want) > 1e-9*want+1000 {
				t.Fatalf("the clock moved by %v ns, want %v", got, want)
			}
			m.advance(0) // runs what is due, in a goroutine of its own
			for _, a := range c.waiting {
				if moving && now.Sub(a.due) > time.Duration(2*speed)+1 {
					t.Fatalf("at %v an alarm of %v waits", now, a.due)
				}
			}
		}
	})
}

// TestClockNeverGoesBack compares what concurrent readers see while the clock is changed.
func TestClockNeverGoesBack(t *testing.T) {
	t.Parallel()
	c := Real()
	var seen atomic.Int64
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		readers.Go(func() {
			for {
				before := seen.Load()
				now := c.Now().UnixNano()
				if now < before {
					t.Errorf("the clock went back by %v", time.Duration(before-now))
					return
				}
				seen.CompareAndSwap(before, now)
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for i := range 3000 {
		if err := c.SetSpeed([]float64{1, MaxSpeed, MinSpeed}[i%3]); err != nil {
			t.Error(err)
		}
		c.Freeze()
		c.Resume()
	}
	close(done)
	readers.Wait()
}
