package clock_test

import (
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestManualClockStandsStill(t *testing.T) {
	t.Parallel()
	c := clock.Manual(start)
	if !c.Now().Equal(start) {
		t.Fatalf("Now() = %v, want %v", c.Now(), start)
	}
	advance(t, c, time.Hour)
	if want := start.Add(time.Hour); !c.Now().Equal(want) {
		t.Fatalf("Now() = %v after an hour, want %v", c.Now(), want)
	}
}

func TestRealClockKeepsItsOffset(t *testing.T) {
	t.Parallel()
	c := clock.Real()
	before := time.Now()
	advance(t, c, 24*time.Hour)
	const apart = 100 * time.Millisecond // the machine's wall clock and monotonic clock are read one after the other
	if moved := c.Now().Sub(before); moved < 24*time.Hour-apart || moved > 25*time.Hour {
		t.Fatalf("the clock moved by %v, want 24h and a moment", moved)
	}
}

func TestAdvanceRunsDueFunctionsInOrder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]*clock.Clock{"manual": clock.Manual(start), "real": clock.Real()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := c.Now()
			var ran []string
			for _, a := range []struct {
				in   time.Duration
				name string
			}{{3 * time.Hour, "third"}, {time.Hour, "first"}, {2 * time.Hour, "second"}, {2 * time.Hour, "also second"},
				{9 * time.Hour, "later"}} {
				at := now.Add(a.in)
				c.At(at, func() {
					ran = append(ran, a.name)
					if c.Now().Before(at) {
						t.Errorf("%s runs at %v, before %v", a.name, c.Now(), at)
					}
				})
			}
			advance(t, c, 4*time.Hour)
			if want := []string{"first", "second", "also second", "third"}; !slices.Equal(ran, want) {
				t.Fatalf("ran %q, want %q", ran, want)
			}
			advance(t, c, 5*time.Hour)
			if ran[len(ran)-1] != "later" {
				t.Fatalf("ran %q, want later at the end", ran)
			}
		})
	}
}

func TestManualClockShowsTheDueTimeDuringACall(t *testing.T) {
	t.Parallel()
	c := clock.Manual(start)
	var seen []time.Duration
	var tick func()
	tick = func() {
		seen = append(seen, c.Now().Sub(start))
		c.At(c.Now().Add(time.Minute), tick)
	}
	c.At(start.Add(time.Minute), tick)
	advance(t, c, 3*time.Minute+time.Second)
	if want := []time.Duration{time.Minute, 2 * time.Minute, 3 * time.Minute}; !slices.Equal(seen, want) {
		t.Fatalf("ran at %v, want %v", seen, want)
	}
	if got := c.Now().Sub(start); got != 3*time.Minute+time.Second {
		t.Fatalf("the clock stands at %v, want 3m1s", got)
	}
}

func TestPastIsDueAtTheNextAdvance(t *testing.T) {
	t.Parallel()
	c := clock.Manual(start)
	ran := false
	c.At(start.Add(-time.Hour), func() { ran = true })
	advance(t, c, 0)
	if !ran || !c.Now().Equal(start) {
		t.Fatalf("ran = %v at %v, want true at %v", ran, c.Now(), start)
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	c := clock.Manual(start)
	cancel := c.At(start.Add(time.Second), func() { t.Error("a cancelled function ran") })
	ran := false
	cancelRun := c.At(start.Add(time.Second), func() { ran = true })
	cancel()
	cancel()
	advance(t, c, time.Second)
	cancelRun()
	if !ran {
		t.Error("cancelling one function cancelled another")
	}
}

func TestRealClockRunsByItself(t *testing.T) {
	t.Parallel()
	c := clock.Real()
	done := make(chan struct{})
	c.At(c.Now().Add(time.Hour), func() { t.Error("ran an hour early") })
	c.At(c.Now(), func() { close(done) })
	<-done
}

func TestNegativeAdvanceIsAnError(t *testing.T) {
	t.Parallel()
	c := clock.Manual(start)
	if err := c.Advance(-time.Second); err == nil {
		t.Error("Advance(-1s) succeeded")
	}
	advance(t, c, time.Second)
	if err := c.Advance(1<<63 - 1); err == nil {
		t.Error("Advance past the longest duration succeeded")
	}
	if want := start.Add(time.Second); !c.Now().Equal(want) {
		t.Errorf("a refused Advance left the clock at %v, want %v", c.Now(), want)
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]*clock.Clock{"manual": clock.Manual(start), "real": clock.Real()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const workers, each = 8, 50
			ran := make(chan struct{}, workers*each)
			var wg sync.WaitGroup
			for range workers {
				wg.Go(func() {
					for i := range each {
						c.At(c.Now().Add(time.Duration(i)*time.Second), func() { ran <- struct{}{} })
						c.At(c.Now().Add(time.Hour), func() { t.Error("a cancelled function ran") })()
						advance(t, c, time.Millisecond)
					}
				})
			}
			wg.Wait()
			advance(t, c, each*time.Second)
			for range workers * each {
				<-ran
			}
		})
	}
}

func advance(t *testing.T, c *clock.Clock, d time.Duration) {
	t.Helper()
	if err := c.Advance(d); err != nil {
		t.Fatal(err)
	}
}

// TestPanicsAreReported makes functions panic in Advance and on a running clock: the others run, and the clock
// continues.
func TestPanicsAreReported(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]*clock.Clock{"manual": clock.Manual(start), "real": clock.Real()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			told, ran := make(chan any, 2), make(chan bool, 2)
			c.OnPanic(func(reason any, _ []byte) { told <- reason })
			now := c.Now()
			c.At(now.Add(time.Hour), func() { panic("first") })
			c.At(now.Add(time.Hour), func() { ran <- true })
			advance(t, c, 2*time.Hour)
			c.At(now, func() { panic("second") })
			c.At(now, func() { ran <- true })
			if name == "manual" {
				advance(t, c, 0)
			}
			<-ran
			<-ran
			if a, b := <-told, <-told; a != "first" || b != "second" {
				t.Errorf("%v and %v are told", a, b)
			}
		})
	}
}

// TestPanicsWithoutAHandler checks that a panic without OnPanic does not end the process.
func TestPanicsWithoutAHandler(t *testing.T) {
	t.Parallel()
	c := clock.Manual(start)
	c.At(start, func() { panic("nobody hears it") })
	advance(t, c, time.Second)
	if want := start.Add(time.Second); !c.Now().Equal(want) {
		t.Errorf("Now() = %v, want %v", c.Now(), want)
	}
}

// TestAFunctionThatEndsItsGoroutine checks that such a function does not keep the others from running.
func TestAFunctionThatEndsItsGoroutine(t *testing.T) {
	t.Parallel()
	c := clock.Real()
	now, ran := c.Now(), make(chan bool)
	c.At(now, runtime.Goexit)
	c.At(now, func() { close(ran) })
	select {
	case <-ran:
	case <-t.Context().Done():
	case <-time.After(await.Timeout):
		t.Fatal("what was due after it did not run")
	}
}
