package store_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestACopyOfAFolderIsTheFolder copies folders that were closed or killed, and opens the copies.
func TestACopyOfAFolderIsTheFolder(t *testing.T) {
	t.Parallel()
	for state, folder := range knownFolders() {
		dir, to := folder.write(t), filepath.Join(t.TempDir(), "copy")
		report, err := store.CopyFolder(store.Options{Dir: dir}, to)
		if err != nil || report.Damaged() || report.Entries != knownItems {
			t.Fatalf("%s: %+v, %v", state, report, err)
		}
		if !maps.EqualFunc(folder, imageOf(t, to), bytes.Equal) || !maps.EqualFunc(folder, imageOf(t, dir), bytes.Equal) {
			t.Errorf("%s: the copy is another, or the folder was changed", state)
		}
		s := open(t, to)
		if err := readKnown(s); err != nil {
			t.Errorf("%s: %v", state, err)
		}
		if err := os.Remove(filepath.Join(dir, "FORMAT")); err != nil {
			t.Fatal(err)
		}
		refused(t, dir, "is an incomplete backup") // as a copy is before its last step
	}
}

func TestCopyRefusesDamagedAndForeignFiles(t *testing.T) {
	t.Parallel()
	dir, to := knownFolders()["closed"].write(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(to, "thesis.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.CopyFolder(store.Options{Dir: dir}, to); err == nil {
		t.Error("a folder with other files was written to")
	}
	tables, err := filepath.Glob(filepath.Join(dir, "data", "*.sst"))
	if err != nil || len(tables) == 0 {
		t.Fatal("no table")
	}
	if err := os.Truncate(tables[0], 100); err != nil {
		t.Fatal(err)
	}
	if _, err := store.CopyFolder(store.Options{Dir: dir}, filepath.Join(t.TempDir(), "copy")); err == nil {
		t.Error("a damaged folder was copied")
	}
}
