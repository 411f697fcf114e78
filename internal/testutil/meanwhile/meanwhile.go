// Package meanwhile is for tests that read what others are writing while the clock moves.
package meanwhile

import "sync"

// Look calls look repeatedly until all writers are done, and once more after that, so that the last call sees all
// writes.
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
