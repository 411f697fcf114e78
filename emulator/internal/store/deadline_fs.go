package store

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// deadlineFS is the disk while a folder is examined, before its database is opened, and during a backup. Each operation
// has a time limit, stallTime. After the first one that the disk has not answered, all others are refused at once, so
// that the examination or the backup ends. Reads may be exempt: see skipUnread.
type deadlineFS struct {
	vfs.FS
	reads      *diskReads
	unanswered atomic.Pointer[fs.PathError] // the operation after which all others are refused
	skipped    *skippedReads                // nil: no read is exempt
}

// limit gives each operation on the folder a time limit, until endLimits. who names what waits, for the log.
func (f *folder) limit(c *condition, who string) {
	f.limits = &deadlineFS{FS: f.disk, reads: newDiskReads(c, who)}
	f.fs = f.limits
}

// skipUnread makes a file that the disk does not read a finding, so that the others are still read. That includes a
// read that the disk does not answer: a disk may retry one bad sector for minutes before it gives up.
func (f *folder) skipUnread() {
	f.findUnread = true
	f.limits.skipped = &skippedReads{}
}

func (f *folder) endLimits() {
	f.limits.reads.close()
	f.fs, f.limits = f.disk, nil
}

// unanswered returns an error with the operation that the disk has not answered in time, or nil.
func (f *folder) unanswered() error {
	if f.limits == nil {
		return nil
	}
	if operation := f.limits.unanswered.Load(); operation != nil {
		return inaccessible(f.dir, operation)
	}
	return nil
}

// within runs an operation with the time limit. It must not share memory with its caller, which may give it up.
func within[T any](d *deadlineFS, op, name string, run func() (T, error)) (T, error) {
	result, err := attempt(d, op, name, func() {}, run)
	d.refuseAfter(err)
	return result, err
}

// refuseAfter makes all operations from now on be refused if err is of one that the disk has not answered.
func (d *deadlineFS) refuseAfter(err error) {
	if unanswered, ok := err.(*fs.PathError); ok && unanswered.Err == errNotAnswered {
		d.unanswered.CompareAndSwap(nil, unanswered)
	}
}

// attempt is within for an operation that may be left unanswered. It calls ended when the operation has ended, even if
// it was abandoned.
func attempt[T any](d *deadlineFS, op, name string, ended func(), run func() (T, error)) (result T, err error) {
	if unanswered := d.unanswered.Load(); unanswered != nil {
		ended()
		return result, unanswered
	}
	result, err = answer(d.reads, op, name, ended, run)
	if err == errNotAnswered {
		err = &fs.PathError{Op: op, Path: name, Err: err}
	}
	return result, err
}

// done is within for an operation that only has an error.
func (d *deadlineFS) done(op, name string, run func() error) error {
	_, err := within(d, op, name, func() (struct{}, error) { return struct{}{}, run() })
	return err
}

func (d *deadlineFS) open(name string, open func() (vfs.File, error)) (vfs.File, error) {
	file, err := opened(d.done, "open", name, open)
	if err != nil {
		return nil, err
	}
	return &deadlineFile{File: file, disk: d, name: name}, nil
}

// Create implements vfs.FS.
func (d *deadlineFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return d.open(name, func() (vfs.File, error) { return d.FS.Create(name, category) })
}

// Open implements vfs.FS.
func (d *deadlineFS) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	return d.open(name, func() (vfs.File, error) { return d.FS.Open(name, opts...) })
}

// OpenReadWrite implements vfs.FS.
func (d *deadlineFS) OpenReadWrite(name string, category vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File,
	error) {
	return d.open(name, func() (vfs.File, error) { return d.FS.OpenReadWrite(name, category, opts...) })
}

// OpenDir implements vfs.FS.
func (d *deadlineFS) OpenDir(name string) (vfs.File, error) {
	return d.open(name, func() (vfs.File, error) { return d.FS.OpenDir(name) })
}

// ReuseForWrite implements vfs.FS.
func (d *deadlineFS) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return d.open(newname, func() (vfs.File, error) { return d.FS.ReuseForWrite(oldname, newname, category) })
}

// Link implements vfs.FS.
func (d *deadlineFS) Link(oldname, newname string) error {
	return d.done("link", newname, func() error { return d.FS.Link(oldname, newname) })
}

// Remove implements vfs.FS.
func (d *deadlineFS) Remove(name string) error {
	return d.done("remove", name, func() error { return d.FS.Remove(name) })
}

// RemoveAll implements vfs.FS.
func (d *deadlineFS) RemoveAll(name string) error {
	return d.done("remove", name, func() error { return d.FS.RemoveAll(name) })
}

// Rename implements vfs.FS.
func (d *deadlineFS) Rename(oldname, newname string) error {
	return d.done("rename", oldname, func() error { return d.FS.Rename(oldname, newname) })
}

// MkdirAll implements vfs.FS.
func (d *deadlineFS) MkdirAll(dir string, perm os.FileMode) error {
	return d.done("create", dir, func() error { return d.FS.MkdirAll(dir, perm) })
}

// Lock implements vfs.FS. A lock that is taken too late is released.
func (d *deadlineFS) Lock(name string) (io.Closer, error) {
	return opened(d.done, "lock", name, func() (io.Closer, error) { return d.FS.Lock(name) })
}

// List implements vfs.FS.
func (d *deadlineFS) List(dir string) ([]string, error) {
	return within(d, "list", dir, func() ([]string, error) { return d.FS.List(dir) })
}

// Stat implements vfs.FS.
func (d *deadlineFS) Stat(name string) (vfs.FileInfo, error) {
	return within(d, "stat", name, func() (vfs.FileInfo, error) { return d.FS.Stat(name) })
}

// GetDiskUsage implements vfs.FS.
func (d *deadlineFS) GetDiskUsage(path string) (vfs.DiskUsage, error) {
	return within(d, "measure", path, func() (vfs.DiskUsage, error) { return d.FS.GetDiskUsage(path) })
}

// Unwrap implements vfs.FS.
func (d *deadlineFS) Unwrap() vfs.FS { return d.FS }

// deadlineFile is a file of a deadlineFS.
type deadlineFile struct {
	vfs.File
	disk    *deadlineFS
	name    string
	running sync.WaitGroup // operations on the file, and abandoned ones
	next    int64          // offset of the next Read
	skipped atomic.Bool    // whether a read was
}

// onFile is within for an operation on a file.
func onFile[T any](f *deadlineFile, op string, run func() (T, error)) (T, error) {
	result, err := attemptOnFile(f, op, run)
	f.disk.refuseAfter(err)
	return result, err
}

// attemptOnFile is attempt for an operation on a file.
func attemptOnFile[T any](f *deadlineFile, op string, run func() (T, error)) (T, error) {
	f.running.Add(1)
	return attempt(f.disk, op, f.name, f.running.Done, run)
}

func (f *deadlineFile) sync(run func() error) error {
	_, err := onFile(f, "sync", func() (struct{}, error) { return struct{}{}, run() })
	return err
}

// fill reads into memory of its own and copies that. What the disk has not answered before is not read again.
func (f *deadlineFile) fill(p []byte, offset int64, read func([]byte) (int, error)) (int, error) {
	part := span{f.name, offset, offset + int64(len(p))}
	if f.disk.skipped.within(part) {
		return 0, &fs.PathError{Op: "read", Path: f.name, Err: errNotAnswered}
	}
	own := make([]byte, len(p))
	n, err := attemptOnFile(f, "read", func() (int, error) { return read(own) })
	if f.disk.skipped.add(part, err) {
		f.skipped.Store(true)
	} else {
		f.disk.refuseAfter(err)
	}
	return copy(p, own[:n]), err
}

// Read implements vfs.File.
func (f *deadlineFile) Read(p []byte) (int, error) {
	n, err := f.fill(p, f.next, f.File.Read)
	f.next += int64(n)
	return n, err
}

// ReadAt implements vfs.File.
func (f *deadlineFile) ReadAt(p []byte, offset int64) (int, error) {
	return f.fill(p, offset, func(own []byte) (int, error) { return f.File.ReadAt(own, offset) })
}

// Write implements vfs.File.
func (f *deadlineFile) Write(p []byte) (int, error) {
	own := bytes.Clone(p)
	return onFile(f, "write", func() (int, error) { return f.File.Write(own) })
}

// WriteAt implements vfs.File.
func (f *deadlineFile) WriteAt(p []byte, offset int64) (int, error) {
	own := bytes.Clone(p)
	return onFile(f, "write", func() (int, error) { return f.File.WriteAt(own, offset) })
}

// Sync implements vfs.File.
func (f *deadlineFile) Sync() error { return f.sync(f.File.Sync) }

// SyncData implements vfs.File.
func (f *deadlineFile) SyncData() error { return f.sync(f.File.SyncData) }

// Stat implements vfs.File.
func (f *deadlineFile) Stat() (vfs.FileInfo, error) {
	return onFile(f, "stat", f.File.Stat)
}

// Close implements vfs.File. After an operation that the disk has not answered, nobody waits for the closing, which
// follows the operations on the file.
func (f *deadlineFile) Close() error {
	var begun atomic.Bool
	closing := func() error {
		if !begun.CompareAndSwap(false, true) {
			return nil
		}
		f.running.Wait()
		return f.File.Close()
	}
	if f.skipped.Load() {
		go closing()
		return nil
	}
	err := f.disk.done("close", f.name, closing)
	if errors.Is(err, errNotAnswered) { // it may have been refused
		go closing()
	}
	return err
}
