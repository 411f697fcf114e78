// Package pause waits by the machine's clock, for whoever is not given another one to wait by.
package pause

import (
	"context"
	"time"
)

// For waits for d, and returns early, with ctx's error, when that ends.
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
