package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// TestAFileWithoutLinks creates a file on a file system that refuses links, as FAT does: the file has its text,
// only its user can read it, nothing is left beside it, and it is never replaced.
func TestAFileWithoutLinks(t *testing.T) {
	t.Parallel()
	refuse := func(_, _ string) error { return &os.LinkError{Op: "link", Err: syscall.EPERM} }
	dir := t.TempDir()
	path := filepath.Join(dir, "key")
	if err := createBy(refuse, path, "first"); err != nil {
		t.Fatal(err)
	}
	if err := createBy(refuse, path, "second"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("an existing file was created: %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "first" {
		t.Errorf("the file has %q, %v", text, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("the file is %v, %v", info, err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
		t.Errorf("the folder has %v, %v", names, err)
	}
}
