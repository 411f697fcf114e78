package sim

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// Patience retries calls to an unresponsive backend, with growing pauses, and counts the attempts.
type Patience struct {
	Backend string        // its address, for the error that it is down
	For     time.Duration // real time; default 30 s

	Requests, Errors atomic.Int64 // attempts, and those that failed transiently
}

const defaultPatience = 30 * time.Second

// Do retries a call whose failure may be transient, until patience runs out. Other errors are returned unchanged.
func (p *Patience) Do(ctx context.Context, call func() error) error {
	began, patience := time.Now(), p.For
	if patience == 0 {
		patience = defaultPatience
	}
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		p.Requests.Add(1)
		err := call()
		switch {
		case err == nil || ctx.Err() != nil:
			return ctx.Err()
		case !Transient(err):
			return err
		}
		p.Errors.Add(1)
		if time.Since(began)+pause > patience {
			return fmt.Errorf("the backend at %s failed for %v: is it running? (%w)", p.Backend, patience, err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}
