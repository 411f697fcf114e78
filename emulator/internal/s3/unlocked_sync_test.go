package s3

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestOtherRequestsDoNotWaitForTheDisk checks that nothing is synced while the lock of all requests is held, and that
// the description of a file that another program has copied into the folder, which can be computed again, is not
// synced.
func TestOtherRequestsDoNotWaitForTheDisk(t *testing.T) {
	t.Parallel()
	s, d := newDisk(t)
	syncs := 0
	s.sync = func(f *os.File) error {
		if syncs++; !s.mu.TryLock() {
			t.Errorf("%s is synced while all other requests wait", f.Name())
			return nil
		}
		s.mu.Unlock()
		return nil
	}
	w, err := s.Create("orders", "one")
	if err != nil {
		t.Fatal(err)
	}
	_, writeErr := w.Write([]byte("1"))
	if err := errors.Join(writeErr, w.Commit(""), s.setTags("orders", &tagging{})); err != nil || syncs == 0 {
		t.Fatal(syncs, err)
	}
	if err := os.WriteFile(filepath.Join(d.dir, "orders", "copied"), []byte("2"), 0o600); err != nil {
		t.Fatal(err)
	}
	syncs = 0
	for range 2 {
		if p, err := s.list(t.Context(), "orders", "copied", "", "", 10); err != nil || len(p.Objects) != 1 || syncs != 0 {
			t.Error(p, err, syncs)
		}
	}
	if left, err := os.ReadDir(filepath.Join(d.dir, uploadsDir)); err != nil || len(left) != 0 {
		t.Error(left, err)
	}
}
