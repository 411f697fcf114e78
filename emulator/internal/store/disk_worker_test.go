package store

import (
	"bytes"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/internal/testutil/schedule"
)

// stuckFile is a log on a disk that does not complete a sync until it is released.
type stuckFile struct {
	vfs.File
	release chan struct{} // nil: it answers
}

func (f *stuckFile) Write(p []byte) (int, error) { return len(p), nil }
func (f *stuckFile) Close() error                { return nil }
func (f *stuckFile) SyncData() error {
	if f.release != nil {
		<-f.release
	}
	return nil
}

// newGuarded returns a file with that name as Pebble sees it, over a file, with the guard's condition.
func newGuarded(name string, file vfs.File, to io.Writer) (*guardFile, *condition) {
	c := newCondition(slog.New(slog.NewTextHandler(to, nil)))
	return &guardFile{File: file, guard: newGuardFS(nil, c), name: name}, c
}

func newGuardedLog(file vfs.File, to io.Writer) (*guardFile, *condition) {
	return newGuarded("000001.log", file, to)
}

// TestADiskThatDoesNotAnswerFailsTheStore makes a sync of the log hang: a warning is logged, then the store fails and
// the caller of the sync continues. No goroutine is left once the disk answers: otherwise the bubble would not end.
func TestADiskThatDoesNotAnswerFailsTheStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		disk := &stuckFile{release: make(chan struct{})}
		var told bytes.Buffer
		f, c := newGuardedLog(disk, &told)
		if _, err := f.Write([]byte("x")); err != nil || c.err() != nil {
			t.Fatal(err, c.err())
		}
		began := time.Now()
		if err := f.SyncData(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != stallTime {
			t.Errorf("the sync was waited for %v", took)
		}
		if err := c.err(); err == nil || !strings.Contains(err.Error(), "has not answered for 1m0s") {
			t.Errorf("the store's failure is %v", err)
		}
		if !strings.Contains(told.String(), "the disk is slow") {
			t.Errorf("no warning: %s", told.String())
		}
		close(disk.release)
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestALogKeepsItsGoroutine writes and syncs a log repeatedly: its operations share a goroutine, which ends with the
// file.
func TestALogKeepsItsGoroutine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, c := newGuardedLog(&stuckFile{}, io.Discard)
		worker := func() *diskWorker {
			if _, err := f.Write([]byte("x")); err != nil {
				t.Fatal(err)
			}
			if err := f.SyncData(); err != nil {
				t.Fatal(err)
			}
			return f.worker.Load()
		}
		for first := range 100 {
			if w := worker(); w == nil || w != worker() {
				t.Fatalf("operation %d has another goroutine", first)
			}
			schedule.Advance(time.Second) // longer than one operation may take, in total
		}
		if c.err() != nil {
			t.Error(c.err())
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestLogOperationsMayRunConcurrently runs concurrent operations on one file, which Pebble does not do: none waits for
// another's result.
func TestLogOperationsMayRunConcurrently(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		disk := &stuckFile{release: make(chan struct{})}
		f, c := newGuardedLog(disk, io.Discard)
		synced := make(chan error)
		go func() { synced <- f.SyncData() }()
		synctest.Wait()
		if n, err := f.Write([]byte("four")); n != 4 || err != nil {
			t.Error(n, err)
		}
		close(disk.release)
		if err := <-synced; err != nil || c.err() != nil {
			t.Error(err, c.err())
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
}
