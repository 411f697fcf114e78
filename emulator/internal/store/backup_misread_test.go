package store_test

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// flippedLogs is a disk that flips the lowest bit of a byte of logs that are read, except those of a checkpoint.
type flippedLogs struct {
	*faultyDisk
	at atomic.Int64 // offset of the byte; 0: none
}

func (d *flippedLogs) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	f, err := d.faultyDisk.Open(name, opts...)
	if err != nil || d.at.Load() == 0 || !isLog("", name) || ofBackup("", name) {
		return f, err
	}
	return &flippedFile{File: f, at: d.at.Load()}, nil
}

type flippedFile struct {
	vfs.File
	at   int64
	read int64 // by Read
}

func (f *flippedFile) Read(p []byte) (int, error) {
	n, err := f.ReadAt(p, f.read)
	f.read += int64(n)
	return n, err
}

func (f *flippedFile) ReadAt(p []byte, offset int64) (int, error) {
	n, err := f.File.ReadAt(p, offset)
	if at := f.at - offset; at >= 0 && at < int64(n) {
		p[at] ^= 1
	}
	return n, err
}

// TestBackupWithAMisreadLogIsRefused copies a log that is damaged on the way, in a batch in the middle or in the log's
// number before it, which then looks like the end of the log: the rest must not be dropped as if it were still being
// written.
func TestBackupWithAMisreadLogIsRefused(t *testing.T) {
	t.Parallel()
	for name, encrypted := range map[string]bool{"plain": false, "encrypted": true} {
		for part, at := range map[string]int64{"a batch": 500, "the number of the log": 7} {
			t.Run(name+" "+part, func(t *testing.T) {
				t.Parallel()
				dir, disk := t.TempDir(), &flippedLogs{faultyDisk: newFaultyDisk()}
				s := openFolder(t, store.Options{Dir: dir, Disk: disk, Encrypt: encrypted})
				put(t, s, "first", strings.Repeat("x", 20_000))
				end := endOfEvenLog(t, disk, dir, encrypted)
				for i := range 10 {
					put(t, s, fmt.Sprint(i), strings.Repeat("x", 20_000))
				}
				disk.at.Store(end + at)
				if _, _, err := backUp(s); err == nil || s.Err() != nil {
					t.Errorf("it was backed up: %v; the store: %v", err, s.Err())
				}
				disk.at.Store(0)
				if _, _, err := backUp(s); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// endOfEvenLog returns how many bytes the log of a folder has, without the zeros after the end of a plain one. The
// log's number is even, so that a change of the lowest bit makes it the next one.
func endOfEvenLog(t *testing.T, disk vfs.FS, dir string, encrypted bool) int64 {
	t.Helper()
	names, err := disk.List(filepath.Join(dir, "data"))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(names, func(name string) bool { return isLog("", name) })
	var number int
	if _, err := fmt.Sscanf(names[i], "%d.log", &number); err != nil || number%2 != 0 {
		t.Fatalf("the log is %s", names[i])
	}
	f, err := disk.Open(filepath.Join(dir, "data", names[i]))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	content, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	if !encrypted {
		content = bytes.TrimRight(content, "\x00")
	}
	return int64(len(content))
}
