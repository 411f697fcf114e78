package store_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// secondReceive receives a backup into a folder into which another one is received. Once it has begun, it waits before
// it reads its stream.
type secondReceive struct {
	began, ended chan struct{}
	proceed      chan struct{} // closed to let it read its stream
	err          error
}

func newSecond() *secondReceive {
	return &secondReceive{began: make(chan struct{}), ended: make(chan struct{}), proceed: make(chan struct{})}
}

func (b *secondReceive) start(t *testing.T, stream []byte, size int64, to store.Options) {
	in := io.MultiReader(readerFunc(func([]byte) (int, error) {
		close(b.began)
		<-b.proceed
		return 0, io.EOF
	}), bytes.NewReader(stream))
	go func() {
		defer close(b.ended)
		_, b.err = store.Receive(t.Context(), in, size, to)
	}()
}

// awaitBegin waits until it has begun or was refused.
func (b *secondReceive) awaitBegin() {
	select {
	case <-b.began:
	case <-b.ended:
	}
}

// backupElsewhere returns a stream, and options to receive it on a disk in memory.
func backupElsewhere(t *testing.T) (stream []byte, size int64, to store.Options, disk *faultyDisk) {
	t.Helper()
	key := filepath.Join(t.TempDir(), "desk.key")
	s, err := store.Open(store.Options{Dir: t.TempDir(), RootKey: key})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	put(t, s, "key", "value")
	if stream, size, err = backUp(s); err != nil {
		t.Fatal(err)
	}
	disk = newFaultyDisk()
	return stream, size, store.Options{Dir: "/backups/monday", Disk: disk, RootKey: key}, disk
}

// TestACompleteBackupIsNotTakenForALeftover begins a second backup into a folder before the first is complete, and
// takes its lock right before the first gets its name: the second is refused, and leaves the first as it is.
func TestACompleteBackupIsNotTakenForALeftover(t *testing.T) {
	t.Parallel()
	stream, size, to, disk := backupElsewhere(t)
	second := newSecond()
	locking, lock := make(chan struct{}), make(chan struct{})
	disk.watchWith(func(op, name string) {
		if op != "rename" || filepath.Base(name) != "FORMAT.new" {
			return
		}
		disk.watchWith(func(op, name string) {
			switch {
			case op == "lock":
				close(locking)
				<-lock
			case op == "rename" && name == to.Dir+".partial":
				close(lock)
				second.awaitBegin()
			}
		})
		second.start(t, stream, size, to)
		<-locking
	})
	await.Return(t, "receiving twice", func() {
		if _, err := store.Receive(t.Context(), bytes.NewReader(stream), size, to); err != nil {
			t.Error(err)
		}
		close(second.proceed)
		<-second.ended
	})
	if second.err == nil || !strings.Contains(second.err.Error(), "contains FORMAT") {
		t.Errorf("the second backup returned %v", second.err)
	}
	disk.watchWith(nil)
	checkReceived(t, "nothing", to)
	if names, err := disk.List(to.Dir); err != nil || len(names) != 3 { // the data, the record and the marker
		t.Errorf("the backup has %v, %v", names, err)
	}
}

// TestABackupThatFailsRemovesOnlyItself begins a second backup into a folder while what the first has written is
// removed: the second is refused, or becomes complete.
func TestABackupThatFailsRemovesOnlyItself(t *testing.T) {
	t.Parallel()
	stream, size, to, disk := backupElsewhere(t)
	for at := 1; ; at++ {
		second, removals := newSecond(), 0
		disk.watchWith(func(op, _ string) {
			if !strings.HasPrefix(op, "remove") {
				return
			}
			if removals++; removals == at {
				disk.watchWith(nil)
				second.start(t, stream, size, to)
				second.awaitBegin()
			}
		})
		await.Return(t, "receiving twice", func() {
			if _, err := store.Receive(t.Context(), bytes.NewReader(stream[:len(stream)/2]), size, to); err == nil {
				t.Error("half a stream was received")
			}
			if removals == at {
				close(second.proceed)
				<-second.ended
			}
		})
		disk.watchWith(nil)
		switch {
		case removals < at:
			if at < 2 {
				t.Error("nothing was removed")
			}
			return
		case second.err == nil:
			checkReceived(t, "nothing", to)
		case !strings.Contains(second.err.Error(), "is in use by another backup"):
			t.Errorf("at removal %d the second backup returned %v", at, second.err)
		}
		if err := disk.RemoveAll(to.Dir); err != nil {
			t.Fatal(err)
		}
	}
}

// replacedLocks is the machine's disk. While another process begins a backup there, the first locks are of files that a
// backup has just removed.
type replacedLocks struct {
	vfs.FS
	stale, locks int
}

func (d *replacedLocks) Unwrap() vfs.FS { return d.FS }

func (d *replacedLocks) Lock(name string) (io.Closer, error) {
	lock, err := d.FS.Lock(name)
	if d.locks++; err == nil && d.locks <= d.stale {
		err = errors.Join(os.Rename(name, name+".removed"), os.WriteFile(name, nil, 0o600), os.Remove(name+".removed"))
	}
	return lock, err
}

// TestALockOfARemovedFileIsNone receives a backup while the locks that it takes are of removed files: it takes another
// one, and is refused if that is never the folder's.
func TestALockOfARemovedFileIsNone(t *testing.T) {
	t.Parallel()
	stream, size := knownBackup(t)
	for _, stale := range []int{1, 2, math.MaxInt} {
		disk := &replacedLocks{FS: vfs.Default, stale: stale}
		to := store.Options{Dir: filepath.Join(t.TempDir(), "backup"), Disk: disk}
		_, err := store.Receive(t.Context(), bytes.NewReader(stream), size, to)
		switch {
		case stale < math.MaxInt && (err != nil || disk.locks <= stale):
			t.Errorf("with %d locks of removed files, %d were taken: %v", stale, disk.locks, err)
		case stale == math.MaxInt && (err == nil || !strings.Contains(err.Error(), "is in use by another backup")):
			t.Errorf("without a lock the backup returned %v", err)
		}
	}
}
