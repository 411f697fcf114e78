package clock_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
)

// TestAnAdvanceEndsWithItsContext interrupts an Advance between two functions, and one that waits for another.
func TestAnAdvanceEndsWithItsContext(t *testing.T) {
	t.Parallel()
	c := clock.Manual(start)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ran := 0
	for hour := 1; hour <= 10; hour++ {
		c.At(start.Add(time.Duration(hour)*time.Hour), func() {
			if ran++; ran == 3 {
				cancel()
			}
		})
	}
	err := c.AdvanceContext(ctx, 24*time.Hour)
	var interrupted *clock.InterruptedError
	if !errors.As(err, &interrupted) || !errors.Is(err, context.Canceled) || interrupted.Moved != 3*time.Hour ||
		interrupted.Of != 24*time.Hour {
		t.Fatalf("%v", err)
	}
	if ran != 3 || !c.Now().Equal(start.Add(3*time.Hour)) {
		t.Fatalf("%d functions ran, and it is %v", ran, c.Now())
	}
	if err := c.Advance(interrupted.Of - interrupted.Moved); err != nil || ran != 10 ||
		!c.Now().Equal(start.Add(24*time.Hour)) {
		t.Fatalf("after the rest %d functions ran, and it is %v: %v", ran, c.Now(), err)
	}

	begun, end, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	c.At(c.Now().Add(time.Hour), func() { close(begun); <-end })
	go func() { done <- c.Advance(2 * time.Hour) }()
	<-begun
	if err := c.AdvanceContext(ctx, time.Hour); !errors.As(err, &interrupted) || interrupted.Moved != 0 {
		t.Errorf("while another one runs: %v", err)
	}
	close(end)
	if err := <-done; err != nil || !c.Now().Equal(start.Add(26*time.Hour)) {
		t.Errorf("%v, and it is %v", err, c.Now())
	}
}
