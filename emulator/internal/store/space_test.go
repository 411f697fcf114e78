package store_test

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
	"github.com/tabletop-db/tabletop/internal/testutil/textlog"
)

// Below the floor, writes are refused and reads continue; with enough space, writes continue by themselves.
func TestFloorOfFreeSpace(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	disk := newFaultyDisk()
	disk.setUsage(1000*mb, 10_000*mb)
	s := mustOpenOn(t, disk, 64*mb)
	put(t, s, "before", "kept")
	disk.setUsage(10*mb, 10_000*mb)
	var refusal error
	await.True(t, "a write is refused on a nearly full disk", func() bool {
		refusal = tryPut(s, "more", "x")
		return refusal != nil
	})
	var full *store.SpaceError
	if !errors.As(refusal, &full) || full.Free != 10*mb || full.Floor != 64*mb || strings.Contains(refusal.Error(), "\n") {
		t.Errorf("the write was refused by %v, want a SpaceError of 10 and 64 MB", refusal)
	}
	if space, ok := s.Space(); !ok || !space.Full || s.Err() != nil {
		t.Errorf("Space = %+v, %v; Err = %v, want a full disk and no failure", space, ok, s.Err())
	}
	if err := s.Get([]byte("before"), func(value []byte, ok bool) error {
		if string(value) != "kept" || !ok {
			t.Errorf("on a nearly full disk a read gives %q, %v", value, ok)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	disk.setUsage(1000*mb, 10_000*mb)
	await.True(t, "a write is taken when there is space again", func() bool { return tryPut(s, "after", "x") == nil })
}

// TestAStartAsksForTheFreeSpaceOnce opens a folder: a disk in a network may take long for the answer.
func TestAStartAsksForTheFreeSpaceOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir, disk, asked := t.TempDir(), newFaultyDisk(), 0
		disk.setUsage(1<<30, 1<<40)
		disk.set(fault{only: func(op, name string) bool { // called with the disk locked
			if op == "measure" && name == dir {
				asked++
			}
			return false
		}})
		s, err := openOn(dir, disk, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if space, ok := s.Space(); asked != 1 || !ok || space.Free != 1<<30 {
			t.Errorf("it was asked for %d times, and is %+v, %v", asked, space, ok)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// On a small disk the floor is a tenth of it.
func TestFloorOfASmallDisk(t *testing.T) {
	t.Parallel()
	disk := newFaultyDisk()
	disk.setUsage(20<<20, 100<<20)
	put(t, mustOpenOn(t, disk, 64<<20), "key", "value")
}

// A table that is read with a flipped bit is named, and stops only writes.
func TestDamagedTableIsNamed(t *testing.T) {
	t.Parallel()
	dir, disk := t.TempDir(), newFaultyDisk()
	s, err := openOn(dir, disk, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		put(t, s, "key "+string(rune('a'+i%26))+strings.Repeat("k", i/26), strings.Repeat("x", 20_000))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = openOn(dir, disk, 0); err != nil { // with nothing in its cache
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	disk.set(fault{flip: true})
	var refusal error
	await.Return(t, "reading a damaged table", func() {
		for i := 0; refusal == nil && i < 200; i++ {
			key := "key " + string(rune('a'+i%26)) + strings.Repeat("k", i/26)
			refusal = s.Get([]byte(key), func([]byte, bool) error { return nil })
		}
	})
	var failure *store.Failure
	if !errors.As(refusal, &failure) || !failure.Damaged || !strings.HasSuffix(failure.Path, ".sst") ||
		failure.FirstKey == nil || !isFailure(refusal) {
		t.Fatalf("a damaged table is read as %v, want a Failure that names it and its keys", refusal)
	}
	if err := s.Readable(); err != nil {
		t.Errorf("after damage to a table nothing is readable: %v", err)
	}
	await.Return(t, "a write after the damage", func() {
		if err := tryPut(s, "more", "x"); !isFailure(err) {
			t.Errorf("a write after the damage returned %v", err)
		}
	})
	disk.set(fault{})
	if err := s.Get([]byte("key y"), func(_ []byte, ok bool) error {
		if !ok {
			t.Error("a key elsewhere cannot be read")
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// A sync that the disk refuses after it has damaged a table is told too, to the log and to everyone who asks from then
// on: more is lost by it than the table.
func TestARefusedSyncAfterDamageIsTold(t *testing.T) {
	t.Parallel()
	dir, disk := t.TempDir(), newFaultyDisk()
	for range 2 { // the second opening finds a table
		s, err := openOn(dir, disk, 0)
		if err == nil {
			err = errors.Join(fill(s), s.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var told textlog.Log
	s, err := store.Open(store.Options{Dir: dir, Disk: disk, Logger: slog.New(slog.NewTextHandler(&told, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	isSync := func(op, name string) bool { return op == "sync" && isLog(op, name) }
	syncing, damaged := make(chan struct{}), make(chan struct{})
	disk.set(fault{flip: true, at: 1, err: broken, only: isSync})
	disk.watchWith(func(op, name string) {
		if isSync(op, name) {
			disk.watchWith(nil)
			close(syncing)
			<-damaged
		}
	})
	put := make(chan error, 1)
	go func() { put <- tryPut(s, "another", "value") }()
	<-syncing
	var failure *store.Failure
	if err := readAll(s); !errors.As(err, &failure) || !failure.Damaged {
		t.Errorf("reading a damaged table returned %v", err)
	}
	close(damaged)
	for what, err := range map[string]error{"the update": <-put, "Err": s.Err(), "Readable": s.Readable()} {
		if !errors.As(err, &failure) || failure.Damaged || failure.Op != "sync" {
			t.Errorf("%s returned %v, want the refused sync", what, err)
		}
	}
	for _, line := range []string{"the store accepts no writes", "the store has stopped: cannot sync"} {
		if n := strings.Count(told.String(), line); n != 1 {
			t.Errorf("%q is logged %d times: %s", line, n, told.String())
		}
	}
}

// readAll reads what fill has written.
func readAll(s *store.Store) error {
	for i := range 60 {
		if err := s.Get(fmt.Appendf(nil, "key %02d", i), func([]byte, bool) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}
