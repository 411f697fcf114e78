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

// How long the disk may take for one operation: requests wait for those on the log, and for the others in the end. A
// disk that is slow is logged; one that takes the limit is as good as gone, and the store fails in place of waiting for
// good.
const (
	slowDisk  = 5 * time.Second
	stallTime = 60 * time.Second
)

// guardFile is a file of a guardFS. A table whose writing failed is an error to Pebble, which writes it anew, to
// memory; any other file Pebble takes for written.
type guardFile struct {
	vfs.File
	guard      *guardFS
	name       string
	compaction bool
	named      bool // a manifest whose name is on stable storage
	worker     atomic.Pointer[diskWorker]
	holds      atomic.Int64 // operations that run, with closedFile added by Close
	writing    []byte       // what is being written: Pebble uses its own memory again after a write that was given up
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
	f.writing = append(f.writing[:0], p...)
	err := f.timed("write", func() error {
		n, err := f.File.Write(f.writing)
		if err == nil && n < len(p) {
			err = io.ErrShortWrite
		}
		f.guard.space.wrote(n)
		return err
	})
	if f.guard.refused("write", f.name, err) {
		return f.swallow(p)
	}
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
	return f.synced(f.timed("sync", func() error { return f.guard.syncName(f.name) }))
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
	var whole bool
	if err = f.synced(f.timed("sync", func() error { whole, err = f.File.SyncTo(length); return err })); err == nil {
		full = whole
	}
	return full, err
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
	f.holds.Add(1)
	return f.guard.reads.read(f.name, p, f.letGo, func(p []byte) (int, error) { return f.File.ReadAt(p, offset) })
}

// Read implements vfs.File.
func (f *guardFile) Read(p []byte) (int, error) {
	f.holds.Add(1)
	return f.guard.reads.read(f.name, p, f.letGo, f.File.Read)
}

// timed runs an operation that changes the file with a limit of time. An operation that takes longer is left behind
// with what it holds.
func (f *guardFile) timed(op string, run func() error) error {
	w := f.worker.Swap(nil)
	if w == nil {
		w = newDiskWorker()
	}
	f.holds.Add(1)
	err := w.do(func() error { defer f.letGo(); return run() }, func() {
		f.guard.tellSlow("writes wait", op, f.name)
	})
	if err == errNotAnswered || !f.worker.CompareAndSwap(nil, w) {
		w.stop()
	}
	return err
}

// closedFile is more than the operations that ever run on a file.
const closedFile = 1 << 32

// letGo ends the hold of an operation that has ended. The last of those that were left behind closes the file.
func (f *guardFile) letGo() {
	if f.holds.Add(-1) == closedFile {
		_ = f.File.Close()
	}
}

// Close implements vfs.File. It ends the worker, which has no operation: Pebble ends them before. A file of which the
// disk has not ended an operation is closed once it has.
func (f *guardFile) Close() error {
	if w := f.worker.Swap(nil); w != nil {
		w.stop()
	}
	if f.holds.Add(closedFile) != closedFile {
		return nil
	}
	return f.File.Close()
}
