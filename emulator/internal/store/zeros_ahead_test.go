package store_test

import (
	"bytes"
	"log/slog"
	"maps"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// onlyLog returns the name and the content of the only log of a folder.
func onlyLog(t *testing.T, image folderImage) (name string, content []byte) {
	t.Helper()
	for file := range image {
		if !strings.HasSuffix(file, ".log") {
			continue
		}
		if name != "" {
			t.Fatalf("the folder has two logs, %s and %s", name, file)
		}
		name = file
	}
	return name, image[name]
}

// minZeros is the least number of zeros after the end of a log in use.
const minZeros = 64 << 10

func withoutZeros(log []byte) []byte { return bytes.TrimRight(log, "\x00") }

// TestZerosAfterALogAreNoPartOfIt kills a store and closes one: the log of the first has zeros at its end, which are
// not taken for a write; that of the second has none, and a power cut that brings them back does no harm. Anything else
// after the end of a closed log does.
func TestZerosAfterALogAreNoPartOfIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openFolder(t, store.Options{Dir: dir})
	put(t, s, "a", "1")
	put(t, s, "zeros", string(make([]byte, 1000)))
	killed := imageOf(t, dir)
	name, log := onlyLog(t, killed)
	if zeros := len(log) - len(withoutZeros(log)); zeros < minZeros-1_100 {
		t.Fatalf("%s has %d zeros at its end", name, zeros)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	closed := imageOf(t, dir)
	if name, log = onlyLog(t, closed); len(log) > 2_000 {
		t.Errorf("%s has %d bytes after Close", name, len(log))
	}
	cut := maps.Clone(closed)
	cut[name] = append(bytes.Clone(log), make([]byte, 60_000)...)
	for kind, image := range map[string]folderImage{"killed": killed, "closed": closed, "power cut": cut} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dir := image.write(t)
			report, err := store.Check(store.Options{Dir: dir})
			if err != nil || len(report.Findings) > 0 {
				t.Errorf("the check found %v, %v", report, err)
			}
			salvaged, err := store.Salvage(store.Options{Dir: dir}, store.Options{Dir: t.TempDir()})
			if err != nil || len(salvaged.Lost) > 0 {
				t.Errorf("salvage has lost %v, %v", salvaged, err)
			}
			var said bytes.Buffer
			s := openFolder(t, store.Options{Dir: dir, Logger: slog.New(slog.NewTextHandler(&said, nil))})
			if said.Len() > 0 {
				t.Errorf("opening says: %s", said.String())
			}
			if a, zeros := value(t, s, "a"), value(t, s, "zeros"); a != "1" || zeros != string(make([]byte, 1000)) {
				t.Errorf("the items read %q and %q", a, zeros)
			}
		})
	}
	cut = maps.Clone(cut)
	cut[name] = append(bytes.Clone(cut[name]), 1)
	refused(t, cut.write(t), "60001 bytes more than when the folder was closed")
}

// TestZerosAfterALogAreNotBackedUp backs up a store in use: the copied log ends where its last write does.
func TestZerosAfterALogAreNotBackedUp(t *testing.T) {
	t.Parallel()
	s := openFolder(t, store.Options{Dir: t.TempDir()})
	put(t, s, "a", "1")
	_, size, err := backUp(s)
	if err != nil || size > minZeros {
		t.Errorf("the backup has %d bytes, %v", size, err)
	}
}

// TestABackupNearTheEndOfABlockOfTheLog backs up stores whose log ends shortly before the end of a block of 32 KiB,
// which Pebble then fills with zeros: they are part of the log.
func TestABackupNearTheEndOfABlockOfTheLog(t *testing.T) {
	t.Parallel()
	for size := 32<<10 - 160; size < 32<<10; size += 6 {
		s := mustOpenOn(t, newFaultyDisk(), 0)
		put(t, s, "a", strings.Repeat("x", size))
		if _, _, err := backUp(s); err != nil {
			t.Errorf("with a value of %d bytes: %v", size, err)
		}
	}
}
