package store_test

import (
	"errors"
	"fmt"
	"log/slog"
	"path"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/schedule"
	"github.com/tabletop-db/tabletop/internal/testutil/textlog"
)

// TestADiskThatHangsInAStart makes each disk operation of a start hang until Pebble writes a table or a log, of a new
// folder and of one that was killed: the start ends after a minute with the operation. Once the disk answers, the
// folder opens, with all that was acknowledged. While Pebble writes those or asks for the free space it holds a mutex,
// which stops a bubble's clock.
func TestADiskThatHangsInAStart(t *testing.T) {
	t.Parallel()
	for _, acked := range []int{0, 3} {
		operations := 0
		synctest.Test(t, func(t *testing.T) { operations = hangInAStart(t, acked, 0) })
		if operations < 40 {
			t.Errorf("a start of a folder with %d writes has only %d operations", acked, operations)
		}
		for at := 0; at < operations; at += opStride() {
			synctest.Test(t, func(t *testing.T) { hangInAStart(t, acked, at+1) })
		}
	}
}

// hangInAStart makes the disk hang from an operation of a start on; 0 for none. It returns how many operations there
// were until a table or a log was created.
func hangInAStart(t *testing.T, acked, at int) (operations int) {
	disk := newFaultyDisk()
	dir := t.TempDir()
	if acked > 0 {
		s, err := openOn(dir, disk, 0)
		for i := 0; err == nil && i < acked; i++ {
			err = tryPut(s, fmt.Sprint(i), "value")
		}
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		disk = &faultyDisk{MemFS: disk.CrashClone(vfs.CrashCloneCfg{})}
	}
	answers := make(chan struct{})
	writes := false
	disk.set(fault{at: at, hang: answers, reads: true, only: func(op, name string) bool { // called with the disk locked
		created := path.Ext(name)
		if writes = writes || op == "create" && (created == ".log" || created == ".sst"); !writes {
			operations++
		}
		return op != "measure" || path.Base(name) != "data"
	}})
	var told textlog.Log // an abandoned opening may still write to it
	began := time.Now()
	s, err := store.Open(store.Options{Dir: dir, Disk: disk, MinFree: 1,
		Logger: slog.New(slog.NewTextHandler(&told, nil))})
	_, hit := disk.count()
	var refused *store.OpenError
	switch {
	case err == nil:
		defer func() { _ = s.Close() }()
		if at > 0 {
			t.Errorf("%s hangs, and the folder opens", hit)
		}
	case !errors.As(err, &refused) || !strings.Contains(err.Error(), "has not answered for 1m0s") ||
		!strings.HasSuffix(err.Error(), "check the disk, then start again"):
		t.Errorf("%s hangs: %v", hit, err)
	}
	if took := time.Since(began); took > promisedEnd+2*promisedClose {
		t.Errorf("%s hangs: the start took %v, %v", hit, took, err)
	}
	if at > 0 && !strings.Contains(told.String(), "the disk is slow") {
		t.Errorf("%s hangs: no warning: %s", hit, told.String())
	}
	close(answers)
	schedule.Advance(time.Minute) // of the bubble: abandoned operations end
	if err == nil {
		return operations
	}
	if !strings.HasPrefix(hit, "list") { // Pebble forgets the manifest of a new database
		checkClosed(t, disk)
	}
	again, err := openOn(dir, disk, 0)
	if err != nil {
		t.Fatalf("after %s hung: %v", hit, err)
	}
	got, err := contents(again)
	if err = errors.Join(err, again.Close()); err != nil || len(got) != acked {
		t.Errorf("after %s hung: %d of %d acknowledged updates are there, %v", hit, len(got), acked, err)
	}
	return operations
}

// TestADiskThatHangsWhenAFolderIsComplete makes the disk hang in the last step of creating a folder, or refuse it: the
// start is refused in time with the operation. Once the disk answers, the folder opens.
func TestADiskThatHangsWhenAFolderIsComplete(t *testing.T) {
	t.Parallel()
	for _, hangs := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			dir, disk := t.TempDir(), newFaultyDisk()
			answers, logged := make(chan struct{}), false
			f := fault{at: 1, err: broken, only: func(op, name string) bool { // called with the disk locked
				logged = logged || op == "create" && path.Ext(name) == ".log"
				return logged && op == "sync" && path.Base(name) == "INTEGRITY"
			}}
			if hangs {
				f.hang = answers
			}
			disk.set(f)
			began := time.Now()
			_, err := openOn(dir, disk, 0)
			var refused *store.OpenError
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), "cannot be written: cannot sync "+dir) {
				t.Errorf("the start returned %v", err)
			}
			if took := time.Since(began); took > promisedEnd+2*promisedClose {
				t.Errorf("the start took %v", took)
			}
			close(answers)
			disk.set(fault{})
			schedule.Advance(time.Minute) // of the bubble: abandoned operations end
			again, err := openOn(dir, disk, 0)
			if err != nil {
				t.Fatal(err)
			}
			if err := again.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
