//go:build !unix

package store_test

import "time"

var started = time.Now()

// cpuTime returns the time on the wall where the processor's is not to be had.
func cpuTime() time.Duration { return time.Since(started) }
