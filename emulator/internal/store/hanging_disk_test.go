package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/schedule"
)

// The guarantees of a store if the disk does not respond, in machine time.
const (
	promisedWarning = 5 * time.Second
	promisedEnd     = 60 * time.Second
	promisedClose   = 5 * time.Second // after the failure
)

// TestADiskThatHangsInAWrite makes one disk operation of each kind hang: the update that waits for it ends after a
// minute with the cause, Close ends within 5 more seconds, and once the disk answers nothing is left: no goroutine, for
// which the bubble would wait, and no lock. Acknowledged data is there.
func TestADiskThatHangsInAWrite(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ op, name string }{
		{"write", ".log"}, {"sync", ".log"}, {"create", ".log"}, {"create", ".sst"}, {"write", ".sst"}, {"sync", ".sst"},
		{"write", "MANIFEST-"}, {"sync", "/data"}, {"close", ".log"}, {"close", ".sst"},
		{"allocate", ".log"},
	} {
		t.Run(c.op+" "+c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				hangInAWrite(t, func(op, path string) bool { return op == c.op && strings.Contains(path, c.name) })
			})
		})
	}
	for _, op := range []string{"write", "sync", "create", "close"} {
		t.Run(op+" a later log", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { hangInAWrite(t, onLaterLogs(op)) })
		})
	}
}

// hangInAWrite makes the disk hang in the first operation that only matches, of an operation and a path in the folder.
func hangInAWrite(t *testing.T, only func(op, path string) bool) {
	dir, disk := t.TempDir(), newFaultyDisk()
	var told bytes.Buffer
	s, err := store.Open(store.Options{Dir: dir, Disk: disk, Logger: slog.New(slog.NewTextHandler(&told, nil))})
	if err != nil {
		t.Fatal(err)
	}
	answers := make(chan struct{})
	disk.set(fault{at: 1, once: true, hang: answers, only: func(op, path string) bool {
		return only(op, strings.TrimPrefix(path, dir))
	}})
	acked, began := 0, time.Now()
	for ; err == nil && acked < 2_000; acked++ {
		began = time.Now()
		err = tryPut(s, fmt.Sprint(acked), strings.Repeat("x", 20_000))
		synctest.Wait()
		if _, hit := disk.count(); hit != "" && err == nil { // nobody waits for it yet
			schedule.Advance(promisedEnd)
		}
	}
	if acked--; !isFailure(err) || !strings.Contains(err.Error(), "has not answered for 1m0s") {
		t.Fatalf("update %d returned %v", acked, err)
	}
	if took := time.Since(began); took > promisedEnd {
		t.Errorf("the update took %v", took)
	}
	if !strings.Contains(told.String(), "the disk is slow") || strings.Contains(told.String(),
		"waiting="+promisedEnd.String()) {
		t.Errorf("no warning after %v: %s", promisedWarning, told.String())
	}
	began = time.Now()
	if err := s.Close(); !isFailure(err) {
		t.Errorf("Close returned %v", err)
	}
	if took := time.Since(began); took > promisedClose {
		t.Errorf("Close took %v", took)
	}
	close(answers)
	schedule.Advance(time.Minute)                                 // of the bubble: abandoned operations end
	if _, hit := disk.count(); strings.HasPrefix(hit, "create") { // Pebble forgets a table that it cannot write
		checkClosed(t, disk)
	}
	again, err := openOn(dir, disk, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := contents(again)
	if err = errors.Join(err, again.Close()); err != nil || len(got) < acked {
		t.Errorf("%d of %d acknowledged updates are there, %v", len(got), acked, err)
	}
}

// TestADiskThatHangsInAPrefetch makes the disk hang when Pebble announces that it will read more of a table: the reader
// does not wait for that, and once the disk answers nothing is left.
func TestADiskThatHangsInAPrefetch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, disk := withTable(t)
		answers := make(chan struct{})
		disk.set(fault{at: 1, hang: answers, reads: true, only: only("prefetch")})
		began := time.Now()
		if all, err := contents(s); err != nil || len(all) != fillKeys {
			t.Errorf("a reader finds %d of %d keys, %v", len(all), fillKeys, err)
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("the reader waited for %v", took)
		}
		synctest.Wait()
		if _, hit := disk.count(); hit == "" {
			t.Error("nothing was announced")
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		close(answers)
	})
}

// checkClosed checks that no file is open once a store is closed and the disk answers.
func checkClosed(t *testing.T, disk *faultyDisk) {
	t.Helper()
	if open := disk.open.Load(); open != 0 {
		_, hit := disk.count()
		t.Errorf("after %s hung %d files are still open", hit, open)
	}
}

// fillKeys is how many keys fill writes.
const fillKeys = 60

// fill writes more than one block of a table.
func fill(s *store.Store) (err error) {
	for i := range fillKeys {
		err = errors.Join(err, tryPut(s, fmt.Sprintf("key %02d", i), strings.Repeat("x", 3_000)))
	}
	return err
}

// withTable opens a folder that has tables, with nothing in its cache.
func withTable(t *testing.T) (*store.Store, *faultyDisk) {
	dir, disk := t.TempDir(), newFaultyDisk()
	for range 2 { // the second opening writes a table
		s, err := openOn(dir, disk, 0)
		if err == nil {
			err = errors.Join(fill(s), s.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s, err := openOn(dir, disk, 0)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Wait() // Pebble reads about tables in the background at first
	return s, disk
}

// TestADiskThatHangsInARead makes reads of a table hang: after a minute the reader gets an error with the file, the
// store continues, and reads succeed once the disk answers.
func TestADiskThatHangsInARead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, disk := withTable(t)
		answers := make(chan struct{})
		disk.set(fault{at: 1, hang: answers, reads: true, only: func(op, name string) bool {
			return op == "read" && strings.HasSuffix(name, ".sst")
		}})
		read := func() error { return s.Get([]byte("key 50"), func([]byte, bool) error { return nil }) }
		began := time.Now()
		var unread *store.ReadError
		if err := read(); !errors.As(err, &unread) || !strings.HasSuffix(unread.Path, ".sst") {
			t.Errorf("the read returned %v", err)
		}
		if took := time.Since(began); took != promisedEnd {
			t.Errorf("the read took %v", took)
		}
		if err := s.Err(); err != nil {
			t.Errorf("a read failed the store: %v", err)
		}
		close(answers)
		if err := errors.Join(read(), tryPut(s, "another", "value"), s.Close()); err != nil {
			t.Error(err)
		}
	})
}

// TestADiskThatHangsWhenATableIsOpened makes the disk hang when a new table is opened, or when it is asked for its
// size: the first reader gets an error with the file after a minute, and reads succeed once the disk answers.
func TestADiskThatHangsWhenATableIsOpened(t *testing.T) {
	t.Parallel()
	for _, op := range []string{"open", "stat"} {
		synctest.Test(t, func(t *testing.T) {
			disk := newFaultyDisk()
			disk.memTable = memTables[1]
			s := mustOpenOn(t, disk, 0)
			answers := make(chan struct{})
			disk.set(fault{at: 1, hang: answers, reads: true, only: func(o, name string) bool {
				return o == op && strings.HasSuffix(name, ".sst")
			}})
			if err := fill(s); err != nil {
				t.Fatal(err)
			}
			synctest.Wait() // the memtables are written
			read := func() error { return s.Get([]byte("key 00"), func([]byte, bool) error { return nil }) }
			began := time.Now()
			var unread *store.ReadError
			if err := read(); !errors.As(err, &unread) || !strings.HasSuffix(unread.Path, ".sst") {
				t.Errorf("the read returned %v", err)
			}
			if took := time.Since(began); took > promisedEnd {
				t.Errorf("the read took %v", took)
			}
			close(answers)
			if err := errors.Join(read(), tryPut(s, "another", "value"), s.Close()); err != nil {
				t.Error(err)
			}
			synctest.Wait()
			if op == "open" { // Pebble forgets a table whose size it cannot learn
				checkClosed(t, disk)
			}
		})
	}
}

// TestADiskThatHangsInClose makes the disk hang while a store is closed, when the record gets its last state: Close
// ends within 70 seconds with the cause.
func TestADiskThatHangsInClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir, disk := t.TempDir(), newFaultyDisk()
		s, err := openOn(dir, disk, 0)
		if err == nil {
			err = tryPut(s, "key", "value")
		}
		if err != nil {
			t.Fatal(err)
		}
		answers := make(chan struct{})
		disk.set(fault{at: 1, hang: answers, only: func(op, name string) bool {
			return op == "sync" && strings.HasSuffix(name, "INTEGRITY")
		}})
		began := time.Now()
		if err := s.Close(); !isFailure(err) {
			t.Errorf("Close returned %v", err)
		}
		if took := time.Since(began); took > promisedEnd+2*promisedClose {
			t.Errorf("Close took %v", took)
		}
		close(answers)
	})
}

// TestAFailedStoreIsReleasedWithItsLastOperation closes a failed store while an operation runs: Close returns after 5
// seconds, and when the operation has ended, nothing is left: no goroutine, for which the bubble would wait, and no
// lock.
func TestAFailedStoreIsReleasedWithItsLastOperation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir, disk := t.TempDir(), newFaultyDisk()
		s, err := openOn(dir, disk, 0)
		if err == nil {
			err = tryPut(s, "key", "value")
		}
		if err != nil {
			t.Fatal(err)
		}
		end, ended := make(chan struct{}), make(chan error)
		go func() { ended <- s.View(func(*store.Reader) error { <-end; return nil }) }()
		synctest.Wait() // until the view runs
		disk.set(fault{at: 1, err: broken, only: isLog})
		if err := tryPut(s, "another", "value"); !isFailure(err) {
			t.Errorf("a refused write returned %v", err)
		}
		disk.set(fault{})
		began := time.Now()
		if err := s.Close(); !isFailure(err) {
			t.Errorf("Close returned %v", err)
		}
		if took := time.Since(began); took != promisedClose {
			t.Errorf("Close took %v", took)
		}
		refused := "is in use by another emulator"
		if _, err := openOn(dir, disk, 0); err == nil || !strings.Contains(err.Error(), refused) {
			t.Errorf("while the operation runs, opening returned %v", err)
		}
		close(end)
		if err := <-ended; err != nil && !isFailure(err) {
			t.Errorf("the view returned %v", err)
		}
		synctest.Wait()
		again, err := openOn(dir, disk, 0)
		if err != nil {
			t.Fatal(err)
		}
		got, err := contents(again)
		if err = errors.Join(err, again.Close()); err != nil || got["key"] != "value" {
			t.Errorf("%v, %v", got, err)
		}
	})
}
