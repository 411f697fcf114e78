package store_test

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestAnInterruptedSalvageIsIncomplete fills the disk of the new folder at many places. A folder that does not have
// everything is never taken for a complete one, and the salvage can be repeated.
func TestAnInterruptedSalvageIsIncomplete(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"closed", "closed plain"} {
		from, to, disk := store.Options{Dir: knownFolders()[state].write(t)}, store.Options{Dir: "/new"}, newFaultyDisk()
		if state == "closed" { // encrypted
			to.RootKey = filepath.Join(t.TempDir(), "root.key")
		}
		to.Disk = disk
		if _, err := store.Salvage(from, to); err != nil {
			t.Fatal(err)
		}
		ops, _ := disk.count()
		failed := 0
		for at := 1; at <= ops; at += 1 + ops/12 {
			if salvageOntoAFullDisk(t, from, to, at) {
				failed++
			}
		}
		if failed < 6 {
			t.Errorf("%s: only %d of the faults ended the salvage", state, failed)
		}
	}
}

// salvageOntoAFullDisk salvages to a disk that is full from an operation on, and reports whether the salvage failed.
func salvageOntoAFullDisk(t *testing.T, from, to store.Options, at int) (failed bool) {
	disk := newFaultyDisk()
	to.Disk = disk
	disk.set(fault{at: at, err: noSpace})
	_, err := store.Salvage(from, to)
	_, hit := disk.count()
	disk.set(fault{})
	if err == nil {
		return false
	}
	text := err.Error()
	if strings.Count(text, "free space") != 1 || strings.Contains(text, "\n") {
		t.Errorf("%s refused: %s", hit, text)
	}
	if report, err := store.Check(to); err == nil { // only the last sync of the folder has failed
		if report.Entries != knownItems {
			t.Errorf("%s refused: the doctor says %+v", hit, report)
		}
		return true
	}
	var refusal *store.OpenError
	if _, err := store.Salvage(from, to); err == nil { // the first one had created no database
		return true
	} else if !errors.As(err, &refusal) || !strings.Contains(refusal.Problem, "is an incomplete backup or salvage") {
		t.Errorf("%s refused: salvaged again: %v", hit, err)
	}
	if s, err := store.Open(to); err == nil {
		_ = s.Close()
		t.Errorf("%s refused: the folder was opened", hit)
	}
	if err := disk.RemoveAll(to.Dir); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Salvage(from, to); err != nil {
		t.Errorf("%s refused: salvaged again after the removal: %v", hit, err)
	}
	return true
}

// TestANewFolderThatHangsAtItsMarker makes the disk of the new folder hang when it gets its marker: the salvage ends
// with an error in the time that closing a store may take.
func TestANewFolderThatHangsAtItsMarker(t *testing.T) {
	t.Parallel()
	from := store.Options{Dir: knownFolders()["closed plain"].write(t)}
	synctest.Test(t, func(t *testing.T) {
		to, disk, answers := store.Options{Dir: "/new"}, newFaultyDisk(), make(chan struct{})
		to.Disk = disk
		disk.set(fault{at: 1, hang: answers, only: func(_, name string) bool { return strings.Contains(name, "FORMAT") }})
		began := time.Now()
		_, err := store.Salvage(from, to)
		took := time.Since(began)
		if err == nil || !strings.Contains(err.Error(), "has not answered for 1m0s") || took > promisedEnd+3*promisedClose {
			t.Errorf("the salvage ended after %v: %v", took, err)
		}
		close(answers)
		synctest.Wait()
		checkClosed(t, disk)
	})
}

func TestSalvageIntoTheDamagedFolderIsRefused(t *testing.T) {
	t.Parallel()
	folder := knownFolders()["closed"]
	dir := folder.write(t)
	for _, to := range []string{filepath.Join(dir, "rescued"), filepath.Join(dir, "data", "..", "a", "b")} {
		_, err := store.Salvage(store.Options{Dir: dir}, store.Options{Dir: to})
		var refusal *store.OpenError
		if !errors.As(err, &refusal) || !maps.EqualFunc(folder, imageOf(t, dir), bytes.Equal) {
			t.Errorf("%s: %v", to, err)
		}
	}
}

// TestSalvageChecksTheNewFolderFirst salvages a folder to where it must not: that is refused before the damaged folder
// is read, which may take long, and before the new folder counts as begun.
func TestSalvageChecksTheNewFolderFirst(t *testing.T) {
	t.Parallel()
	database, notes := knownFolders()["closed plain"].write(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(notes, "notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := store.Options{Dir: knownFolders()["closed"].write(t), Disk: newFaultyDisk()} // a disk without it
	for dir, problem := range map[string]string{database: "contains a database", notes: "contains other files"} {
		_, err := store.Salvage(damaged, store.Options{Dir: dir, Begun: func() { t.Error("a refused salvage has begun") }})
		if err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	damaged.Disk = nil
	begun := 0
	to := store.Options{Dir: filepath.Join(t.TempDir(), "new")}
	to.Begun = func() {
		begun++
		if _, err := os.Stat(to.Dir); err == nil {
			t.Error("the new folder was there before it was begun")
		}
	}
	if _, err := store.Salvage(damaged, to); err != nil || begun != 1 {
		t.Errorf("the salvage was begun %d times, %v", begun, err)
	}
}
