// Package await is for tests that wait: with a timeout far above what anything takes on the slowest machine, and below
// a test's own timeout.
package await

import (
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/pause"
)

// Timeout is the timeout of all waits in tests. What takes longer hangs.
const Timeout = 2 * time.Minute

// Return calls fn, and ends the tests with the stacks of all goroutines if it does not return in time.
func Return(t *testing.T, what string, fn func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		fn()
	}()
	select {
	case <-done:
	case <-time.After(Timeout):
		panic(t.Name() + ": " + what + " did not end")
	}
}

// True calls condition until it returns true, and fails the test if it does not in time.
func True(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for began := time.Now(); !condition(); _ = pause.For(t.Context(), time.Millisecond) {
		if time.Since(began) > Timeout {
			t.Fatalf("never: %s", what)
		}
	}
}
