package retry_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/retry"
)

var (
	errBusy  = errors.New("busy")
	errOther = errors.New("other")
)

// TestDo checks that busy errors are retried up to the limit, and other errors are not.
func TestDo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fails     int // how often it fails before it succeeds
		with      error
		tries     int
		calls     int
		succeeds  bool
		pausesAre int
	}{
		{0, errBusy, 5, 1, true, 0},
		{4, fmt.Errorf("wrapped: %w", errBusy), 5, 5, true, 4},
		{5, errBusy, 5, 5, false, 4},
		{1, errBusy, 0, 1, false, 0},
		{1, errOther, 5, 1, false, 0},
	} {
		calls, failures, pauses := 0, 0, 0
		p := retry.Policy{
			Retryable: []error{errBusy}, MaxAttempts: c.tries, FirstPause: time.Millisecond, OnRetry: func(error) { failures++ },
			Wait: func(context.Context, time.Duration) error { pauses++; return nil },
		}
		err := p.Do(t.Context(), func() error {
			if calls++; calls <= c.fails {
				return c.with
			}
			return nil
		})
		if calls != c.calls || (err == nil) != c.succeeds || err != nil && !errors.Is(err, c.with) || pauses != c.pausesAre ||
			failures != pauses {
			t.Errorf("%+v: %v after %d calls, %d pauses and %d failures told", c, err, calls, pauses, failures)
		}
	}
}

// TestPauses checks that the mean of the pauses doubles up to the longest, and that pauses are random.
func TestPauses(t *testing.T) {
	t.Parallel()
	means := []time.Duration{8, 16, 32, 50, 50}
	different := map[time.Duration]bool{}
	for range 200 {
		pauses := retry.Pauses(8*time.Millisecond, 50*time.Millisecond)
		for i, mean := range means {
			mean *= time.Millisecond
			d := pauses.NextBackOff()
			if d < mean/2 || d > mean*3/2+1 {
				t.Fatalf("pause %d is %v, and its mean is %v", i+1, d, mean)
			}
			different[d] = true
		}
	}
	if len(different) < 900 {
		t.Errorf("1000 pauses are %d different ones", len(different))
	}
}

// TestRetryAfter checks that a pause that the failure asks for is honored when it is longer.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	var waited []time.Duration
	p := retry.Policy{
		Retryable: []error{errBusy}, MaxAttempts: 2, FirstPause: time.Millisecond, RetryAfter: func(error) time.Duration {
			return time.Second
		},
		Wait: func(_ context.Context, d time.Duration) error { waited = append(waited, d); return nil },
	}
	if err := p.Do(t.Context(), func() error {
		return errBusy
	}); !errors.Is(err, errBusy) || fmt.Sprint(waited) != "[1s]" {
		t.Errorf("%v after %v", err, waited)
	}
}

// TestContext checks that Do stops when the context ends, before a pause or during one, and that its error is the
// context's and not the failure's.
func TestContext(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]retry.Wait{
		"a wait that does not look": func(context.Context, time.Duration) error { return nil },
		"a timer":                   nil,
	} {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		p := retry.Policy{Retryable: []error{errBusy}, MaxAttempts: 1000, FirstPause: time.Hour, Wait: wait}
		err := p.Do(ctx, func() error { calls++; cancel(); return errBusy })
		if calls != 1 || !errors.Is(err, context.Canceled) || errors.Is(err, errBusy) {
			t.Errorf("%s: %v after %d calls", name, err, calls)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	p := retry.Policy{Retryable: []error{errBusy}, MaxAttempts: 1000, FirstPause: time.Hour}
	if err := p.Do(ctx, func() error { return errBusy }); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}
