package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

func tryPut(s *store.Store, key, value string) error {
	return s.Update(store.Latch([]byte(key)), func(tx *store.Tx) error { return tx.Set([]byte(key), []byte(value)) })
}

// isLog matches what a log cannot do without: if the disk refuses to reserve space, nothing is lost.
func isLog(op, name string) bool { return op != "allocate" && strings.HasSuffix(name, ".log") }

// onLaterLogs matches an operation on logs that Pebble makes in place of old ones, once it has some.
func onLaterLogs(op string) func(op, name string) bool {
	var created atomic.Int64
	return func(o, name string) bool {
		if o == "create" && isLog(o, name) {
			created.Add(1)
		}
		return o == op && isLog(o, name) && created.Load() > 6
	}
}

// A disk that refuses one operation on the log stops the store: every writer gets the error, nobody waits, and nothing
// that was not acknowledged can be read.
func TestRefusedLogStopsTheStore(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		fault fault
	}{
		{"full", fault{err: noSpace, only: isLog}},
		{"full once", fault{err: noSpace, only: isLog, once: true}},
		{"torn", fault{err: noSpace, only: isLog, torn: true}},
		{"broken", fault{err: broken, only: isLog}},
		{"sync", fault{err: broken, only: func(op, name string) bool { return op == "sync" && isLog(op, name) }, once: true}},
		{"rotation", fault{err: noSpace, only: func(op, name string) bool { return op == "create" && isLog(op, name) }}},
		{"later write", fault{err: noSpace, only: onLaterLogs("write")}},
		{"later sync", fault{err: broken, only: onLaterLogs("sync")}},
		{"later rotation", fault{err: noSpace, only: onLaterLogs("create")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			disk := newFaultyDisk()
			s := mustOpenOn(t, disk, 0)
			if err := tryPut(s, "before", "kept"); err != nil {
				t.Fatal(err)
			}
			c.fault.at = 1
			disk.set(c.fault)
			await.Return(t, "writing", func() { writeUntilFailure(t, s) })
			checkStopped(t, s)
			await.Return(t, "closing", func() {
				if err := s.Close(); !isFailure(err) {
					t.Errorf("Close of a failed store returned %v, want its failure", err)
				}
			})
		})
	}
}

// writeUntilFailure runs several writers, which write more than fits into the memtables, until each is refused.
func writeUntilFailure(t *testing.T, s *store.Store) {
	var writers sync.WaitGroup
	for w := range 8 {
		writers.Go(func() {
			for i := 0; ; i++ {
				err := tryPut(s, fmt.Sprintf("writer %d, %d", w, i), strings.Repeat("x", 20_000))
				if err == nil {
					continue
				}
				if !isFailure(err) {
					t.Errorf("writer %d got %v, want the failure", w, err)
				}
				return
			}
		})
	}
	writers.Wait()
}

func isFailure(err error) bool {
	var failure *store.Failure
	return errors.As(err, &failure) && !strings.Contains(err.Error(), "\n")
}

// checkStopped checks a failed store: every write returns the same cause, and every read returns acknowledged data or
// the cause.
func checkStopped(t *testing.T, s *store.Store) {
	t.Helper()
	await.Return(t, "the wait for Failed", func() { <-s.Failed() }) // it is closed once the failure is logged
	await.Return(t, "a write after the failure", func() {
		if err := tryPut(s, "after", "lost"); !isFailure(err) || err.Error() != s.Err().Error() {
			t.Errorf("a write after the failure returned %v, want %v", err, s.Err())
		}
	})
	await.Return(t, "a read after the failure", func() {
		err := s.Get([]byte("before"), func(value []byte, ok bool) error {
			if !ok || !bytes.Equal(value, []byte("kept")) {
				t.Errorf("after the failure the first key has %q, %v", value, ok)
			}
			return nil
		})
		if err != nil && !isFailure(err) {
			t.Errorf("a read after the failure returned %v, want the failure", err)
		}
		err = s.Get([]byte("after"), func(_ []byte, ok bool) error {
			if ok {
				t.Error("a write that was refused can be read")
			}
			return nil
		})
		if err != nil && !isFailure(err) {
			t.Errorf("a read after the failure returned %v, want the failure", err)
		}
	})
}

// A table or a manifest that cannot be written stops the store too, and acknowledged data stays readable.
func TestRefusedTableStopsTheStore(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{".sst", "MANIFEST"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			disk := newFaultyDisk()
			s := mustOpenOn(t, disk, 0)
			if err := tryPut(s, "before", "kept"); err != nil {
				t.Fatal(err)
			}
			disk.set(fault{at: 1, err: noSpace, only: func(_, name string) bool {
				return strings.Contains(path.Base(name), kind) // the folder is named after the test
			}})
			await.Return(t, "writing", func() { writeUntilFailure(t, s) })
			if _, hit := disk.count(); !strings.Contains(path.Base(hit), kind) {
				t.Errorf("the disk has refused %q first", hit)
			}
			checkStopped(t, s)
			await.Return(t, "closing", func() { _ = s.Close() })
		})
	}
}

// A folder on a full disk is refused with an error that states the remedy.
func TestOpenOnFullDisk(t *testing.T) {
	t.Parallel()
	dir, disk := t.TempDir(), newFaultyDisk()
	s, err := openOn(dir, disk, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(tryPut(s, "before", "kept"), s.Close()); err != nil {
		t.Fatal(err)
	}
	disk.set(fault{at: 1, err: noSpace})
	await.Return(t, "opening on a full disk", func() {
		_, err := openOn(dir, disk, 0)
		var refusal *store.OpenError
		if !errors.As(err, &refusal) || !errors.Is(err, noSpace) || !strings.Contains(err.Error(), "free space") {
			t.Errorf("opening on a full disk returned %v, want an OpenError that says to free space", err)
		}
	})
	disk.set(fault{})
	if s, err = openOn(dir, disk, 0); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Get([]byte("before"), func(_ []byte, ok bool) error {
		if !ok {
			t.Error("what was acknowledged is gone after a refused opening")
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// TestRefusedOpeningAfterADeletedRange opens a folder whose log deletes a range, as after a crash, while the disk
// cannot be read once Pebble has flushed the log. Its job that reads the statistics of the new table must not end the
// process.
func TestRefusedOpeningAfterADeletedRange(t *testing.T) {
	t.Parallel()
	dir, disk := t.TempDir(), newFaultyDisk()
	s, err := openOn(dir, disk, 0)
	if err != nil {
		t.Fatal(err)
	}
	deletion := func(tx *store.Tx) error { return tx.DeleteRange([]byte("a"), []byte("b")) }
	if err := errors.Join(tryPut(s, "a", ""), tryPut(s, "c", "kept"), s.Update(store.Latches{}, deletion)); err != nil {
		t.Fatal(err)
	}
	crashed := disk.CrashClone(vfs.CrashCloneCfg{})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	await.Return(t, "refused openings", func() {
		for range 5 {
			again := &faultyDisk{MemFS: crashed.CrashClone(vfs.CrashCloneCfg{})}
			flushed := false
			again.set(fault{at: 1, err: broken, reads: true, only: func(op, name string) bool {
				flushed = flushed || op == "create" && strings.HasSuffix(name, ".sst")
				return flushed && op == "list"
			}})
			if s, err := openOn(dir, again, 0); !errors.Is(err, broken) {
				t.Fatalf("opening on a broken disk returned %v, %v, want that it is broken", s, err)
			}
		}
	})
}
