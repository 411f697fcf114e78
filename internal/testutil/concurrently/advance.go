package concurrently

import (
	"math/rand/v2"
	"testing"
	"time"
)

// Advance moves a clock by random steps of less than three milliseconds, and one step in ten by jump, until stop is
// called, which waits for the current step. The steps come from the seed. An error of advance fails the test and ends
// the steps.
func Advance(t *testing.T, seed uint64, jump time.Duration, advance func(time.Duration) error) (stop func()) {
	stopped, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		random := rand.New(rand.NewPCG(seed, 0))
		for {
			select {
			case <-stopped:
				return
			default:
			}
			step := time.Duration(random.Int64N(int64(3 * time.Millisecond)))
			if random.IntN(10) == 0 {
				step = jump
			}
			if err := advance(step); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	return func() { close(stopped); <-done }
}
