// Package meanwhile is for tests that look at what others write while they write it, and while the clock moves.
package meanwhile

import "sync"

// Look calls look again and again until all of writers are done, and once more after that, so that the last call comes
// behind all that was written.
func Look(writers *sync.WaitGroup, look func()) {
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	for {
		select {
		case <-done:
			look()
			return
		default:
			look()
		}
	}
}
