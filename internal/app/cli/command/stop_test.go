package command

import (
	"strings"
	"testing"
	"time"
)

// TestCommandsHaveATimeLimitToStop runs commands that end by themselves, that end when asked to, and that never end.
func TestCommandsHaveATimeLimitToStop(t *testing.T) {
	t.Parallel()
	stop, never := make(chan struct{}), make(chan struct{})
	defer close(never)
	var stderr strings.Builder
	if got := RunBounded(stop, time.Hour, &stderr, func() int { return 3 }); got != 3 {
		t.Errorf("one that ends: %d, want 3", got)
	}
	close(stop)
	if got := RunBounded(stop, time.Hour, &stderr, func() int { <-stop; return 4 }); got != 4 || stderr.String() != "" {
		t.Errorf("one that stops: %d %q, want 4", got, stderr.String())
	}
	if got := RunBounded(stop, time.Millisecond, &stderr, func() int {
		<-never
		return 0
	}); got != 1 || !strings.Contains(stderr.String(), "SIGTERM") {
		t.Errorf("one that never stops: %d %q, want 1", got, stderr.String())
	}
}
