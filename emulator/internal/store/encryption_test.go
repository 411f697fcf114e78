package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestAFolderIsEncryptedOnRequest checks that a new folder is encrypted only with Encrypt or RootKey, that it stays as
// it was created, and that Encrypt and RootKey are refused for an unencrypted folder.
func TestAFolderIsEncryptedOnRequest(t *testing.T) {
	t.Parallel()
	elsewhere := filepath.Join(t.TempDir(), "my.key")
	for name, c := range map[string]struct {
		made, opened store.Options
		encrypted    bool
	}{
		"plain":     {},
		"encrypted": {made: store.Options{Encrypt: true}, encrypted: true},
		"key elsewhere": {made: store.Options{RootKey: elsewhere}, opened: store.Options{RootKey: elsewhere},
			encrypted: true},
		"both": {made: store.Options{Encrypt: true, RootKey: elsewhere},
			opened: store.Options{RootKey: elsewhere}, encrypted: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			c.made.Dir, c.opened.Dir = dir, dir
			s := openFolder(t, c.made)
			put(t, s, "a", "recognisable")
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = openFolder(t, c.opened)
			wantAll(t, s, "a=recognisable ")
			put(t, s, "b", "recognisable")
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if found := isReadable(t, dir, "recognisable"); found == c.encrypted {
				t.Errorf("readable: %v, encrypted: %v", found, c.encrypted)
			}
			if c.encrypted {
				return
			}
			if _, err := os.Stat(filepath.Join(dir, "root.key")); err == nil {
				t.Error("a folder that is not encrypted has a root key")
			}
			refusedWith(t, store.Options{Dir: dir, Encrypt: true}, "is not encrypted")
			refusedWith(t, store.Options{Dir: dir, RootKey: elsewhere}, "is not encrypted")
		})
	}
}

// TestUnencryptedFolderIsSalvagedUnencrypted checks that a salvaged folder is encrypted if and only if the damaged one
// is.
func TestUnencryptedFolderIsSalvagedUnencrypted(t *testing.T) {
	t.Parallel()
	for _, encrypted := range []bool{false, true} {
		dir, salvaged := t.TempDir(), filepath.Join(t.TempDir(), "salvaged")
		s := openFolder(t, store.Options{Dir: dir, Encrypt: encrypted})
		put(t, s, "a", "recognisable")
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Salvage(store.Options{Dir: dir}, store.Options{Dir: salvaged}); err != nil {
			t.Fatal(err)
		}
		if found := isReadable(t, salvaged, "recognisable"); found == encrypted {
			t.Errorf("readable: %v, encrypted: %v", found, encrypted)
		}
	}
}

// isReadable reports whether any file of a folder contains the text.
func isReadable(t *testing.T, dir, text string) (found bool) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		found = found || bytes.Contains(content, []byte(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
