package store

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// How long the disk may take for one write or sync of the log, which requests wait for. A disk that is slow is logged; one
// that takes the limit is as good as gone, and the store fails in place of waiting for good.
const (
	slowDisk  = 5 * time.Second
	stallTime = 60 * time.Second
)

// guardFile is a file of a guardFS. A table whose writing failed is an error to Pebble, which writes it anew, to memory;
// any other file Pebble takes for written.
type guardFile struct {
	vfs.File
	guard      *guardFS
	name       string
	compaction bool
	named      bool // a manifest whose name is on stable storage
	log        bool // requests wait for what is written
	worker     atomic.Pointer[diskWorker]
}

// errNoRoom stops a compaction from writing into the space that the floor keeps free. Pebble tries again later.
var errNoRoom = errors.New("compactions wait for free disk space")

// errTableLost tells Pebble to write a table anew.
var errTableLost = errors.New("the store has failed while this table was being written")

// lost is the answer to a write that did not come to the disk.
func (f *guardFile) lost() error {
	if isTable(f.name) {
		return errTableLost
	}
	return nil
}

// swallow drops what is written after the failure.
func (f *guardFile) swallow(p []byte) (int, error) {
	if err := f.lost(); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Write implements vfs.File.
func (f *guardFile) Write(p []byte) (int, error) {
	if f.guard.frozen.Load() {
		return f.swallow(p)
	}
	if f.compaction && f.guard.space.isFull() {
		return 0, errNoRoom
	}
	err := f.timed("write", func() error {
		n, err := f.File.Write(p)
		if err == nil && n < len(p) {
			err = io.ErrShortWrite
		}
		return err
	})
	if f.guard.refused("write", f.name, err) {
		return f.swallow(p)
	}
	f.guard.space.wrote(len(p))
	return len(p), nil
}

func (f *guardFile) synced(err error) error {
	if f.guard.refused("sync", f.name, err) {
		return f.lost()
	}
	return nil
}

// Sync implements vfs.File.
func (f *guardFile) Sync() error {
	if f.guard.frozen.Load() {
		return f.lost()
	}
	if err := f.synced(f.timed("sync", f.File.Sync)); err != nil || f.named || !strings.HasPrefix(filepath.Base(f.name), "MANIFEST-") {
		return err
	}
	f.named = true
	return f.synced(f.guard.syncName(f.name))
}

// SyncData implements vfs.File.
func (f *guardFile) SyncData() error {
	if f.guard.frozen.Load() {
		return f.lost()
	}
	return f.synced(f.timed("sync", f.File.SyncData))
}

// SyncTo implements vfs.File.
func (f *guardFile) SyncTo(length int64) (full bool, err error) {
	if f.guard.frozen.Load() {
		return false, f.lost()
	}
	full, err = f.File.SyncTo(length)
	return full, f.synced(err)
}

// Preallocate implements vfs.File. It only asks for space ahead of need.
func (f *guardFile) Preallocate(offset, length int64) error {
	if f.guard.frozen.Load() {
		return nil
	}
	return f.File.Preallocate(offset, length)
}

// ReadAt implements vfs.File.
func (f *guardFile) ReadAt(p []byte, offset int64) (int, error) {
	n, err := f.File.ReadAt(p, offset)
	return n, f.unread(err)
}

// Read implements vfs.File.
func (f *guardFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	return n, f.unread(err)
}

func (f *guardFile) unread(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return &ReadError{Path: f.name, Err: cause(err)}
}

// timed runs an operation on the log, which requests wait for, with a limit of time. An operation that takes longer is left
// behind with what it holds.
func (f *guardFile) timed(op string, run func() error) error {
	if !f.log {
		return run()
	}
	w := f.worker.Swap(nil)
	if w == nil {
		w = newDiskWorker()
	}
	err := w.do(run, func() {
		f.guard.logger.Warn("the disk is slow: writes wait for it", "operation", op, "file", f.name, "waiting", slowDisk)
	})
	if err == errNotAnswered || !f.worker.CompareAndSwap(nil, w) {
		w.stop()
	}
	return err
}

// Close implements vfs.File. It ends the worker, which has no operation: Pebble ends them before.
func (f *guardFile) Close() error {
	if w := f.worker.Swap(nil); w != nil {
		w.stop()
	}
	return f.File.Close()
}
