package store

import (
	"github.com/cockroachdb/pebble/v2/vfs"
	"golang.org/x/sys/unix"
)

// readCached fills p from the system's cache of a file's content, without waiting for the disk, and reports whether
// all of it was there. A file system that cannot tell is a false.
func readCached(file vfs.File, p []byte, offset int64) bool {
	n, err := unix.Preadv2(int(file.Fd()), [][]byte{p}, offset, unix.RWF_NOWAIT)
	return err == nil && n == len(p)
}
