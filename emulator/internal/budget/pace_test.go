package budget

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestOneStepRunsAtATime holds a step: it has the only turn of such work, and another request's step does not run, also
// when its client leaves. Without a pool, steps do not wait.
func TestOneStepRunsAtATime(t *testing.T) {
	t.Parallel()
	pool := NewPool(1)
	first := New(t.Context(), Limits{Pool: pool})
	first.TakeTurn()
	ran := errors.New("ran")
	more, err := first.Pace(func() (bool, error) {
		if pool.Turns() != 1 {
			t.Errorf("%d turns are taken in a step", pool.Turns())
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		done := make(chan error)
		go func() {
			_, err := New(ctx, Limits{Pool: pool}).Pace(func() (bool, error) { return false, ran })
			done <- err
		}()
		left := errors.New("the client left")
		cancel(left)
		if err := <-done; !errors.Is(err, left) {
			t.Errorf("a step beside another one: %v", err)
		}
		var unlimited *Budget
		if _, err := unlimited.Pace(func() (bool, error) { return false, ran }); !errors.Is(err, ran) {
			t.Errorf("a step without a pool: %v", err)
		}
		return false, ran
	})
	if more || !errors.Is(err, ran) || pool.Turns() != 0 || len(pool.pacing) != 0 {
		t.Errorf("%v %v, %d turns and %d steps are left", more, err, pool.Turns(), len(pool.pacing))
	}
}

// TestAStepIsFollowedByARest takes the time of a step of 2 ms that is not the last.
func TestAStepIsFollowedByARest(t *testing.T) {
	t.Parallel()
	const takes = 2 * time.Millisecond
	b, begun := New(t.Context(), Limits{Pool: NewPool(1)}), time.Now()
	if more, err := b.Pace(func() (bool, error) {
		for at := time.Now(); time.Since(at) < takes; {
			continue
		}
		return true, nil
	}); !more || err != nil {
		t.Error(more, err)
	}
	if took := time.Since(begun); took < 2*takes {
		t.Errorf("a step of %v and its rest took %v", takes, took)
	}
}

// TestCloseEndsAPacedStep ends work in the middle of a step, as an error or a panic does: other work may go on. Work
// whose client has left begins no step.
func TestCloseEndsAPacedStep(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	pool := NewPool(1)
	for range 2 {
		b := New(ctx, Limits{Pool: pool})
		if err := b.BeginPaced(); err != nil || !pool.Pacing() || pool.Turns() != 1 {
			t.Errorf("in a step: %v, pacing %v, %d turns", err, pool.Pacing(), pool.Turns())
		}
		b.Close()
		b.EndPaced(true) // has no effect
		if pool.Pacing() || pool.Turns() != 0 {
			t.Errorf("after a step: pacing %v, %d turns", pool.Pacing(), pool.Turns())
		}
	}
	cancel()
	for _, b := range []*Budget{New(ctx, Limits{Pool: pool}), New(ctx, Limits{})} {
		if err := b.BeginPaced(); !errors.Is(err, context.Canceled) || pool.Pacing() {
			t.Errorf("after the client left: %v, pacing %v", err, pool.Pacing())
		}
	}
}

// TestTryPaceDoesNotWait tries to make a step while another request makes one or all turns are taken: it does not run.
// Steps end with the time of the budget.
func TestTryPaceDoesNotWait(t *testing.T) {
	t.Parallel()
	pool, steps := NewPool(1), 0
	step := func() (bool, error) { steps++; return true, nil }
	try := func(limits Limits, want bool, ran int) {
		t.Helper()
		if more, err := New(t.Context(), limits).TryPace(step); more != want || err != nil || steps != ran {
			t.Errorf("%v %v after %d steps, want %v after %d", more, err, steps, want, ran)
		}
		if pool.Pacing() {
			t.Error("a step is left")
		}
		steps = 0
	}
	first := New(t.Context(), Limits{Pool: pool})
	if err := first.BeginPaced(); err != nil {
		t.Fatal(err)
	}
	if more, err := New(t.Context(), Limits{Pool: pool}).TryPace(step); more || err != nil || steps != 0 {
		t.Errorf("beside another step: %v %v, %d steps", more, err, steps)
	}
	first.Close()
	var long []*Budget
	for range cap(pool.turns) {
		b := New(t.Context(), Limits{Pool: pool})
		b.TakeTurn()
		long = append(long, b)
	}
	try(Limits{Pool: pool}, false, 0)
	for _, b := range long {
		b.Close()
	}
	try(Limits{Pool: pool}, true, 1)
	try(Limits{Pool: pool, Time: time.Hour}, true, 1)
	try(Limits{Pool: pool, Time: 1}, false, 1)
	try(Limits{}, true, 1)
	if more, err := (*Budget)(nil).TryPace(step); !more || err != nil {
		t.Errorf("without a budget: %v %v", more, err)
	}
}
