package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

func ofBackup(_, name string) bool { return strings.Contains(name, "backup.tmp") }

// backupFaults returns the ways in which a disk refuses an operation of a backup.
func backupFaults() []fault {
	return []fault{
		{err: noSpace}, {err: broken, once: true, reads: true}, {err: noSpace, once: true, torn: true},
		{err: broken, reads: true},
	}
}

// TestFailedBackupDoesNotAffectTheStore refuses each operation on the files of a backup, one after the other. The
// backup fails with a one-line error, updates continue, and the next backup is complete.
func TestFailedBackupDoesNotAffectTheStore(t *testing.T) {
	t.Parallel()
	for i, f := range backupFaults() {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			disk := newFaultyDisk()
			disk.memTable = memTables[i%2]
			s := mustOpenOn(t, disk, 0)
			stop := writeOn(t, s)
			defer stop()
			f.only = ofBackup
			at := 1
			for ; ; at += opStride() {
				f.at = at
				disk.set(f)
				var stream []byte
				var size int64
				var err error
				await.Return(t, fmt.Sprintf("a backup with operation %d refused", at), func() { stream, size, err = backUp(s) })
				_, hit := disk.count()
				disk.set(fault{})
				if hit == "" {
					break
				}
				if err == nil {
					readStream(t, stream, size)
				}
				// A copy is read back after it was closed. A table that cannot be linked is copied. What follows the last
				// batch of a log is read again.
				harmless := strings.HasPrefix(hit, "removeall") || strings.HasPrefix(hit, "close") ||
					f.once && (strings.HasPrefix(hit, "link") ||
						strings.HasPrefix(hit, "read") && strings.HasSuffix(hit, ".log"))
				if err == nil && !harmless || err != nil && !isOneRemedy(err.Error()) {
					t.Errorf("%s refused: %v", hit, err)
				}
				if s.Err() != nil {
					t.Fatalf("%s refused: the store has failed: %v", hit, s.Err())
				}
			}
			if at < 10 {
				t.Errorf("a backup has only %d operations", at)
			}
			stream, size, err := backUp(s)
			if err != nil {
				t.Fatal(err)
			}
			readStream(t, stream, size)
		})
	}
}

// isOneRemedy reports whether a message is a line that says once what to do.
func isOneRemedy(message string) bool {
	return !strings.Contains(message, "\n") && strings.Count(message, "then try again") == 1
}

// writeOn runs one update after the other until stop is called. Each must succeed.
func writeOn(t *testing.T, s *store.Store) (stop func()) {
	var group sync.WaitGroup
	done := make(chan struct{})
	group.Go(func() {
		for n := 1; ; n++ {
			select {
			case <-done:
				return
			default:
			}
			if err := pair(s, 0, n); err != nil {
				t.Errorf("an update beside the backup: %v", err)
				return
			}
		}
	})
	return sync.OnceFunc(func() {
		close(done)
		group.Wait()
	})
}

// readStream receives a stream as a folder without its root key, which a store on a disk in memory has elsewhere.
func readStream(t *testing.T, stream []byte, size int64) {
	t.Helper()
	if _, err := store.Receive(t.Context(), bytes.NewReader(stream), size,
		store.Options{Dir: filepath.Join(t.TempDir(), "backup")}); err != nil {
		t.Error(err)
	}
}

// TestFaultAtEveryOperationOfABackup refuses each disk operation during a backup, including those on the store's own
// files. The store continues, or stops with the cause; opened again, it has the acknowledged updates and no files of
// the backup.
func TestFaultAtEveryOperationOfABackup(t *testing.T) {
	t.Parallel()
	for i, f := range backupFaults() {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			for f.at = 1; backUpWithFault(t, f); f.at += opStride() {
			}
			if f.at < 16 {
				t.Errorf("a backup has only %d operations", f.at)
			}
		})
	}
}

// backUpWithFault returns false if the backup had fewer operations than the fault waits for.
func backUpWithFault(t *testing.T, f fault) (hit bool) {
	t.Helper()
	dir, disk := t.TempDir(), newFaultyDisk()
	disk.memTable = memTables[f.at%2]
	s, err := openOn(dir, disk, 0)
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "before", "kept")
	disk.set(f)
	await.Return(t, fmt.Sprintf("a backup with operation %d refused", f.at), func() { _, _, err = backUp(s) })
	_, what := disk.count()
	disk.set(fault{})
	want := map[string]string{"before": "kept"}
	failed := s.Err()
	if failed == nil {
		put(t, s, "after", "kept")
		want["after"] = "kept"
	}
	if failed == nil && err != nil && !isOneRemedy(err.Error()) {
		t.Errorf("%s refused: the message of the backup is %q", what, err)
	}
	if failed != nil && !errors.Is(err, failed) {
		t.Errorf("%s refused: the store has failed by %v, and the backup by %v", what, failed, err)
	}
	await.Return(t, "closing", func() { _ = s.Close() })
	if s, err = openOn(dir, disk, 0); err != nil {
		t.Fatalf("%s refused: opening again: %v", what, err)
	}
	defer s.Close()
	if got, err := contents(s); err != nil || !maps.Equal(got, want) {
		t.Errorf("%s refused: %v %s", what, err, differences(got, want))
	}
	if _, err := disk.Stat(filepath.Join(dir, "backup.tmp")); err == nil {
		t.Errorf("%s refused: what the backup left is still there", what)
	}
	return what != ""
}

// TestPowerCutInTheMiddleOfABackup cuts the power after a backup is prepared. The folder opens with every acknowledged
// update.
func TestPowerCutInTheMiddleOfABackup(t *testing.T) {
	t.Parallel()
	dir, disk := t.TempDir(), newFaultyDisk()
	s, err := openOn(dir, disk, 0)
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "key", "value")
	b, err := s.BeginBackup(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, unsynced := range []int{0, 100} {
		after := &faultyDisk{MemFS: disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: unsynced,
			RNG: rand.New(rand.NewPCG(1, 1))})}
		again, err := openOn(dir, after, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := contents(again); err != nil || got["key"] != "value" {
			t.Errorf("after the power cut: %v, %v", got, err)
		}
		if names, err := after.List(dir); err != nil || strings.Contains(strings.Join(names, " "), "backup.tmp") {
			t.Errorf("after the power cut the folder has %v, %v", names, err)
		}
		_ = again.Close()
	}
	b.Close()
	_ = s.Close()
}

// TestABackupKeepsTheFloorOfFreeSpace checks that a backup that would take the disk below its floor is refused before
// it takes anything, and that a running one ends when the disk gets there.
func TestABackupKeepsTheFloorOfFreeSpace(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	disk := newFaultyDisk()
	disk.setUsage(1000*mb, 10_000*mb)
	s := mustOpenOn(t, disk, 64*mb)
	for i := range 100 {
		put(t, s, fmt.Sprint(i), strings.Repeat("x", 20_000)) // 2 MB of log
	}
	disk.setUsage(65*mb, 10_000*mb)
	var full *store.SpaceError
	if _, _, err := backUp(s); !errors.As(err, &full) || full.Backup < 2_000_000 || strings.Contains(err.Error(), "\n") {
		t.Errorf("with a megabyte above the floor a backup of two: %v", err)
	}
	put(t, s, "writes", "go on")
	disk.setUsage(1000*mb, 10_000*mb)
	b, err := s.BeginBackup(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	disk.setUsage(10*mb, 10_000*mb)
	await.True(t, "the floor is seen", func() bool {
		space, _ := s.Space()
		return space.Full
	})
	if err := b.Write(t.Context(), &bytes.Buffer{}); !errors.As(err, &full) {
		t.Errorf("a backup below the floor goes on: %v", err)
	}
}

// givenUpWrites is a disk that reads the copies of a backup as zeros, like a system that could not write them out.
type givenUpWrites struct{ *faultyDisk }

func (d givenUpWrites) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	f, err := d.faultyDisk.Open(name, opts...)
	if err != nil || !ofBackup("", name) || !strings.Contains(name, "OPTIONS") {
		return f, err
	}
	return zeros{f}, nil
}

type zeros struct{ vfs.File }

func (f zeros) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	clear(p[:n])
	return n, err
}

// TestCopiesReadAsTheyWereWritten takes a backup whose unsynced copies are lost.
func TestCopiesReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	s, err := store.Open(store.Options{Dir: t.TempDir(), Disk: givenUpWrites{newFaultyDisk()}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	put(t, s, "key", "value")
	if _, _, err := backUp(s); err == nil || s.Err() != nil {
		t.Errorf("it was backed up: %v; the store: %v", err, s.Err())
	}
}

// busyLogs is a disk whose logs end with the first bytes of another batch whenever they are read.
type busyLogs struct{ *faultyDisk }

func (d busyLogs) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	f, err := d.faultyDisk.Open(name, opts...)
	if err != nil || !isLog("", name) || ofBackup("", name) {
		return f, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return busyFile{f, info.Size() + 60}, nil
}

type busyFile struct {
	vfs.File
	size int64 // bytes
}

func (f busyFile) ReadAt(p []byte, offset int64) (int, error) {
	n, err := f.File.ReadAt(p, offset)
	if more := min(f.size-offset, int64(len(p))); err == io.EOF && more > int64(n) {
		copy(p[n:more], bytes.Repeat([]byte("half a batch"), 10))
		return int(more), nil
	}
	return n, err
}

// TestBackupExcludesAnUnfinishedBatch copies a log in the middle of a write. The copy ends with the previous batch,
// as after a proper close.
func TestBackupExcludesAnUnfinishedBatch(t *testing.T) {
	t.Parallel()
	s, err := store.Open(store.Options{Dir: t.TempDir(), Disk: busyLogs{newFaultyDisk()}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	put(t, s, "key", "value")
	stream, size, err := backUp(s)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := contents(restored(t, stream, size, "")); err != nil || len(got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
}
