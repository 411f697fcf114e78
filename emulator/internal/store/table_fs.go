package store

import (
	"io"
	"os"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// tableFS is Pebble's file system in memory, except that sorted tables, which are nearly all of the bytes, are in
// chunks outside the Go heap. On the heap, the garbage collector would let them grow to twice their size before it
// runs, a growing file would be copied over and over, and a deleted one would wait for a collection.
type tableFS struct {
	*vfs.MemFS // everything except the tables: manifests, options, locks
	chunks     chunkPool

	mu     sync.Mutex
	tables map[string]*table
}

func newTableFS() *tableFS {
	return &tableFS{MemFS: vfs.NewMem(), tables: map[string]*table{}}
}

func isTable(name string) bool { return strings.HasSuffix(name, ".sst") }

// Create implements vfs.FS.
func (fs *tableFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if !isTable(name) {
		return fs.MemFS.Create(name, category)
	}
	t := &table{pool: &fs.chunks, name: path.Base(name), modified: time.Now()}
	t.refs.Store(2) // the name and the handle
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if old := fs.tables[name]; old != nil {
		old.unref()
	}
	fs.tables[name] = t
	return &tableFile{table: t}, nil
}

// Open implements vfs.FS.
func (fs *tableFS) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	if !isTable(name) {
		return fs.MemFS.Open(name, opts...)
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	t := fs.tables[name]
	if t == nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
	}
	t.refs.Add(1)
	f := &tableFile{table: t}
	for _, opt := range opts {
		opt.Apply(f)
	}
	return f, nil
}

// Remove implements vfs.FS. The memory stays until the last handle is closed.
func (fs *tableFS) Remove(name string) error {
	if !isTable(name) {
		return fs.MemFS.Remove(name)
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	t := fs.tables[name]
	if t == nil {
		return &os.PathError{Op: "remove", Path: name, Err: os.ErrNotExist}
	}
	delete(fs.tables, name)
	t.unref()
	return nil
}

// Stat implements vfs.FS.
func (fs *tableFS) Stat(name string) (vfs.FileInfo, error) {
	if !isTable(name) {
		return fs.MemFS.Stat(name)
	}
	f, err := fs.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Stat()
}

// release frees all memory. Nothing may use the file system after it.
func (fs *tableFS) release() {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, t := range fs.tables {
		t.unref()
	}
	fs.tables = nil
	fs.chunks.release()
}

// table is the content of one file: it is written once, from start to end, and then only read.
type table struct {
	pool     *chunkPool
	name     string
	modified time.Time
	refs     atomic.Int32
	chunks   [][]byte
	size     int64
}

func (t *table) unref() {
	if t.refs.Add(-1) == 0 {
		t.pool.put(t.chunks)
		t.chunks = nil
	}
}

// tableFile is a handle. Methods that tables do not need come from the nil vfs.File and panic.
type tableFile struct {
	vfs.File
	*table
}

func (f *tableFile) Write(p []byte) (int, error) {
	t := f.table
	for rest := p; len(rest) > 0; {
		if t.size == int64(len(t.chunks))*chunkSize {
			chunk, err := t.pool.get()
			if err != nil {
				return len(p) - len(rest), err
			}
			t.chunks = append(t.chunks, chunk)
		}
		n := copy(t.chunks[len(t.chunks)-1][t.size%chunkSize:], rest)
		t.size += int64(n)
		rest = rest[n:]
	}
	return len(p), nil
}

func (f *tableFile) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	for n < len(p) && off < f.size {
		chunk := f.chunks[off/chunkSize]
		end := min(chunkSize, f.size-off/chunkSize*chunkSize)
		c := copy(p[n:], chunk[off%chunkSize:end])
		n += c
		off += int64(c)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *tableFile) Close() error {
	f.unref()
	return nil
}

func (f *tableFile) Sync() error                    { return nil }
func (f *tableFile) SyncData() error                { return nil }
func (f *tableFile) SyncTo(int64) (bool, error)     { return false, nil }
func (f *tableFile) Preallocate(int64, int64) error { return nil }
func (f *tableFile) Prefetch(int64, int64) error    { return nil }
func (f *tableFile) Fd() uintptr                    { return vfs.InvalidFd }
func (f *tableFile) Stat() (vfs.FileInfo, error)    { return tableInfo{f.table}, nil }

type tableInfo struct{ t *table }

func (i tableInfo) Name() string           { return i.t.name }
func (i tableInfo) Size() int64            { return i.t.size }
func (i tableInfo) Mode() os.FileMode      { return 0o644 }
func (i tableInfo) ModTime() time.Time     { return i.t.modified }
func (i tableInfo) IsDir() bool            { return false }
func (i tableInfo) Sys() any               { return nil }
func (i tableInfo) DeviceID() vfs.DeviceID { return vfs.DeviceID{} }
