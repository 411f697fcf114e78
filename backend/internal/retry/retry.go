// Package retry tries again what failed for a reason that passes: another writer was faster, an index lags, or the
// database is too busy. Every such loop of the backends is here, so that each has a bound, pauses by chance, and ends
// with its context.
//
// The pauses are those of github.com/cenkalti/backoff. Its Retry waits by the machine's clock alone; the services wait
// by Config.Wait, which moves the clock of a scenario, so the loop is this package's.
package retry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/tabletop-db/tabletop/internal/pause"
)

// Again tells a client what to do when a request failed for a reason that passes and may have been carried out all the
// same. It is true of every operation: one with an Idempotency-Key makes nothing twice, and one that takes none says
// what a repeat does.
const Again = "send the same request again; where it makes something new and had no Idempotency-Key, look first: it may be there"

// Wait pauses for d, or returns the context's error when that ends first.
type Wait func(ctx context.Context, d time.Duration) error

// Policy is what is tried again, how often, and after which pauses.
type Policy struct {
	On    []error // an error that is one of these is tried again; any other is returned at once
	Tries int     // in all, the first included; 0 is 1

	// First is the mean of the first pause. The mean doubles from try to try up to Longest; 0: without an end.
	First, Longest time.Duration

	// Asked is how long a failure wants to be left alone, which is waited at least; nil: none does.
	Asked func(error) time.Duration
	// Failed is called with each failure that is tried again, before the pause; may be nil.
	Failed func(error)
	// Wait pauses; a timer when nil.
	Wait Wait
}

// Do calls try until it succeeds, fails with an error that is not one of On, or was called Tries times, and returns
// what it returned last. When the context ends first, the error is that of the context.
func (p Policy) Do(ctx context.Context, try func() error) error {
	pauses := Pauses(p.First, p.Longest)
	for n := 1; ; n++ {
		err := try()
		if n >= p.Tries || !p.passes(err) {
			return err
		}
		if p.Failed != nil {
			p.Failed(err)
		}
		if ended := p.wait(ctx, max(pauses.NextBackOff(), p.asked(err))); ended != nil {
			// The failure is told and not wrapped: that there was no time for another try is the reason.
			return fmt.Errorf("%w, waiting to try again after: %v", ended, err)
		}
	}
}

func (p Policy) passes(err error) bool {
	return slices.ContainsFunc(p.On, func(kind error) bool { return errors.Is(err, kind) })
}

func (p Policy) asked(err error) time.Duration {
	if p.Asked == nil {
		return 0
	}
	return p.Asked(err)
}

func (p Policy) wait(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.Wait == nil {
		return pause.For(ctx, d)
	}
	return p.Wait(ctx, d)
}

// Pauses are pauses whose mean doubles from first up to longest. Each is by chance between half its mean and one and a
// half times that: those who got in each other's way do not meet again.
func Pauses(first, longest time.Duration) *backoff.ExponentialBackOff {
	if longest == 0 {
		longest = 1<<63 - 1
	}
	return &backoff.ExponentialBackOff{InitialInterval: first, MaxInterval: longest, Multiplier: 2, RandomizationFactor: 0.5}
}
