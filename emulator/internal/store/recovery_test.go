package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/race"
)

// TestAFirstStartIsKilledAtEachStep stops the creation of a folder at each operation, by kill -9 and by a power cut.
// The next start completes it.
func TestAFirstStartIsKilledAtEachStep(t *testing.T) {
	t.Parallel()
	rootKey := filepath.Join(t.TempDir(), "root.key")
	steps := firstStop()
	for done := false; !done; steps += stride() {
		disk := newFaultyDisk()
		disk.set(fault{at: steps + 1, err: broken})
		s, err := store.Open(store.Options{Dir: "/db", RootKey: rootKey, Disk: disk})
		if done = err == nil; done {
			_ = s.Close()
		}
		for _, survives := range []int{0, 50, 100} { // percent of unsynced data
			after := disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: survives,
				RNG: rand.New(rand.NewPCG(uint64(steps), 3))})
			for i := range 2 {
				s, err := store.Open(store.Options{Dir: "/db", RootKey: rootKey, Disk: after})
				if err != nil {
					t.Fatalf("stopped at operation %d with %d %% of what was not synced, start %d: %v", steps+1, survives, i+1, err)
				}
				put(t, s, "a", "1")
				wantAll(t, s, "a=1 ")
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if steps < 20 {
		t.Errorf("only %d operations make a folder", steps)
	}
}

// stride is the distance between the operations at which a test stops a start: every fourth, so that the unit suite
// stays quick, or every twelfth under the race detector, where each costs ten times as much and shows the same races.
// A nightly run, which asks for a thousand crashes, stops it at each operation.
func stride() int {
	switch crashes, _ := strconv.Atoi(os.Getenv(crashesVar)); {
	case crashes >= 1000:
		return 1
	case race.Enabled:
		return 12
	}
	return 4
}

// opStride is the distance between the operations at which other tests refuse one: each, or every fifth under the race
// detector.
func opStride() int {
	if race.Enabled {
		return 5
	}
	return 1
}

// firstStop is the number of operations before the first one at which a test stops a start. CI chooses another one for
// each commit.
func firstStop() int {
	first, _ := strconv.Atoi(os.Getenv("TABLETOP_FIRST_SEED"))
	return first % stride()
}

func value(t *testing.T, s *store.Store, key string) string {
	t.Helper()
	var text string
	if err := s.Get([]byte(key), func(value []byte, _ bool) error { text = string(value); return nil }); err != nil {
		t.Fatal(err)
	}
	return text
}

// TestALossIsAcceptedOnce removes or truncates the logs of a folder: it is refused, opens with AcceptLoss with the data
// from before the loss, keeps the damaged files, and opens without a warning from then on.
func TestALossIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	for state, folder := range knownFolders() {
		logs := logsOf(folder)
		if len(logs) < 2 {
			t.Fatalf("the folder has logs %v, want several", logs)
		}
		for _, name := range logs {
			for _, kind := range []string{"removed", "cut to 0 %", "cut to 70 %", "second half zeroed", "bit flipped"} {
				t.Run(state+" "+filepath.Base(name)+" "+kind, func(t *testing.T) {
					t.Parallel()
					image := maps.Clone(folder)
					content := bytes.Clone(bytes.TrimRight(image[name], "\x00")) // nothing is lost with the zeros after it
					if image[name] = damages[kind](rand.New(rand.NewPCG(1, 1)), content); image[name] == nil {
						delete(image, name)
					}
					acceptLoss(t, image, name)
				})
			}
		}
	}
}

func acceptLoss(t *testing.T, image folderImage, name string) {
	dir := image.write(t)
	refused(t, dir, "has lost acknowledged writes: "+name)
	var said bytes.Buffer
	s, err := store.Open(store.Options{Dir: dir, AcceptLoss: true, Logger: slog.New(slog.NewTextHandler(&said, nil))})
	if err != nil {
		t.Fatal(err)
	}
	checkPrefix(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(said.String(), "acknowledged writes are lost, as accepted"); n != 1 {
		t.Errorf("the loss is logged %d times: %s", n, said.String())
	}
	aside, err := os.ReadFile(filepath.Join(dir, "lost-1", filepath.Base(name)))
	if content, ok := image[name]; ok && (err != nil || !bytes.Equal(aside, content)) {
		t.Errorf("the damaged file is not kept: %v", err)
	}
	s = open(t, dir)
	checkPrefix(t, s)
}

// checkPrefix checks that the older items, which are in sorted tables, are there, and the newer ones up to one.
func checkPrefix(t *testing.T, s *store.Store) {
	t.Helper()
	missing, all := 0, readHistory(t, s)
	for i := range knownItems {
		key, want := knownItem(i)
		got := all[string(key)]
		switch {
		case got == "":
			missing++
		case got != string(want) && (got != "old" || i >= knownNewer):
			t.Errorf("item %d has another value", i)
		case missing > 0:
			t.Fatalf("item %d is there, and an earlier one is not", i)
		}
		if i < knownOlder && missing > 0 {
			t.Fatalf("item %d is gone", i)
		}
	}
}

// TestFoldersOfOlderFormatsAreUpgraded opens folders that earlier versions wrote, stops the upgrade at each operation,
// and reads their data.
func TestFoldersOfOlderFormatsAreUpgraded(t *testing.T) {
	t.Parallel()
	for format, rootKey := range map[string]string{
		"format-1": "", // it had no encryption
		"format-2": filepath.Join("testdata", "format-2", "root.key"),
		"format-3": "",
	} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			from := filepath.Join("testdata", format)
			steps := 0
			for done := false; !done; steps += opStride() {
				disk := newFaultyDisk()
				copyToDisk(t, disk, from)
				disk.set(fault{at: steps + 1, err: broken})
				s, err := store.Open(store.Options{Dir: "/db", RootKey: rootKey, Disk: disk})
				if done = err == nil; done {
					_ = s.Close() // fails if the fault only comes now
				}
				for _, survives := range []int{0, 100} { // percent of unsynced data
					after := disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: survives, RNG: rand.New(rand.NewPCG(1, 1))})
					for start := range 2 {
						s, err := store.Open(store.Options{Dir: "/db", RootKey: rootKey, Disk: after})
						if err != nil {
							t.Fatalf("stopped at operation %d with %d %% of what was not synced, start %d: %v", steps+1,
								survives, start+1, err)
						}
						checkOldFolder(t, s)
						if report, err := store.Check(store.Options{Dir: "/db", RootKey: rootKey, Disk: after}); err != nil ||
							report.Format != 4 || report.Damaged() {
							t.Errorf("the opened folder is examined as %+v, %v", report, err)
						}
					}
				}
			}
			if steps < 20 {
				t.Errorf("only %d operations upgrade a folder", steps)
			}
		})
	}
}

// checkOldFolder checks the content of testdata/format-1 to 3: items 1 to 89; item 0 was deleted.
func checkOldFolder(t *testing.T, s *store.Store) {
	t.Helper()
	var want strings.Builder
	for i := 1; i < 90; i++ {
		fmt.Fprintf(&want, "item-%03d=value %d ", i, i)
	}
	wantAll(t, s, want.String())
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// copyToDisk copies a folder to /db of a disk, and syncs it.
func copyToDisk(t *testing.T, disk *faultyDisk, dir string) {
	t.Helper()
	if err := disk.MkdirAll("/db/data", 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range imageOf(t, dir) {
		f, err := disk.Create("/db/"+name, vfs.WriteCategoryUnspecified)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(content); err != nil || f.Sync() != nil || f.Close() != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"/", "/db", "/db/data"} {
		d, err := disk.OpenDir(name)
		if err != nil || d.Sync() != nil {
			t.Fatal(err)
		}
	}
}

// readOnlyDisk refuses the lock like a file system that is mounted read-only.
type readOnlyDisk struct{ *faultyDisk }

// Lock implements vfs.FS.
func (d readOnlyDisk) Lock(name string) (io.Closer, error) {
	return nil, &os.PathError{Op: "open", Path: name, Err: syscall.EROFS}
}

func TestReadOnlyFileSystemIsReported(t *testing.T) {
	t.Parallel()
	disk := newFaultyDisk()
	copyToDisk(t, disk, filepath.Join("testdata", "format-1"))
	_, err := store.Open(store.Options{Dir: "/db", Disk: readOnlyDisk{disk}})
	var refusal *store.OpenError
	if !errors.As(err, &refusal) || !strings.Contains(err.Error(), "is on a read-only file system") {
		t.Errorf("the refusal is %v", err)
	}
}

// TestAStartIsKilledAtEachStep opens a folder after kill -9 and stops that at each operation, by kill -9 and by a power
// cut. The next start reads everything, and so does the one after its proper close: what the stopped start wrote beyond
// the record is not damage.
func TestAStartIsKilledAtEachStep(t *testing.T) {
	t.Parallel()
	dir, disk := t.TempDir(), newFaultyDisk()
	want := map[string]string{}
	for i := range 3 { // tables, and writes in a log
		s, err := openOn(dir, disk, 0)
		if err != nil {
			t.Fatal(err)
		}
		want[fmt.Sprint(i)] = "value"
		put(t, s, fmt.Sprint(i), "value")
		defer s.Close()
		disk = crashed(disk, 100, 1)
	}
	steps := firstStop()
	for done := false; !done; steps += stride() {
		stopped := crashed(disk, 100, 1)
		stopped.set(fault{at: steps + 1, err: broken})
		s, err := openOn(dir, stopped, 0)
		if done = err == nil && s.Err() == nil; err == nil {
			_ = s.Close()
		}
		for _, survives := range []int{0, 50, 100} { // percent of unsynced data
			what := fmt.Sprintf("stopping at operation %d with %d %% of what was not synced", steps+1, survives)
			if got := contentsTwice(t, what, dir, crashed(stopped, survives, uint64(steps))); !maps.Equal(got, want) {
				t.Errorf("%s: %s", what, differences(got, want))
			}
		}
		stopped.set(fault{})
		cutAfterStart(t, dir, stopped, want)
	}
	if steps < 20 {
		t.Errorf("only %d operations start on a folder", steps)
	}
}

// cutAfterStart opens a folder after kill -9 with unsynced data, and cuts the power then and before each operation of
// the opening.
func cutAfterStart(t *testing.T, dir string, disk *faultyDisk, want map[string]string) {
	t.Helper()
	var mu sync.Mutex
	var cuts []*faultyDisk
	disk.watchWith(func(string, string) {
		mu.Lock()
		defer mu.Unlock()
		cuts = append(cuts, crashed(disk, 0, 1))
	})
	s, err := openOn(dir, disk, 0)
	disk.watchWith(nil)
	if err != nil {
		t.Error(err)
		return
	}
	defer s.Close()
	mu.Lock()
	defer mu.Unlock()
	for i, after := range append(cuts[len(cuts)%3:], crashed(disk, 0, 1)) {
		if i%3 == 0 || i == len(cuts) {
			if got := contentsTwice(t, fmt.Sprintf("a power cut before operation %d of the start after a kill", i), dir,
				after); !maps.Equal(got, want) {
				t.Error(differences(got, want))
			}
		}
	}
}

// crashed returns a copy of a disk after a power cut that kept a percentage of the unsynced data, or after kill -9 with
// all of it.
func crashed(disk *faultyDisk, percent int, seed uint64) *faultyDisk {
	cfg := vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rand.New(rand.NewPCG(seed, 3))}
	return &faultyDisk{MemFS: disk.CrashClone(cfg)}
}
