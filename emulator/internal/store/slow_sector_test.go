package store_test

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestASlowSectorIsAGap reads a folder from a disk that does not answer reads of one byte of a table, as one that
// retries a bad sector for minutes: the check reports that table, and the salvage copies all other blocks.
func TestASlowSectorIsAGap(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string]int{"one of many blocks": fillKeys, "the only block": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { salvageSlowSector(t, keys) })
		})
	}
}

func salvageSlowSector(t *testing.T, keys int) {
	dir, disk := t.TempDir(), newFaultyDisk()
	table := writeTable(t, dir, disk, keys)
	answers := make(chan struct{})
	disk.set(fault{at: 1, hang: answers, reads: true, byte: 1 + int64(keys-1)*1_500,
		only: func(op, name string) bool { return op == "read" && path.Base(name) == table }})
	defer func() {
		close(answers)
		synctest.Wait()
		checkClosed(t, disk)
	}()
	report, err := store.Check(store.Options{Dir: dir, Disk: disk})
	if err != nil {
		t.Fatal(err)
	}
	if !report.Damaged() || !strings.Contains(fmt.Sprint(report.Findings), table) {
		t.Errorf("the check finds %v", report.Findings)
	}
	rescued := store.Options{Dir: t.TempDir(), Disk: newFaultyDisk()}
	salvaged, err := store.Salvage(store.Options{Dir: dir, Disk: disk}, rescued)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(fmt.Sprint(salvaged.Lost), table) {
		t.Errorf("the salvage has lost %v", salvaged.Lost)
	}
	s, err := store.Open(rescued)
	if err != nil {
		t.Fatal(err)
	}
	const perBlock = 11 // keys
	all, err := contents(s)
	if err = errors.Join(err, s.Close()); err != nil || len(all) < keys-perBlock || len(all) == keys {
		t.Errorf("the salvaged folder has %d of %d keys, %v", len(all), keys, err)
	}
}

// writeTable creates a folder with keys of 3,000 bytes in one table, and returns the name of that table.
func writeTable(t *testing.T, dir string, disk *faultyDisk, keys int) (name string) {
	s, err := openOn(dir, disk, 0)
	for i := range keys {
		if err == nil {
			err = tryPut(s, fmt.Sprintf("key %02d", i), strings.Repeat("x", 3_000))
		}
	}
	if err == nil {
		err = s.Close()
	}
	if err == nil {
		s, err = openOn(dir, disk, 0) // writes the table
	}
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	files, err := disk.MemFS.List(path.Join(dir, "data"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if path.Ext(file) == ".sst" {
			return file
		}
	}
	t.Fatalf("no table is among %v", files)
	return ""
}
