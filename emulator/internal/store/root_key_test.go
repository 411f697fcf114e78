package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

func openWith(dir, rootKey string) (*store.Store, error) {
	return store.Open(store.Options{Dir: dir, RootKey: rootKey})
}

func TestRootKeyIsMadeForItsUserOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, open(t, dir), "a", "1")
	info, err := os.Stat(filepath.Join(dir, "root.key"))
	if err != nil || info.Mode().Perm() != 0o600 || info.Size() != 45 {
		t.Errorf("the root key is %v, %v", info, err)
	}
}

func TestRootKeyElsewhere(t *testing.T) {
	t.Parallel()
	dir, path := t.TempDir(), filepath.Join(t.TempDir(), "my.key")
	s, err := openWith(dir, path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "a", "1")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	refused(t, dir, "its root key is not at "+filepath.Join(dir, "root.key"))
	if s, err = openWith(dir, path); err != nil {
		t.Fatal(err)
	}
	wantAll(t, s, "a=1 ")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAnotherRootKeyIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"another": {strings.Repeat("A", 43) + "=\n", "is encrypted with another root key than the one in"},
		"short":   {"QUFBQQ==\n", "not a 32-byte key in base64"},
		"empty":   {"", "not a 32-byte key in base64"},
		"binary":  {"\xff\x00", "not a 32-byte key in base64"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := open(t, dir)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "root.key"), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			refused(t, dir, c.want)
		})
	}
}

func TestCrashWhileTheRootKeyIsMadeIsRepaired(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"root.key.new": "AAA", "root.key.new123": "AAA",
		"root.key": strings.Repeat("A", 43) + "=\n", "FORMAT.new": "tabl", "data/LOCK": ""} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(t, open(t, dir), "a", "1")
}

// TestNothingIsReadableInTheFolder writes to the log, sorted tables and manifests, and searches every file for
// plaintext: while the store is open, as after kill -9, and after it is closed.
func TestNothingIsReadableInTheFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	for i := range 3000 {
		put(t, s, fmt.Sprintf("recognisable-key-%d", i), strings.Repeat("recognisable value ", 200))
	}
	search(t, dir, "recognisable")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	search(t, dir, "recognisable")
	s = open(t, dir)
	err := s.Get([]byte("recognisable-key-2999"), func(value []byte, ok bool) error {
		if string(value) != strings.Repeat("recognisable value ", 200) {
			t.Errorf("the value came back as %d bytes", len(value))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// search fails if any file of the folder contains the text.
func search(t *testing.T, dir, text string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte(text)) {
			t.Errorf("%s holds %q", path, text)
		}
		files++
		return err
	})
	if err != nil || files < 5 {
		t.Fatalf("%d files were searched: %v", files, err)
	}
}

// TestOneRootKeyForFoldersThatAreMadeTogether makes several new folders at once with one root key that does not exist
// yet: each of them opens again, although only one could make the key.
func TestOneRootKeyForFoldersThatAreMadeTogether(t *testing.T) {
	t.Parallel()
	for range 3 {
		keys, dirs := t.TempDir(), t.TempDir()
		path := filepath.Join(keys, "shared.key")
		start := make(chan struct{})
		var openings sync.WaitGroup
		for i := range 8 {
			openings.Go(func() {
				<-start
				s, err := openWith(filepath.Join(dirs, fmt.Sprint(i)), path)
				if err == nil {
					err = errors.Join(tryPut(s, "a", "1"), s.Close())
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		close(start)
		openings.Wait()
		for i := range 8 {
			s, err := openWith(filepath.Join(dirs, fmt.Sprint(i)), path)
			if err != nil {
				t.Fatal(err)
			}
			wantAll(t, s, "a=1 ")
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if left, err := os.ReadDir(keys); err != nil || len(left) != 1 {
			t.Errorf("beside the key there is %v, %v", left, err)
		}
	}
}

// TestARootKeyThatCannotBeReadIsNotReplaced opens a new folder with a path at which there is something that is not
// found, or cannot be examined: it stays as it is, because other folders may need it.
func TestARootKeyThatCannotBeReadIsNotReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.WriteFile(at("file"), nil, 0o600), os.Symlink("loop", at("loop")),
		os.Symlink("/not/mounted/root.key", at("absent"))); err != nil {
		t.Skip(err) // Windows may not allow symbolic links
	}
	for _, name := range []string{"loop", "absent", "file/root.key"} {
		_, err := openWith(at("db"), at(name))
		var refusal *store.OpenError
		if !errors.As(err, &refusal) || !strings.Contains(err.Error(), at(name)) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want a refusal that names the path", name, err)
		}
	}
	for _, name := range []string{"loop", "absent"} {
		if info, err := os.Lstat(at(name)); err != nil || info.Mode().Type() != os.ModeSymlink {
			t.Errorf("%s was replaced: %v, %v", name, info, err)
		}
	}
}
