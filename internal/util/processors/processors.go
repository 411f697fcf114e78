// Package processors decides how many goroutines of a process run at a time.
package processors

import (
	"os"
	"runtime"
)

// count is read before AddOne can change it.
var count = runtime.GOMAXPROCS(0)

// Count returns the number of processors that the process may use: those of the machine, or of its container's limit,
// or the variable GOMAXPROCS.
func Count() int { return count }

// AddOne makes Go run one more goroutine at a time than there are processors, for the rest of the process's life. A
// user who sets the variable GOMAXPROCS is obeyed instead.
//
// By default, Go runs one for each processor, and lets it run for up to 10 ms: requests wait meanwhile for a compaction
// or for the garbage collector, even if the operating system would share the processors in less. And a goroutine that
// waits for a sync of the disk keeps others from running until the runtime notices. On two processors, the 99th
// percentile of reads in a load profile fell from 9 to 4 ms (loadtest run SV-L2), and synced writes became a tenth
// faster; requests in memory need up to a tenth more CPU time, so an emulator without a folder does not call it.
func AddOne() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(count + 1)
	}
}
