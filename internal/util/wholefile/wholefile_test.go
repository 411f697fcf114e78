package wholefile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestAFileThatCannotBeWrittenIsAsBefore has a disk that is full after the first bytes.
func TestAFileThatCannotBeWrittenIsAsBefore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "report.json")
	if err := WriteFile(name, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left on device")
	err := Write(name, 0o644, func(w io.Writer) error {
		_, _ = w.Write([]byte("aft"))
		if found, _ := filepath.Glob(filepath.Join(dir, "*.json")); len(found) != 1 {
			t.Errorf("reports while one is written: %v, want one", found)
		}
		return full
	})
	if !errors.Is(err, full) {
		t.Errorf("error %v, want %v", err, full)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "before" {
		t.Errorf("the file has %q, %v; want what it had before", text, err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
		t.Errorf("the folder has %v, %v; want only the file", names, err)
	}
}

// TestErrorsNameTheFile writes into a folder that does not exist.
func TestErrorsNameTheFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "none", "report.json")
	for _, err := range []error{WriteFile(name, nil, 0o600), Create(name, "")} {
		if about, ok := errors.AsType[*os.PathError](err); !ok || about.Path != name || !errors.Is(err, os.ErrNotExist) {
			t.Errorf("error %v, want that %s does not exist", err, name)
		}
	}
}

// TestAReadOnlyFileIsNotReplaced writes to a file that its user has protected.
func TestAReadOnlyFileIsNotReplaced(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "known.txt")
	if err := os.WriteFile(name, []byte("before"), 0o400); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(name, []byte("after"), 0o600); !errors.Is(err, os.ErrPermission) {
		t.Errorf("error %v, want that permission is denied", err)
	}
}

// TestAFileKeepsItsPermissions replaces a file that only its user can read.
func TestAFileKeepsItsPermissions(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "known.txt")
	for _, text := range []string{"first", "second"} {
		perm := map[string]os.FileMode{"first": 0o600, "second": 0o644}[text]
		if err := WriteFile(name, []byte(text), perm); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("the file is %v, %v", info, err)
		}
	}
}

// TestLinksAndDevicesAreWrittenInPlace writes through a link, as to /dev/stdout: neither it nor a device is replaced.
func TestLinksAndDevicesAreWrittenInPlace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	for _, text := range []string{"first", "2nd"} {
		if err := WriteFile(link, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(target); err != nil || string(got) != text {
			t.Errorf("the target has %q, %v; want %q", got, err, text)
		}
	}
	if to, err := os.Readlink(link); err != nil || to != target {
		t.Errorf("the link is to %q, %v", to, err)
	}
	if err := WriteFile(os.DevNull, []byte("nothing"), 0o600); err != nil {
		t.Error(err)
	}
}
