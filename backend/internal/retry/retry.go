// Package retry repeats calls that fail for a transient reason: another writer was faster, an index lags, or the
// database is too busy. All such loops of the backend are here, so that each is bounded, has randomized pauses, and
// ends with its context.
//
// The pauses are those of github.com/cenkalti/backoff. Its Retry always waits by the system clock; the services wait by
// Config.Wait, which moves the clock of a scenario, so the loop is this package's own.
package retry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/tabletop-db/tabletop/internal/util/pause"
)

// Advice tells a client what to do when a request failed for a transient reason and may still have been applied. It is
// true of every operation: with an Idempotency-Key a repeat creates nothing twice, and operations that accept no key
// document what a repeat does.
const Advice = "send the same request again; before you repeat a creation without an Idempotency-Key, check whether it already succeeded"

// Wait pauses for d, or returns the context's error when the context ends first.
type Wait func(ctx context.Context, d time.Duration) error

// Policy says which errors are retried, how often, and after which pauses.
type Policy struct {
	Retryable   []error // errors that are retried; any other is returned at once
	MaxAttempts int     // maximum attempts, including the first; 0 means 1

	// FirstPause is the mean of the first pause. The mean doubles with each attempt, up to MaxPause; 0 means no maximum.
	FirstPause, MaxPause time.Duration

	// RetryAfter returns the minimum pause that a failure asks for; nil when none does.
	RetryAfter func(error) time.Duration
	// OnRetry is called with each failure that is retried, before the pause; may be nil.
	OnRetry func(error)
	// Wait pauses; a timer when nil.
	Wait Wait
}

// Do calls attempt until it succeeds, fails with an error that is not one of Retryable, or has been called MaxAttempts
// times, and returns the last result. When the context ends first, Do returns an error that wraps the context's.
func (p Policy) Do(ctx context.Context, attempt func() error) error {
	pauses := Pauses(p.FirstPause, p.MaxPause)
	for n := 1; ; n++ {
		err := attempt()
		if n >= p.MaxAttempts || !p.isRetryable(err) {
			return err
		}
		if p.OnRetry != nil {
			p.OnRetry(err)
		}
		if waitErr := p.wait(ctx, max(pauses.NextBackOff(), p.retryAfter(err))); waitErr != nil {
			// The failure is quoted, not wrapped: the reason is that no time was left for another attempt.
			return fmt.Errorf("%w, while waiting to retry after: %v", waitErr, err)
		}
	}
}

func (p Policy) isRetryable(err error) bool {
	return slices.ContainsFunc(p.Retryable, func(kind error) bool { return errors.Is(err, kind) })
}

func (p Policy) retryAfter(err error) time.Duration {
	if p.RetryAfter == nil {
		return 0
	}
	return p.RetryAfter(err)
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

// Pauses returns pauses whose mean doubles from firstPause up to maxPause. Each is random, between 0.5 and 1.5 times
// its mean, so that callers that conflicted do not conflict again.
func Pauses(firstPause, maxPause time.Duration) *backoff.ExponentialBackOff {
	if maxPause == 0 {
		maxPause = 1<<63 - 1
	}
	return &backoff.ExponentialBackOff{InitialInterval: firstPause, MaxInterval: maxPause, Multiplier: 2,
		RandomizationFactor: 0.5}
}
