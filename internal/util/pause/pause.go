// Package pause waits by the machine's clock, for code that has no other clock.
package pause

import (
	"context"
	"time"
)

// For waits for d. If ctx is done earlier, it returns ctx's error.
func For(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
