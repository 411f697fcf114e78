package store

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// guardFS is the disk as Pebble sees it. Pebble cannot continue after a write that the disk refuses: it panics with its
// mutexes locked, or ends the process. So guardFS hides such errors. The first write, sync, creation, rename or closing
// that the disk refuses freezes the store ([condition]); from then on writes to open files are dropped, and new files
// are in memory. Pebble continues, every wait in it ends, and [Store.Update] reports the failure. The disk stays as it
// was at the failure, so that opening the folder again is like opening it after a crash.
type guardFS struct {
	vfs.FS
	*condition
	machine bool        // the disk is the machine's own, not that of a test
	space   *spaceWatch // set before a file is opened; nil without a floor
	after   *vfs.MemFS  // files created after the failure
	reads   *diskReads
	// sizes are questions for the free space, and copies the operations of backups. Those that hang, again and again,
	// must not use up the reads.
	sizes, copies *diskReads

	mu      sync.Mutex
	opening bool
	opened  []*guardFile // while the database is being opened
}

// compactionCategory is Pebble's category of the files that a compaction writes.
const compactionCategory vfs.DiskWriteCategory = "pebble-compaction"

// errStoreFailed ends a compaction after a failure: its result would fill the memory and never reach the disk.
var errStoreFailed = errors.New("the store has failed")

func newGuardFS(disk vfs.FS, c *condition) *guardFS {
	return &guardFS{FS: disk, condition: c, after: vfs.NewMem(), reads: newDiskReads(c, "a read waits"),
		sizes:  newDiskReads(c, "a look at the free space waits"),
		copies: newDiskReads(c, "a backup waits"), opening: true}
}

// stopReads stops the goroutines that are kept for reads.
func (g *guardFS) stopReads() {
	g.reads.close()
	g.sizes.close()
	g.copies.close()
}

// guarded returns a file of the disk with its guard.
func (g *guardFS) guarded(file vfs.File, name string) *guardFile {
	f := &guardFile{File: file, guard: g, name: name}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opening {
		g.opened = append(g.opened, f)
	}
	return f
}

// endOpening ends the opening of the database. After a failure Pebble may not have closed all files: their workers are
// stopped.
func (g *guardFS) endOpening(failed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, f := range g.opened {
		if failed {
			f.stopWorker()
		}
	}
	g.opening, g.opened = false, nil
}

// timed runs an operation that changes a folder, with a time limit after which it is abandoned.
func (g *guardFS) timed(op, name string, run func() error) error {
	w := newDiskWorker()
	defer w.stop()
	return w.do(run, func() { g.logSlow("writes wait", op, name) })
}

// refused reports whether err is an error, and if so freezes the store.
func (g *guardFS) refused(op, name string, err error) bool {
	if err == nil {
		return false
	}
	g.fail(&Failure{Op: op, Path: name, Err: cause(err)})
	return true
}

// complete ends the creation of a folder, whose integrity record has that name.
func (g *guardFS) complete(name string, record *integrityFile) error {
	g.refused("sync", name, g.timed("sync", name, func() error { return record.mark(stateOpen) }))
	return g.err()
}

// cause returns the system's error, without the operation and the path, which a Failure has.
func cause(err error) error {
	var in *fs.PathError
	if errors.As(err, &in) {
		return in.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

// unlikeAbsence returns an error that is not fs.ErrNotExist.
func unlikeAbsence(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New(err.Error())
	}
	return err
}

// Create implements vfs.FS.
func (g *guardFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	compaction := category == compactionCategory
	if compaction && g.frozen.Load() {
		return nil, errStoreFailed
	}
	if !g.frozen.Load() {
		file, err := opened(g.timed, "create", name, func() (vfs.File, error) { return g.FS.Create(name, category) })
		if !g.refused("create", name, err) {
			f := g.guarded(file, name)
			f.created, f.compaction = true, compaction
			return f, nil
		}
	}
	if err := g.after.MkdirAll(path.Dir(name), 0o755); err != nil {
		return nil, err
	}
	return g.after.Create(name, category)
}

// ReuseForWrite implements vfs.FS with a new file, as integrityFS does: the disk below would return a file without a
// guard.
func (g *guardFS) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return createInstead(g, oldname, newname, category)
}

// createInstead removes a file and creates a new one in place of it.
func createInstead(files vfs.FS, oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if err := files.Remove(oldname); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	file, err := files.Create(newname, category)
	if err != nil {
		return nil, err
	}
	return emptyFile{file}, nil
}

// emptyFile is a new file in place of an old one. Pebble asks for its size, in case it is the old one, and cannot
// continue with an error: so the disk is not asked.
type emptyFile struct{ vfs.File }

// Stat implements vfs.File. A folder in memory has the size 0 too.
func (emptyFile) Stat() (vfs.FileInfo, error) { return vfs.NewMem().Stat("/") }

// Open implements vfs.FS.
func (g *guardFS) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	if g.frozen.Load() {
		if file, err := g.after.Open(name); err == nil {
			return file, nil
		}
	}
	file, err := g.reads.open(name, func() (vfs.File, error) { return g.FS.Open(name, opts...) })
	switch {
	case err == nil && isTable(name) && slices.Contains(opts, vfs.SequentialReadsOption):
		return &aheadFile{File: g.guarded(file, name)}, nil
	case err == nil:
		return g.guarded(file, name), nil
	case isTable(name) || !errors.Is(err, fs.ErrNotExist):
		// Pebble ends the process if a table does not exist; other errors it returns.
		return nil, &ReadError{Path: name, Err: unlikeAbsence(cause(err))}
	}
	return nil, err
}

// OpenDir implements vfs.FS.
func (g *guardFS) OpenDir(name string) (vfs.File, error) {
	file, err := g.reads.open(name, func() (vfs.File, error) { return g.FS.OpenDir(name) })
	if err != nil {
		return nil, unread(name, err)
	}
	return g.guarded(file, name), nil
}

// syncName makes the name of a file survive a power cut. Pebble syncs the folder once for a new manifest and the marker
// that names it, after which a disk could have only the marker.
func (g *guardFS) syncName(name string) error {
	dir, err := g.FS.OpenDir(g.FS.PathDir(name))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// Remove implements vfs.FS.
func (g *guardFS) Remove(name string) error {
	if g.frozen.Load() {
		_ = g.after.Remove(name)
		return nil
	}
	err := g.timed("remove", name, func() error { return g.FS.Remove(name) })
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	g.refused("remove", name, err)
	return nil
}

// Rename implements vfs.FS.
func (g *guardFS) Rename(oldname, newname string) error {
	if g.frozen.Load() || g.refused("rename", oldname, g.timed("rename", oldname, func() error {
		return g.FS.Rename(oldname, newname)
	})) {
		_ = g.after.Rename(oldname, newname)
	}
	return nil
}

// Link implements vfs.FS.
func (g *guardFS) Link(oldname, newname string) error {
	if g.frozen.Load() || g.refused("link", oldname, g.timed("link", oldname, func() error {
		return g.FS.Link(oldname, newname)
	})) {
		_ = g.after.Link(oldname, newname)
	}
	return nil
}

// MkdirAll implements vfs.FS.
func (g *guardFS) MkdirAll(dir string, perm os.FileMode) error {
	if !g.frozen.Load() {
		g.refused("create", dir, g.timed("create", dir, func() error { return g.FS.MkdirAll(dir, perm) }))
	}
	return nil
}

// Stat implements vfs.FS.
func (g *guardFS) Stat(name string) (vfs.FileInfo, error) {
	if g.frozen.Load() {
		if info, err := g.after.Stat(name); err == nil {
			return info, nil
		}
	}
	return inquire(g.reads, "stat", name, func() {}, func() (vfs.FileInfo, error) { return g.FS.Stat(name) })
}

// List implements vfs.FS.
func (g *guardFS) List(dir string) ([]string, error) {
	return inquire(g.reads, "list", dir, func() {}, func() ([]string, error) { return g.FS.List(dir) })
}

// GetDiskUsage implements vfs.FS. Pebble limits compactions by it and continues without an answer.
func (g *guardFS) GetDiskUsage(path string) (vfs.DiskUsage, error) {
	usage, err := answer(g.sizes, "measure", path, func() {}, func() (vfs.DiskUsage, error) {
		return g.FS.GetDiskUsage(path)
	})
	if err == errNotAnswered {
		err = vfs.ErrUnsupported
	}
	return usage, err
}

// Unwrap implements vfs.FS.
func (g *guardFS) Unwrap() vfs.FS { return g.FS }
