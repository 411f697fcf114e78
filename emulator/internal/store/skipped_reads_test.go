package store

import (
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// TestReadsThatAreSkipped leaves reads unanswered: what includes one of them is refused at once, everything else is
// read, until so many in a row are skipped that the disk counts as one that does not answer.
func TestReadsThatAreSkipped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		disk := &silentDisk{FS: vfs.NewMem(), answers: make(chan struct{})}
		d := &deadlineFS{FS: disk, reads: newDiskReads(newCondition(slog.New(slog.DiscardHandler)), "a check waits"),
			skipped: &skippedReads{}}
		defer d.reads.close()
		defer func() { close(disk.answers) }()
		if err := writeWhole(disk.FS, "temp", "file", make([]byte, 1000)); err != nil {
			t.Fatal(err)
		}
		file, err := d.Open("file")
		if err != nil {
			t.Fatal(err)
		}
		read := func(from, to int64, silent bool, want error, wait time.Duration) {
			t.Helper()
			disk.silent.Store(silent)
			began := time.Now()
			if _, err := file.ReadAt(make([]byte, to-from), from); !errors.Is(err, want) || time.Since(began) != wait {
				t.Errorf("reading bytes %d to %d returned %v after %v", from, to, err, time.Since(began))
			}
		}
		for i := range int64(maxSkippedReads) {
			read(10*i, 10*i+10, true, errNotAnswered, stallTime)
		}
		close(disk.answers)
		synctest.Wait() // otherwise so many threads wait that all operations are refused
		disk.answers = make(chan struct{})
		read(0, 20, true, errNotAnswered, 0)
		read(0, 5, false, nil, 0)
		read(900, 910, false, nil, 0)
		for i := range int64(maxSkippedReads) {
			read(500+i, 501+i, true, errNotAnswered, stallTime)
		}
		if _, err := d.Stat("file"); err != nil {
			t.Error(err)
		}
		read(600, 601, true, errNotAnswered, stallTime)
		if _, err := d.Stat("file"); !errors.Is(err, errNotAnswered) {
			t.Errorf("a disk that answers no read: stat returned %v", err)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	})
}

// silentDisk is a disk that does not answer reads while silent is set, until answers is closed.
type silentDisk struct {
	vfs.FS
	silent  atomic.Bool
	answers chan struct{}
}

// Open implements vfs.FS.
func (d *silentDisk) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	file, err := d.FS.Open(name, opts...)
	return silentFile{file, d}, err
}

type silentFile struct {
	vfs.File
	disk *silentDisk
}

// ReadAt implements vfs.File.
func (f silentFile) ReadAt(p []byte, offset int64) (int, error) {
	if f.disk.silent.Load() {
		<-f.disk.answers
	}
	return f.File.ReadAt(p, offset)
}
