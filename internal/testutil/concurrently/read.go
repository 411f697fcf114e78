// Package concurrently is for tests that read what others are writing while the clock moves.
package concurrently

import "sync"

// ReadUntilDone calls look repeatedly until all writers are done, and once more after that, so that the last call sees
// all writes.
func ReadUntilDone(writers *sync.WaitGroup, read func()) {
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	for {
		select {
		case <-done:
			read()
			return
		default:
			read()
		}
	}
}
