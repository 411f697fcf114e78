package sim

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// Retrier retries calls to an unresponsive backend, with growing pauses, and counts the attempts.
type Retrier struct {
	Backend string        // its address, for the error that it is down
	Timeout time.Duration // real time; default 30 s

	Requests, Errors atomic.Int64 // attempts, and those that failed transiently
}

const defaultRetryTimeout = 30 * time.Second

// Do retries a call whose failure may be transient, until the timeout. Other errors are returned unchanged.
func (p *Retrier) Do(ctx context.Context, call func() error) error {
	began, timeout := time.Now(), p.Timeout
	if timeout == 0 {
		timeout = defaultRetryTimeout
	}
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		p.Requests.Add(1)
		err := call()
		switch {
		case err == nil || ctx.Err() != nil:
			return ctx.Err()
		case !IsTransient(err):
			return err
		}
		p.Errors.Add(1)
		if time.Since(began)+pause > timeout {
			return fmt.Errorf("the backend at %s failed for %v: is it running? (%w)", p.Backend, timeout, err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}
