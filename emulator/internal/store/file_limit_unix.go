//go:build unix

package store

import "golang.org/x/sys/unix"

// fileLimit returns how many files and connections the process may have open: Go raises the limit at the start as far
// as the system allows.
func fileLimit() int {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0 // Pebble then uses its default
	}
	return int(min(uint64(limit.Cur), 2*openTables))
}
