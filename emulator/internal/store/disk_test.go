package store_test

import (
	"cmp"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// faultyDisk is a disk in memory that counts the operations on it and can refuse any of them.
type faultyDisk struct {
	*vfs.MemFS
	mu    sync.Mutex
	ops   int
	fault fault
	hit   string                // the operation that was refused first
	usage vfs.DiskUsage         // zero: unknown
	watch func(op, name string) // called before each operation that changes the disk, without mu

	open      atomic.Int64 // files that are open
	compacted sync.Map     // the tables that compactions wrote
	memTable  int          // bytes of the memtables of stores on it; 0: the default
	encrypt   bool         // stores on it are encrypted
}

// fault determines which operations fail, and how.
type fault struct {
	at    int                        // index of the first that may fail, from 1; 0: none
	err   error                      // the error
	only  func(op, name string) bool // nil: any
	once  bool                       // only one operation fails
	torn  bool                       // a failing write writes its first half
	reads bool                       // reads fail too
	byte  int64                      // only reads of this byte of a file fail; 0: of any
	flip  bool                       // tables are read with a flipped bit
	hang  <-chan struct{}            // wait for this instead of failing
}

// only selects the operations with a name.
func only(name string) func(op, name string) bool {
	return func(op, _ string) bool { return op == name }
}

func newFaultyDisk() *faultyDisk { return &faultyDisk{MemFS: vfs.NewCrashableMem()} }

// set replaces the fault and restarts the count of operations.
func (d *faultyDisk) set(f fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ops, d.hit, d.fault = 0, "", f
}

func (d *faultyDisk) faultyByte() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.fault.byte
}

func (d *faultyDisk) count() (ops int, hit string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.ops, d.hit
}

// watchWith sets a function that is called before each operation that is not a read, from any goroutine; nil removes
// it.
func (d *faultyDisk) watchWith(fn func(op, name string)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watch = fn
}

func (d *faultyDisk) watcher() func(op, name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.watch
}

// check counts an operation and returns how it fails, or nil.
func (d *faultyDisk) check(op, name string, read bool) error {
	hang, err := d.next(op, name, read)
	if watch := d.watcher(); watch != nil && !read {
		watch(op, name)
	}
	if hang != nil {
		<-hang
		return nil
	}
	return err
}

func (d *faultyDisk) next(op, name string, read bool) (hang <-chan struct{}, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.fault
	if f.only != nil && !f.only(op, name) || read && !f.reads {
		return nil, nil
	}
	d.ops++
	if f.at == 0 || d.ops < f.at || f.once && d.hit != "" {
		return nil, nil
	}
	if d.hit == "" {
		d.hit = op + " " + name
	}
	if f.hang != nil {
		return f.hang, nil
	}
	return nil, &os.PathError{Op: op, Path: name, Err: f.err}
}

func (d *faultyDisk) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if category == "pebble-compaction" {
		d.compacted.Store(name, true)
	}
	if err := d.check("create", name, false); err != nil {
		return nil, err
	}
	f, err := d.MemFS.Create(name, category)
	return d.wrap(name, f, err)
}

func (d *faultyDisk) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	if err := d.check("open", name, true); err != nil {
		return nil, err
	}
	f, err := d.MemFS.Open(name, opts...)
	return d.wrap(name, f, err)
}

func (d *faultyDisk) OpenReadWrite(name string, category vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File,
	error) {
	if err := d.check("open", name, false); err != nil {
		return nil, err
	}
	f, err := d.MemFS.OpenReadWrite(name, category, opts...)
	return d.wrap(name, f, err)
}

func (d *faultyDisk) OpenDir(name string) (vfs.File, error) {
	f, err := d.MemFS.OpenDir(name)
	return d.wrap(name, f, err)
}

func (d *faultyDisk) wrap(name string, f vfs.File, err error) (vfs.File, error) {
	if err != nil {
		return nil, err
	}
	d.open.Add(1)
	return &faultyFile{File: f, disk: d, name: name}, nil
}

func (d *faultyDisk) Lock(name string) (io.Closer, error) {
	if err := d.check("lock", name, false); err != nil {
		return nil, err
	}
	return d.MemFS.Lock(name)
}

func (d *faultyDisk) List(dir string) ([]string, error) {
	if err := d.check("list", dir, true); err != nil {
		return nil, err
	}
	return d.MemFS.List(dir)
}

func (d *faultyDisk) Stat(name string) (vfs.FileInfo, error) {
	if err := d.check("stat", name, true); err != nil {
		return nil, err
	}
	return d.MemFS.Stat(name)
}

func (d *faultyDisk) Remove(name string) error {
	if err := d.check("remove", name, false); err != nil {
		return err
	}
	return d.MemFS.Remove(name)
}

func (d *faultyDisk) Rename(oldname, newname string) error {
	if err := d.check("rename", oldname, false); err != nil {
		return err
	}
	return d.MemFS.Rename(oldname, newname)
}

func (d *faultyDisk) Link(oldname, newname string) error {
	if err := d.check("link", newname, false); err != nil {
		return err
	}
	return d.MemFS.Link(oldname, newname)
}

func (d *faultyDisk) MkdirAll(dir string, perm os.FileMode) error {
	if err := d.check("mkdir", dir, false); err != nil {
		return err
	}
	return d.MemFS.MkdirAll(dir, perm)
}

func (d *faultyDisk) RemoveAll(name string) error {
	if err := d.check("removeall", name, false); err != nil {
		return err
	}
	return d.MemFS.RemoveAll(name)
}

func (d *faultyDisk) GetDiskUsage(name string) (vfs.DiskUsage, error) {
	if err := d.check("measure", name, true); err != nil {
		return vfs.DiskUsage{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.usage == (vfs.DiskUsage{}) {
		return d.usage, vfs.ErrUnsupported
	}
	return d.usage, nil
}

func (d *faultyDisk) setUsage(free, total uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.usage = vfs.DiskUsage{AvailBytes: free, TotalBytes: total, UsedBytes: total - free}
}

// faultyFile is a file of a faultyDisk. After a failed sync, what was not synced never reaches the disk, although later
// syncs succeed, as on Linux.
type faultyFile struct {
	vfs.File
	disk *faultyDisk
	name string
	lost atomic.Bool
}

func (f *faultyFile) Write(p []byte) (int, error) {
	if err := f.disk.check("write", f.name, false); err != nil {
		if f.disk.fault.torn {
			n, _ := f.File.Write(p[:len(p)/2])
			return n, err
		}
		return 0, err
	}
	return f.File.Write(p)
}

func (f *faultyFile) WriteAt(p []byte, offset int64) (int, error) {
	if err := f.disk.check("write", f.name, false); err != nil {
		return 0, err
	}
	return f.File.WriteAt(p, offset)
}

func (f *faultyFile) Sync() error {
	if err := f.disk.check("sync", f.name, false); err != nil {
		f.lost.Store(true)
		return err
	}
	if f.lost.Load() {
		return nil
	}
	return f.File.Sync()
}

// Close closes the file even if it returns an error, as Linux does.
func (f *faultyFile) Close() error {
	err := f.disk.check("close", f.name, false)
	f.disk.open.Add(-1)
	return cmp.Or(err, f.File.Close())
}

func (f *faultyFile) Stat() (vfs.FileInfo, error) {
	if err := f.disk.check("stat", f.name, true); err != nil {
		return nil, err
	}
	return f.File.Stat()
}

func (f *faultyFile) SyncData() error { return f.Sync() }

func (f *faultyFile) SyncTo(int64) (full bool, err error) {
	return false, f.disk.check("sync", f.name, false)
}

// Fd returns the number of a file of the system, without which Pebble does not reserve space for it.
func (f *faultyFile) Fd() uintptr { return 0 }

func (f *faultyFile) Preallocate(_, _ int64) error { return f.disk.check("allocate", f.name, false) }

func (f *faultyFile) Prefetch(_, _ int64) error { return f.disk.check("prefetch", f.name, true) }

func (f *faultyFile) Read(p []byte) (int, error) {
	if err := f.disk.check("read", f.name, true); err != nil {
		return 0, err
	}
	return f.File.Read(p)
}

func (f *faultyFile) ReadAt(p []byte, offset int64) (int, error) {
	if b := f.disk.faultyByte(); b == 0 || offset <= b && b < offset+int64(len(p)) {
		if err := f.disk.check("read", f.name, true); err != nil {
			return 0, err
		}
	}
	n, err := f.File.ReadAt(p, offset)
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if f.disk.fault.flip && n > 0 && strings.HasSuffix(f.name, ".sst") {
		p[n/2] ^= 1
	}
	return n, err
}

// openOn opens a folder whose database is on the disk given.
func openOn(dir string, disk *faultyDisk, minFree uint64) (*store.Store, error) {
	opts := store.Options{Dir: dir, Disk: disk, MinFree: minFree, Encrypt: disk.encrypt}
	return store.Open(opts.WithMemTable(disk.memTable))
}

// mustOpenOn opens a folder on a disk, and closes it at the end of the test, ignoring errors.
func mustOpenOn(t *testing.T, disk *faultyDisk, minFree uint64) *store.Store {
	t.Helper()
	s, err := openOn(t.TempDir(), disk, minFree)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

var (
	noSpace = syscall.ENOSPC
	broken  = syscall.EIO
)
