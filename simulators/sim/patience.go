package sim

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// Patience asks a backend that does not answer again, waiting a little longer each time, and counts the tries.
type Patience struct {
	Backend string        // its address, for the error that says that it is down
	For     time.Duration // of real time; 0 is 30 s

	Requests, Errors atomic.Int64 // tries, and those that failed in a way that may pass
}

const defaultPatience = 30 * time.Second

// Do repeats a call whose failure may pass, until patience runs out. A refusal is returned as it came.
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
