package emulator

import (
	"context"
	"os"
	"testing"
	"time"
)

// TestClosingUnderHostileRequests closes an emulator in the middle of each case: Close returns, and nothing is left behind. The unit
// suite tries a few cases, TABLETOP_LIVENESS=all each of them.
func TestClosingUnderHostileRequests(t *testing.T) {
	t.Parallel()
	for i, c := range hostileCases() {
		if os.Getenv(livenessVariable) == "" && (c.long || i%4 != 0) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			a := newArena(t)
			if c.prepare != nil {
				c.prepare(a)
			}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				a.assault(ctx, c)
			}()
			time.AfterFunc(time.Duration(i%7+1)*30*time.Millisecond, cancel)
			<-ctx.Done() // requests are still under way
			began := time.Now()
			if err := a.e.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			t.Logf("it closed in %v", time.Since(began))
			<-ended
		})
	}
}
