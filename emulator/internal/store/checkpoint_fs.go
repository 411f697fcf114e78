package store

import (
	"crypto/sha256"
	"errors"
	"hash"
	"io/fs"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// checkpointFS isolates the store from errors on the files of a checkpoint. A write under dir that the disk refuses is
// an error of the backup only: it does not freeze the store as it does everywhere else ([guardFS]).
//
// Nothing under dir is synced, because nothing there outlives the process. Pebble panics if the sync of a folder fails,
// so it never sees such an error. A copy that does not read back as written is found by the hash of what was written.
type checkpointFS struct {
	vfs.FS             // of all other files
	disk   *deadlineFS // of the backup that runs
	dir    string
	space  *spaceWatch // nil without a floor
	ended  atomic.Bool // the request for the backup has ended

	mu      sync.Mutex
	written map[string]fileRecord // by path; the id is not set
}

// has reports whether a path is that of the checkpoint or below it.
func (c *checkpointFS) has(name string) bool {
	rest, ok := strings.CutPrefix(name, c.dir)
	return ok && (rest == "" || os.IsPathSeparator(rest[0]))
}

// Create implements vfs.FS.
func (c *checkpointFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if !c.has(name) {
		return c.FS.Create(name, category)
	}
	file, err := c.disk.Create(name, category)
	if err != nil {
		return nil, err
	}
	return &copyFile{File: unsyncedFile{file}, fs: c, name: name, sum: sha256.New()}, nil
}

// Link implements vfs.FS. If a link fails, Pebble copies the table, unless a copy would fail for the same reason; it
// takes EPERM for such a reason, but file systems without links return it.
func (c *checkpointFS) Link(oldname, newname string) error {
	if !c.has(newname) {
		return c.FS.Link(oldname, newname)
	}
	err := c.disk.Link(oldname, newname)
	if errors.Is(err, fs.ErrPermission) {
		return &os.LinkError{Op: "link", Old: oldname, New: newname, Err: errors.ErrUnsupported}
	}
	return err
}

// OpenDir implements vfs.FS.
func (c *checkpointFS) OpenDir(name string) (vfs.File, error) {
	if !c.has(name) {
		return c.FS.OpenDir(name)
	}
	dir, err := c.disk.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return unsyncedFile{dir}, nil
}

// MkdirAll implements vfs.FS.
func (c *checkpointFS) MkdirAll(name string, perm os.FileMode) error {
	if !c.has(name) {
		return c.FS.MkdirAll(name, perm)
	}
	return c.disk.MkdirAll(name, perm)
}

// Remove implements vfs.FS.
func (c *checkpointFS) Remove(name string) error {
	if !c.has(name) {
		return c.FS.Remove(name)
	}
	return c.disk.Remove(name)
}

// RemoveAll implements vfs.FS.
func (c *checkpointFS) RemoveAll(name string) error {
	if !c.has(name) {
		return c.FS.RemoveAll(name)
	}
	return c.disk.RemoveAll(name)
}

// Unwrap implements vfs.FS.
func (c *checkpointFS) Unwrap() vfs.FS { return c.FS }

// begin removes an earlier checkpoint and creates the folder of the next one.
func (c *checkpointFS) begin() error {
	c.mu.Lock()
	c.written = map[string]fileRecord{}
	c.mu.Unlock()
	c.ended.Store(false)
	if err := c.disk.RemoveAll(c.dir); err != nil {
		return err
	}
	return c.disk.MkdirAll(c.dir, 0o700)
}

// recordOf returns what was written to a copy; ok is false for a file that is a link.
func (c *checkpointFS) recordOf(name string) (r fileRecord, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok = c.written[name]
	return r, ok
}

// unsyncedFile is a file or folder of a checkpoint, whose Sync does nothing.
type unsyncedFile struct{ vfs.File }

// Sync implements vfs.File.
func (unsyncedFile) Sync() error { return nil }

// SyncData implements vfs.File.
func (unsyncedFile) SyncData() error { return nil }

// SyncTo implements vfs.File.
func (unsyncedFile) SyncTo(int64) (full bool, err error) { return false, nil }

// Preallocate implements vfs.File. It does nothing: nobody waits for a copy.
func (unsyncedFile) Preallocate(_, _ int64) error { return nil }

// copyFile is a file of a checkpoint that is being written.
type copyFile struct {
	vfs.File
	fs     *checkpointFS
	name   string
	sum    hash.Hash
	length int64
}

// Write implements vfs.File. It fails below the floor of free space, and when the request for the backup has ended.
func (f *copyFile) Write(p []byte) (int, error) {
	if f.fs.ended.Load() {
		return 0, errBackupEnded
	}
	if f.fs.space.isFull() {
		return 0, f.fs.space.refusal()
	}
	f.sum.Write(p) // before the file, which may change p
	n, err := f.File.Write(p)
	f.length += int64(n)
	f.fs.space.wrote(n)
	return n, err
}

// Close implements vfs.File.
func (f *copyFile) Close() error {
	r := fileRecord{length: f.length}
	f.sum.Sum(r.sum[:0])
	f.fs.mu.Lock()
	f.fs.written[f.name] = r
	f.fs.mu.Unlock()
	return f.File.Close()
}
