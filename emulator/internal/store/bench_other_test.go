//go:build !unix

package store_test

import "time"

var started = time.Now()

// cpuTime returns wall-clock time on systems without a CPU time.
func cpuTime() time.Duration { return time.Since(started) }
