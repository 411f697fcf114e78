//go:build unix

package store_test

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time of the process: flushes, compactions and the collector count, which the clock
// on the wall would miss.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
