package store

import (
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

const (
	// spaceInterval is how often the free space is read, which costs microseconds.
	spaceInterval = time.Second
	// spaceStep is after how many written bytes the free space is read before the next interval.
	spaceStep = 4 << 20
	// floorShare limits the floor to a tenth of the disk: a floor for large disks would leave a small one unusable.
	floorShare = 10
	// A warning is logged when the free space is below warnFactor times the floor.
	warnFactor = 4
)

// Space is the free space of a folder's disk.
type Space struct {
	Free  uint64 // bytes; 0: not known yet
	Floor uint64 // bytes below which writes are refused
	Low   bool   // whether Free is close to the floor
	Full  bool   // whether Free is below the floor
}

// forBackup refuses a backup of that many bytes in a folder if it would take the disk below its floor.
func (s Space) forBackup(dir string, bytes uint64) error {
	if s.Free != 0 && s.Free < s.Floor+bytes {
		return &SpaceError{Dir: dir, Free: s.Free, Floor: s.Floor, Backup: bytes}
	}
	return nil
}

// SpaceError refuses a write because the disk has less free space than the floor, or a backup that would take it below
// the floor. Writes continue once the disk has more.
type SpaceError struct {
	Dir         string
	Free, Floor uint64 // bytes
	Backup      uint64 // bytes that the backup would take; 0: the error is of a write
}

// Error returns the folder, the free space and the remedy.
func (e *SpaceError) Error() string {
	if e.Backup > 0 {
		return fmt.Sprintf("the backup needs %d MB on the disk of %s, which has %d MB free and must keep %d MB free: free space on it, then try again",
			(e.Backup+(1<<20-1))>>20, e.Dir, e.Free>>20, e.Floor>>20)
	}
	return fmt.Sprintf("the disk of %s has %d MB free, and writes need %d MB: free space on it, and writes resume", e.Dir,
		e.Free>>20, e.Floor>>20)
}

// spaceWatch watches the free space of a folder's disk. A nil spaceWatch has no floor.
type spaceWatch struct {
	disk    vfs.FS
	dir     string
	minFree uint64
	logger  *slog.Logger
	written atomic.Int64 // bytes since the last look
	space   atomic.Pointer[Space]
	mu      sync.Mutex // held during look
	stop    chan struct{}
}

// watchSpace starts to watch, after the first look of the caller; close stops it. It returns nil if minFree is 0.
func watchSpace(disk vfs.FS, dir string, minFree uint64, logger *slog.Logger) *spaceWatch {
	if minFree == 0 {
		return nil
	}
	w := &spaceWatch{disk: disk, dir: dir, minFree: minFree, logger: logger, stop: make(chan struct{})}
	w.space.Store(&Space{})
	go w.run()
	return w
}

func (w *spaceWatch) run() {
	ticker := time.NewTicker(spaceInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			_ = w.look(w.disk)
		case <-w.stop:
			return
		}
	}
}

func (w *spaceWatch) close() {
	if w != nil {
		close(w.stop)
	}
}

// look reads the free space of a disk and logs when it becomes low, too low, or sufficient again. It does not wait for
// another look. Errors: the disk's, after which the free space stays as it was.
func (w *spaceWatch) look(disk vfs.FS) error {
	if w == nil || !w.mu.TryLock() {
		return nil
	}
	defer w.mu.Unlock()
	w.written.Store(0)
	usage, err := disk.GetDiskUsage(w.dir)
	if err != nil {
		w.logger.Debug("the free disk space is unknown", "folder", w.dir, "error", err)
		return err
	}
	before := w.space.Load()
	now := w.assess(usage, before.Full)
	w.space.Store(&now)
	switch {
	case now.Full && !before.Full:
		w.logger.Error(w.refusal().Error())
	case before.Full && !now.Full:
		w.logger.Warn("the disk has enough free space again: writes go on", "folder", w.dir, "freeMB", now.Free>>20)
	case now.Low && !before.Low:
		w.logger.Warn("the disk is nearly full: free space on it, or writes will be refused",
			"folder", w.dir, "freeMB", now.Free>>20, "floorMB", now.Floor>>20)
	}
	return nil
}

// assess compares the free space with the floor. Once it was below the floor, it must exceed the floor by a quarter.
func (w *spaceWatch) assess(usage vfs.DiskUsage, wasFull bool) Space {
	floor := min(w.minFree, usage.TotalBytes/floorShare)
	enough := floor
	if wasFull {
		enough += floor / 4
	}
	return Space{Free: usage.AvailBytes, Floor: floor, Low: usage.AvailBytes < warnFactor*floor,
		Full: usage.AvailBytes < enough}
}

// wrote counts bytes written to the disk.
func (w *spaceWatch) wrote(bytes int) {
	if w != nil && w.written.Add(int64(bytes)) >= spaceStep {
		_ = w.look(w.disk)
	}
}

func (w *spaceWatch) isFull() bool { return w != nil && w.space.Load().Full }

// refusal returns the error for writes below the floor.
func (w *spaceWatch) refusal() *SpaceError {
	s := w.space.Load()
	return &SpaceError{Dir: w.dir, Free: s.Free, Floor: s.Floor}
}
