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

// TestADiskThatHangsInACheck makes each disk operation hang while a folder that no store has open is checked, copied or
// salvaged: that ends after a minute with the operation, and leaves no file open.
func TestADiskThatHangsInACheck(t *testing.T) {
	t.Parallel()
	for what, run := range map[string]func(t *testing.T, from store.Options) error{
		"check": func(_ *testing.T, from store.Options) error {
			_, err := store.Check(from)
			return err
		},
		"copy": func(t *testing.T, from store.Options) error {
			_, err := store.CopyFolder(from, t.TempDir())
			return err
		},
		"salvage": func(t *testing.T, from store.Options) error {
			_, err := store.Salvage(from, store.Options{Dir: t.TempDir(), Disk: newFaultyDisk()})
			return err
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			operations := 1
			for at := 0; at <= operations; at++ {
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
	switch {
	case at == 0 && err != nil:
		t.Error(err)
	case at > 0 && (!errors.As(err, &refused) || !strings.Contains(err.Error(), "has not answered for 1m0s")):
		t.Errorf("%s hangs: %v", hit, err)
	}
	if took := time.Since(began); took > promisedEnd+promisedClose {
		t.Errorf("%s hangs: it took %v", hit, took)
	}
	close(answers)
	synctest.Wait()
	if !strings.HasPrefix(hit, "stat") { // Pebble forgets a table whose size it cannot learn
		checkClosed(t, disk)
	}
	return operations
}
