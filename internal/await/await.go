// Package await is for tests that wait for what must happen: with a bound far above what anything takes on the slowest
// machine, and below a test's own limit.
package await

import (
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/pause"
)

// Patience is how long all waits of tests may take. What hangs takes for ever.
const Patience = time.Minute

// End calls fn and ends the tests, with the stacks of all goroutines, where it does not return: what it waits for does
// not end.
func End(t *testing.T, what string, fn func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		fn()
	}()
	select {
	case <-done:
	case <-time.After(Patience):
		panic(t.Name() + ": " + what + " did not end")
	}
}

// True calls condition until it returns true, and fails the test where it never does.
func True(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for began := time.Now(); !condition(); _ = pause.For(t.Context(), time.Millisecond) {
		if time.Since(began) > Patience {
			t.Fatalf("never: %s", what)
		}
	}
}
