package store

import (
	"errors"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// How long one disk operation may take. Requests wait for operations on the log, and in the end for the others too. A
// slow operation is logged; one that takes stallTime makes the store fail, instead of waiting forever.
const (
	slowDisk  = 5 * time.Second
	stallTime = 60 * time.Second
)

// guardFile is a file of a guardFS. If writing a table fails, Pebble gets an error and writes the table again, to
// memory. For any other file, the write returns success to Pebble.
type guardFile struct {
	vfs.File
	guard      *guardFS
	name       string
	compaction bool
	created    bool // opened to be written
	named      bool // a manifest whose name is on stable storage
	worker     atomic.Pointer[diskWorker]
	holds      atomic.Int64 // running operations; Close adds closedFile
	writing    []byte       // copy of what is to be written: Pebble reuses its own memory after an abandoned write
}

// writeSize is how many bytes are gathered for one write. Pebble writes block by block: each took a switch to the
// worker and back, and made the system fill a new page with zeros before the block's part of it, together half of a
// compaction's CPU time. Writes of that size begin at the start of a page.
const writeSize = 128 << 10

// errNoSpaceToCompact stops a compaction from writing into the space that must stay free. Pebble tries again later.
var errNoSpaceToCompact = errors.New("compactions wait for free disk space")

// errTableLost makes Pebble write a table again.
var errTableLost = errors.New("the store has failed while this table was being written")

// lost returns the result of a write that did not reach the disk.
func (f *guardFile) lost() error {
	if isTable(f.name) {
		return errTableLost
	}
	return nil
}

// discard drops a write after the failure.
func (f *guardFile) discard(p []byte) (int, error) {
	if err := f.lost(); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Write implements vfs.File. The last bytes are written when the file is synced or closed.
func (f *guardFile) Write(p []byte) (int, error) {
	if f.compaction && !f.guard.frozen.Load() && f.guard.space.isFull() {
		f.writing = f.writing[:0] // Pebble syncs and closes the table before it removes it
		return 0, errNoSpaceToCompact
	}
	if f.writing == nil && isTable(f.name) {
		f.writing = make([]byte, 0, writeSize)
	}
	for rest := p; len(rest) > 0; {
		if f.guard.frozen.Load() {
			return f.discard(p)
		}
		n := min(len(rest), writeSize-len(f.writing))
		f.writing, rest = append(f.writing, rest[:n]...), rest[n:]
		if len(f.writing) < writeSize {
			break
		}
		if err := f.flush(); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// flush writes what is gathered.
func (f *guardFile) flush() error {
	if f.guard.frozen.Load() {
		return f.lost()
	}
	if len(f.writing) == 0 {
		return nil
	}
	return f.written("write", f.timed("write", f.write))
}

// unwritten is the error of a write before a sync.
type unwritten struct{ error }

// sync writes what is gathered and syncs the file, in one operation for both.
func (f *guardFile) sync(run func() error) error {
	if f.guard.frozen.Load() {
		return f.lost()
	}
	return f.written("sync", f.timed("sync", func() error {
		if err := f.write(); err != nil {
			return unwritten{err}
		}
		return run()
	}))
}

// write is the part of an operation that writes what is gathered.
func (f *guardFile) write() error {
	if len(f.writing) == 0 {
		return nil
	}
	n, err := f.File.Write(f.writing)
	if err == nil && n < len(f.writing) {
		err = io.ErrShortWrite
	}
	f.guard.space.wrote(n)
	return err
}

// written ends an operation that has written what was gathered. What an abandoned one uses is not changed: a frozen
// store writes nothing more.
func (f *guardFile) written(op string, err error) error {
	if write, ok := err.(unwritten); ok {
		op, err = "write", write.error
	}
	if f.guard.refused(op, f.name, err) {
		return f.lost()
	}
	if len(f.writing) > 0 { // a folder has none, and is synced by several goroutines at once
		f.writing = f.writing[:0]
	}
	return nil
}

// Sync implements vfs.File.
func (f *guardFile) Sync() error {
	if err := f.sync(f.File.Sync); err != nil || f.named || !strings.HasPrefix(filepath.Base(f.name), "MANIFEST-") {
		return err
	}
	f.named = true
	return f.sync(func() error { return f.guard.syncName(f.name) })
}

// SyncData implements vfs.File.
func (f *guardFile) SyncData() error { return f.sync(f.File.SyncData) }

// SyncTo implements vfs.File. It is only a hint to the system, for what is written already.
func (f *guardFile) SyncTo(length int64) (full bool, err error) {
	if f.guard.frozen.Load() {
		return false, f.lost()
	}
	var whole bool
	err = f.timed("sync", func() (err error) { whole, err = f.File.SyncTo(length); return err })
	if f.guard.refused("sync", f.name, err) {
		return false, f.lost()
	}
	return whole && len(f.writing) == 0, nil
}

// Preallocate implements vfs.File. It only reserves space: an error is none of the file's, unless the disk does not
// answer.
func (f *guardFile) Preallocate(offset, length int64) error {
	if f.guard.frozen.Load() {
		return nil
	}
	err := f.timed("allocate", func() error { return f.File.Preallocate(offset, length) })
	if err == errNotAnswered {
		f.guard.refused("allocate", f.name, err)
	}
	return nil
}

// Prefetch implements vfs.File. Nobody waits for it: the reads that it announces wait, each with its time limit.
// Without it the first 200 KB of each table that is read in order would be read block by block. Other systems
// than Linux have no such operation, and Windows does not remove a file that one holds.
func (f *guardFile) Prefetch(offset, length int64) error {
	if f.guard.machine && runtime.GOOS != "linux" {
		return nil
	}
	f.holds.Add(1)
	go answer(f.guard.reads, "prefetch", f.name, f.release, func() (struct{}, error) {
		return struct{}{}, f.File.Prefetch(offset, length)
	})
	return nil
}

// ReadAt implements vfs.File. What the system has in memory is read at once: passing a read to a worker and back takes
// more CPU time than the read.
func (f *guardFile) ReadAt(p []byte, offset int64) (int, error) {
	if f.guard.machine && readCached(f.File, p, offset) {
		return len(p), nil
	}
	f.holds.Add(1)
	return f.guard.reads.read(f.name, p, f.release, func(p []byte) (int, error) { return f.File.ReadAt(p, offset) })
}

// Read implements vfs.File.
func (f *guardFile) Read(p []byte) (int, error) {
	f.holds.Add(1)
	return f.guard.reads.read(f.name, p, f.release, f.File.Read)
}

// Stat implements vfs.File.
func (f *guardFile) Stat() (vfs.FileInfo, error) {
	f.holds.Add(1)
	return inquire(f.guard.reads, "stat", f.name, f.release, f.File.Stat)
}

// timed runs an operation on the open file, with a time limit. An operation that takes longer is abandoned with what it
// holds.
func (f *guardFile) timed(op string, run func() error) error {
	f.holds.Add(1)
	return f.limited(op, func() error { defer f.release(); return run() })
}

// limited runs an operation in the worker, with a time limit after which it is abandoned.
func (f *guardFile) limited(op string, run func() error) error {
	w := f.worker.Swap(nil)
	if w == nil {
		w = newDiskWorker()
	}
	err := w.do(run, func() { f.guard.logSlow("writes wait", op, f.name) })
	if err == errNotAnswered || !f.worker.CompareAndSwap(nil, w) {
		w.stop()
	}
	return err
}

// closedFile is greater than any number of operations on a file.
const closedFile = 1 << 32

// release releases the hold of an operation that has ended. The last abandoned one closes the file.
func (f *guardFile) release() {
	if f.holds.Add(-1) == closedFile {
		_ = f.File.Close()
	}
}

// Close implements vfs.File. It ends the worker, which is idle: Pebble ends its operations first. A file with an
// abandoned operation is closed once that has ended.
func (f *guardFile) Close() error {
	_ = f.flush() // if the disk refuses it, the store is frozen
	f.removeZeros()
	defer f.stopWorker()
	switch {
	case f.holds.Add(closedFile) != closedFile:
		return nil
	case f.guard.frozen.Load(), !f.created && f.guard.reads.stuck.Load() > 0:
		go f.File.Close() // nobody needs the result, for which each file could wait on a disk that does not answer
		return nil
	}
	return f.closed(f.limited("close", f.File.Close))
}

// closed returns the result of closing the file. A disk in a network, or one with quotas, may report only now that it
// has lost what was written. An error on a file that was only read loses nothing, unless the disk does not answer.
func (f *guardFile) closed(err error) error {
	if !f.created && err != errNotAnswered {
		return nil
	}
	if f.guard.refused("close", f.name, err) && f.created {
		return f.lost()
	}
	return nil
}

// stopWorker ends the worker, unless an operation runs.
func (f *guardFile) stopWorker() {
	if w := f.worker.Swap(nil); w != nil {
		w.stop()
	}
}
