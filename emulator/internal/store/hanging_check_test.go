package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// promisedSkips is how many reads in a row a check or a salvage continues without.
const promisedSkips = 32

// TestADiskThatHangsInACheck makes the disk hang from each operation on while a folder that no store has open is
// checked, copied or salvaged: that ends after a minute with the operation, and leaves no file open. A check, also of
// the copy, and a salvage continue without what the disk does not read, and report it.
func TestADiskThatHangsInACheck(t *testing.T) {
	t.Parallel()
	for what, run := range map[string]func(t *testing.T, from store.Options) error{
		"check": func(_ *testing.T, from store.Options) error {
			report, err := store.Check(from)
			if err == nil && report.Damaged() {
				return errReported
			}
			return err
		},
		"copy": func(t *testing.T, from store.Options) error {
			report, err := store.CopyFolder(from, t.TempDir())
			if err == nil && report.Damaged() {
				return errReported
			}
			return err
		},
		"salvage": func(t *testing.T, from store.Options) error {
			salvaged, err := store.Salvage(from, store.Options{Dir: t.TempDir(), Disk: newFaultyDisk()})
			if err == nil && (salvaged.Damaged() || len(salvaged.Lost) > 0) {
				return errReported
			}
			return err
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			operations := 1
			for at := 0; at <= operations; at += opStride() {
				synctest.Test(t, func(t *testing.T) {
					count := hangInACheck(t, at, run)
					if at == 0 {
						operations = count
					}
				})
			}
			if operations < 20 {
				t.Errorf("there are only %d operations", operations)
			}
		})
	}
}

// errReported is the error of a check or a salvage that has ended with findings.
var errReported = errors.New("not everything was read")

// hangInACheck makes the disk hang from an operation of run on; 0 for none. It returns how many there were.
func hangInACheck(t *testing.T, at int, run func(t *testing.T, from store.Options) error) (operations int) {
	dir, disk := t.TempDir(), newFaultyDisk()
	for i := range 2 { // the second opening writes a table
		s, err := openOn(dir, disk, 0)
		if err == nil {
			err = errors.Join(tryPut(s, fmt.Sprint(i), "value"), s.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	answers := make(chan struct{})
	disk.set(fault{at: at, hang: answers, reads: true})
	began := time.Now()
	err := run(t, store.Options{Dir: dir, Disk: disk})
	operations, hit := disk.count()
	var refused *store.OpenError
	limit := promisedEnd + promisedClose
	if strings.HasPrefix(hit, "read") {
		limit += promisedSkips * promisedEnd
	}
	switch {
	case at == 0 && err != nil:
		t.Error(err)
	case strings.HasPrefix(hit, "read") && err == errReported:
	case at > 0 && (!errors.As(err, &refused) || !strings.Contains(err.Error(), "has not answered for 1m0s")):
		t.Errorf("%s hangs: %v", hit, err)
	}
	if took := time.Since(began); took > limit {
		t.Errorf("%s hangs: it took %v", hit, took)
	}
	close(answers)
	synctest.Wait()
	if !strings.HasPrefix(hit, "stat") { // Pebble forgets a table whose size it cannot learn
		checkClosed(t, disk)
	}
	return operations
}
