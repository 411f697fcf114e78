//go:build unix

package store_test

import (
	"syscall"
	"time"
)

// cpuTime returns the CPU time of the process, which includes flushes, compactions and garbage collection.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
