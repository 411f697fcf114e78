package store

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// TestARecordThatIsOlderThanTheManifest leaves a folder as a power cut can leave it during a start: tables were
// compacted, the manifest has the new ones, the record is from before, and the name of the new log is not on disk yet.
// That is not damage: the folder opens, and opens again after a proper close in which the database did not write to its
// manifest.
func TestARecordThatIsOlderThanTheManifest(t *testing.T) {
	t.Parallel()
	disk := vfs.NewCrashableMem()
	opts := Options{Dir: "/db", RootKey: filepath.Join(t.TempDir(), "root.key"), Disk: disk}
	s, err := Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	record, err := readFile(disk, filepath.Join("/db", integrityName))
	if err != nil {
		t.Fatal(err)
	}
	set(t, s, "a", "1")
	if err := pebbleOf(s).Flush(); err != nil {
		t.Fatal(err)
	}
	killed := disk.CrashClone(vfs.CrashCloneCfg{})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	names, err := killed.List("/db/data")
	for _, name := range names {
		if id, ok := parseFileID(name); ok && !id.manifest {
			err = errors.Join(err, killed.Remove(filepath.Join("/db/data", name)))
		}
	}
	path := filepath.Join("/db", integrityName)
	if err = errors.Join(err, writeWhole(killed, path+".new", path, bytes.Clone(record))); err != nil {
		t.Fatal(err)
	}
	opts.Disk = killed
	for start := range 3 {
		s, err := Open(opts)
		if err != nil {
			t.Fatalf("start %d: %v", start+1, err)
		}
		if got := get(t, s, "a"); got != "1" {
			t.Errorf("start %d: a is %q", start+1, got)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		disk := killed.CrashClone(vfs.CrashCloneCfg{}) // the power may fail at any time
		opts.Disk = disk
		killed = disk
	}
}
