package jobs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A job that is killed at any of its calls, before the request is sent or before the response arrives, resumes where it
// was: nothing is skipped, and at most the current page is repeated.
func TestKilledAtAnyRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, after := range []bool{false, true} {
		for at := int64(1); ; at++ {
			c := newCountedTasks(3, 5, 2)
			job := c.job(fmt.Sprintf("killed %v %d", after, at))
			ctx, kill := context.WithCancel(t.Context())
			cfg := w.config(&killer{at: at, after: after, kill: kill})
			cfg.Workers = 1
			_, err := New(cfg).Run(ctx, job)
			kill()
			cfg = w.config(nil)
			cfg.Workers = 1 // several waiting workers would advance the clock past each other's leases
			again, resume := New(cfg).Run(t.Context(), job)
			if resume != nil {
				t.Fatal(resume)
			}
			c.check(t, again, c.page)
			if err == nil {
				break
			}
		}
	}
}

// The segment of a worker that died is taken over when its lease ends, and not before.
func TestLeaseEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCountedTasks(1, 4, 1)
	job := c.job("left")
	ctx, kill := context.WithCancel(t.Context())
	_, err := New(w.config(&killer{at: 5, kill: kill})).Run(ctx, job)
	if err == nil {
		t.Fatal("it was not killed")
	}
	remaining := w.now()
	s, err := New(w.config(nil)).Run(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	if waited := w.now().Sub(remaining); waited < time.Minute || waited > 2*time.Minute || !s.Resumed {
		t.Errorf("it went on after %v: %+v", waited, s)
	}
	c.check(t, s, 1)
}

// A lease from a clock that was ahead is not waited for.
func TestClockAhead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCountedTasks(1, 4, 1)
	ctx, kill := context.WithCancel(t.Context())
	w.clock.Add((24 * time.Hour).Milliseconds())
	if _, err := New(w.config(&killer{at: 5, kill: kill})).Run(ctx, c.job("ahead")); err == nil {
		t.Fatal("it was not killed")
	}
	w.clock.Add(-(24 * time.Hour).Milliseconds())
	before := w.now()
	s, err := New(w.config(nil)).Run(t.Context(), c.job("ahead"))
	if err != nil || w.now().Sub(before) > time.Minute {
		t.Errorf("after %v: %v", w.now().Sub(before), err)
	}
	c.check(t, s, 1)
}

// Two concurrent runs share the work, and both return when all of it is done.
func TestConcurrentRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCountedTasks(8, 6, 2)
	cfg := w.config(nil)
	// the clock stands still
	cfg.Wait = func(ctx context.Context, _ time.Duration) error { runtime.Gosched(); return ctx.Err() }
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			s, err := New(cfg).Run(t.Context(), c.job("shared"))
			if err != nil || s.FinishedAt == "" || s.Counts["done"] != 48 {
				t.Errorf("%+v, %v", s, err)
			}
		})
	}
	both.Wait()
	s, err := New(w.config(nil)).Run(t.Context(), c.job("shared"))
	if err != nil || !s.AlreadyFinished {
		t.Errorf("%+v, %v", s, err)
	}
	c.check(t, s, 0)
}

// A worker that was stalled for longer than its lease stops at its current page.
func TestLostLease(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCountedTasks(1, 4, 1)
	var slept atomic.Bool
	c.before = func() {
		if !slept.CompareAndSwap(false, true) {
			return
		} // the first worker stalls, and another one does all the work
		w.clock.Add((2 * time.Minute).Milliseconds())
		if s, err := New(w.config(nil)).Run(t.Context(), c.job("slept")); err != nil || s.Counts["done"] != 4 {
			t.Errorf("%+v, %v", s, err)
		}
	}
	s, err := New(w.config(nil)).Run(t.Context(), c.job("slept"))
	if err != nil {
		t.Fatal(err)
	}
	c.check(t, s, 1)
}

// A finished run is remembered for a while; after that, or with Restart, the job starts again.
func TestFinishedRunStartsAgainLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCountedTasks(3, 2, 2)
	for i, step := range []struct {
		pass    time.Duration
		restart bool
		run     int64
	}{{0, false, 1}, {time.Minute, false, 1}, {0, true, 2}, {2 * time.Hour, false, 3}} {
		w.clock.Add(step.pass.Milliseconds())
		cfg := w.config(nil)
		cfg.Restart = step.restart
		job := c.job("anew")
		job.Parameters = map[string]string{"i": fmt.Sprint(i)}
		if s, err := New(cfg).Run(t.Context(), job); err != nil || s.Run != step.run || s.Counts["done"] != 6 {
			t.Errorf("%d: %+v, %v", i, s, err)
		}
	}
	if c.done[0] != 3 {
		t.Errorf("done %d times", c.done[0])
	}
}

// Workers give up a run that a new one has replaced.
func TestRestartDuringRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCountedTasks(1, 4, 1)
	var begun atomic.Bool
	c.before = func() {
		if !begun.CompareAndSwap(false, true) {
			return
		}
		cfg := w.config(nil)
		cfg.Restart = true
		if s, err := New(cfg).Run(t.Context(), c.job("restarted")); err != nil || s.Run != 2 {
			t.Errorf("%+v, %v", s, err)
		}
	}
	if _, err := New(w.config(nil)).Run(t.Context(), c.job("restarted")); !errors.Is(err, errReplaced) {
		t.Errorf("%v", err)
	}
}

func TestDryRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCountedTasks(2, 3, 2)
	cfg := w.config(nil)
	cfg.DryRun = true
	var last Progress
	cfg.Progress = func(p Progress) { last = p }
	s, err := New(cfg).Run(t.Context(), c.job("dry"))
	if err != nil || len(c.done) > 0 || s.Counts["done"] != 6 || !s.DryRun || s.Run != 0 || last.Done != 2 {
		t.Errorf("%+v, %v, did %v", s, err, maps.Clone(c.done))
	}
	if _, err := New(cfg).Run(t.Context(), Job{Name: "none"}); err == nil {
		t.Error("a job of no segments is run")
	}
}

// Whatever is killed, however many runs are concurrent and wherever the clock jumps, in the end everything was done,
// and counted once.
func TestRandomHistories(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var jobs int
	rapid.Check(t, func(rt *rapid.T) {
		jobs++
		c := newCountedTasks(rapid.IntRange(1, 5).Draw(rt, "segments"), rapid.IntRange(1, 7).Draw(rt, "each"),
			rapid.IntRange(1, 3).Draw(rt, "page"))
		job := c.job(fmt.Sprintf("history %d", jobs))
		jumps := rapid.SliceOfN(rapid.Int64Range(-5*60_000, 5*60_000), 1, 8).Draw(rt, "jumps")
		var steps int
		var mu sync.Mutex
		c.before = func() {
			mu.Lock()
			defer mu.Unlock()
			w.clock.Add(jumps[steps%len(jumps)])
			steps++
		}
		var all sync.WaitGroup
		for i := range rapid.IntRange(1, 3).Draw(rt, "processes") {
			ctx, kill := context.WithCancel(t.Context())
			link := &killer{at: rapid.Int64Range(1, 30).Draw(rt, fmt.Sprint("killed", i)), after: rapid.Bool().Draw(rt,
				fmt.Sprint("after", i)), kill: kill}
			cfg := w.config(link)
			cfg.Workers = rapid.IntRange(1, 3).Draw(rt, fmt.Sprint("workers", i))
			all.Go(func() { _, _ = New(cfg).Run(ctx, job); kill() })
		}
		all.Wait()
		c.before = func() {}
		s, err := New(w.config(nil)).Run(t.Context(), job)
		if err != nil {
			rt.Fatal(err)
		}
		c.check(rt, s, len(c.done)*20)
	})
}
