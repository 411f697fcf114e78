package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// refused opens dir and checks that it returns an OpenError with a text, and that the folder does not change.
func refused(t *testing.T, dir, want string) {
	t.Helper()
	refusedWith(t, store.Options{Dir: dir}, want)
}

func refusedWith(t *testing.T, opts store.Options, want string) {
	t.Helper()
	dir := opts.Dir
	s, err := store.Open(opts)
	if err == nil {
		_ = s.Close()
		t.Fatalf("%s was opened", dir)
	}
	var open *store.OpenError
	if !errors.As(err, &open) {
		t.Fatalf("the error is %T, want *OpenError: %v", err, err)
	}
	if open.Dir != dir || open.Remedy == "" {
		t.Errorf("the error is about %q with remedy %q", open.Dir, open.Remedy)
	}
	if text := err.Error(); !strings.Contains(text, want) || strings.Contains(text, "\n") {
		t.Errorf("the error is %q, want one line that says %q", text, want)
	}
}

func TestSecondOpeningIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	refused(t, dir, "in use by another emulator")
	put(t, s, "a", "1")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	wantAll(t, open(t, dir), "a=1 ")
}

func TestForeignFoldersAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, text, want string }{
		"foreign":       {"thesis.txt", "hours of work", "contains other files, such as thesis.txt"},
		"newer":         {"FORMAT", "tabletop-store 5\n", "has format 5, and this version supports formats up to 4"},
		"no data":       {"FORMAT", "tabletop-store 1\n", "is damaged: data is missing"},
		"no check, 3":   {"FORMAT", "tabletop-store 3\n", "invalid FORMAT file"},
		"no check, 4":   {"FORMAT", "tabletop-store 4\n", "invalid FORMAT file"},
		"no key":        {"FORMAT", "tabletop-store 2\n", "invalid FORMAT file"},
		"no root key":   {"FORMAT", "tabletop-store 2\nAAAA\n", "its root key is not at"},
		"other program": {"FORMAT", "leveldb 1\n", "invalid FORMAT file"},
		"empty marker":  {"FORMAT", "", "invalid FORMAT file"},
		"cut marker":    {"FORMAT", "tabletop-sto", "invalid FORMAT file"},
		"binary marker": {"FORMAT", "\x00\n\xff", "invalid FORMAT file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, c.file)
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			refused(t, dir, c.want)
			entries, err := os.ReadDir(dir)
			if err != nil || len(entries) != 1 {
				t.Errorf("the refused folder holds %v, %v, want only what it held", entries, err)
			}
		})
	}
}

func TestFolderIsMadeWithItsParents(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	put(t, open(t, dir), "a", "1")
	marker, err := os.ReadFile(filepath.Join(dir, "FORMAT"))
	if err != nil || !strings.HasPrefix(string(marker), "tabletop-store 4\n") {
		t.Errorf("the marker is %q, %v", marker, err)
	}
}

func TestCrashWhileMarkingIsRepaired(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "FORMAT.new"), []byte("tabl"), 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, open(t, dir), "a", "1")
}

func TestFileInPlaceOfAFolderIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, path, "cannot be read and written")
}

func TestFolderWithoutPermissionIsRefused(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may read and write every folder; run the tests as another user")
	}
	dir := t.TempDir()
	for _, mode := range []os.FileMode{0, 0o500} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		refused(t, dir, "permission")
	}
	if err := os.Chmod(dir, 0o700); err != nil { // so that the test's cleanup can remove it
		t.Fatal(err)
	}
}

func TestDamagedDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, "a", "1")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	manifests, err := filepath.Glob(filepath.Join(dir, "data", "MANIFEST-*"))
	if err != nil || len(manifests) == 0 {
		t.Fatalf("no manifest found: %v", err)
	}
	for _, manifest := range manifests {
		if err := os.WriteFile(manifest, []byte("not a manifest"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refused(t, dir, "is damaged: data/MANIFEST-")
	refused(t, dir, "is damaged: data/MANIFEST-") // and the first refusal released the lock
}
