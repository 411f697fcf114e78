//go:build unix

package s3_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/s3"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestAPipeIsNoObject reads a named pipe that another program has made in the folder of a bucket: nobody waits for a
// program that writes to it.
func TestAPipeIsNoObject(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := s3.New(s3.Config{Dir: dir})
	if _, err := s.CreateBucket("orders"); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "orders", "pipe"), 0o600); err != nil {
		t.Skip("the file system has no pipes: ", err)
	}
	await.Return(t, "reading a pipe", func() {
		if _, err := s.Open("orders", "pipe"); err == nil {
			t.Error("a pipe is an object")
		}
	})
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
