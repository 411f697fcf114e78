package floor

import (
	"path/filepath"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// logSize is the size in bytes of the log's file. At its end the log begins again.
const logSize = 64 << 20

// syncedLog is the least that keeps a write on a disk: it writes bytes to a file that is as large already, so that a
// sync has nothing else to write, and syncs those of all who wait at once.
type syncedLog struct {
	file vfs.File
	end  int64

	mu      sync.Mutex
	pending *group
	wake    sync.Cond
}

// group is what is synced at once.
type group struct {
	content []byte
	err     error
	synced  chan struct{} // closed when err is known
}

func newGroup() *group { return &group{synced: make(chan struct{})} }

// openSyncedLog creates the file in a folder, and syncs for as long as the process runs.
func openSyncedLog(folder string) (*syncedLog, error) {
	file, err := vfs.Default.OpenReadWrite(filepath.Join(folder, "log"), vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, err
	}
	zeros := make([]byte, 1<<20)
	for size := 0; size < logSize; size += len(zeros) {
		if _, err := file.Write(zeros); err != nil {
			return nil, err
		}
	}
	if err := file.Sync(); err != nil {
		return nil, err
	}
	l := &syncedLog{file: file, pending: newGroup()}
	l.wake.L = &l.mu
	go l.run()
	return l, nil
}

// append returns when the bytes are on the disk.
func (l *syncedLog) append(content []byte) error {
	l.mu.Lock()
	g := l.pending
	g.content = append(g.content, content...)
	l.mu.Unlock()
	l.wake.Signal()
	<-g.synced
	return g.err
}

func (l *syncedLog) run() {
	for {
		l.mu.Lock()
		for len(l.pending.content) == 0 {
			l.wake.Wait()
		}
		g := l.pending
		l.pending = newGroup()
		l.mu.Unlock()
		g.err = l.sync(g.content)
		close(g.synced)
	}
}

func (l *syncedLog) sync(content []byte) error {
	if l.end+int64(len(content)) > logSize {
		l.end = 0
	}
	n, err := l.file.WriteAt(content, l.end)
	if l.end += int64(n); err != nil {
		return err
	}
	return l.file.SyncData()
}
