package store

import (
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// readOnlyFS lets a folder be checked without changes: every method that would change it fails.
type readOnlyFS struct{ vfs.FS }

func changes(name string) error {
	return &os.PathError{Op: "write", Path: name, Err: fmt.Errorf("a folder under examination is not changed: %w",
		fs.ErrPermission)}
}

// Create implements vfs.FS.
func (fs readOnlyFS) Create(name string, _ vfs.DiskWriteCategory) (vfs.File, error) {
	return nil, changes(name)
}

// Link implements vfs.FS.
func (fs readOnlyFS) Link(_, newname string) error { return changes(newname) }

// OpenReadWrite implements vfs.FS.
func (fs readOnlyFS) OpenReadWrite(name string, _ vfs.DiskWriteCategory, _ ...vfs.OpenOption) (vfs.File, error) {
	return nil, changes(name)
}

// Remove implements vfs.FS.
func (fs readOnlyFS) Remove(name string) error { return changes(name) }

// RemoveAll implements vfs.FS.
func (fs readOnlyFS) RemoveAll(name string) error { return changes(name) }

// Rename implements vfs.FS.
func (fs readOnlyFS) Rename(_, newname string) error { return changes(newname) }

// ReuseForWrite implements vfs.FS.
func (fs readOnlyFS) ReuseForWrite(_, newname string, _ vfs.DiskWriteCategory) (vfs.File, error) {
	return nil, changes(newname)
}

// MkdirAll implements vfs.FS.
func (fs readOnlyFS) MkdirAll(dir string, _ os.FileMode) error { return changes(dir) }

// Lock implements vfs.FS. It does nothing: the caller holds the lock already, or cannot take it.
func (fs readOnlyFS) Lock(string) (io.Closer, error) { return noLock{}, nil }

// Unwrap implements vfs.FS.
func (fs readOnlyFS) Unwrap() vfs.FS { return fs.FS }

type noLock struct{}

// Close implements io.Closer.
func (noLock) Close() error { return nil }
