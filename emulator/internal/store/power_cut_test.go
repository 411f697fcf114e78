package store_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// powerCuts copies a disk before random operations, as a power cut would leave it: without some or all unsynced data.
// It keeps some copies for each kind of operation, and each operation is as likely as any other of its kind, so that
// rare moments of a history are covered too.
type powerCuts struct {
	disk *faultyDisk
	rng  *rand.Rand
	keep int // number of copies for each kind of operation
	// take makes a copy and returns the function that checks it, given the updates acknowledged before and begun after.
	take func(cut func() *faultyDisk) (check func(t *testing.T, what string))

	mu      sync.Mutex
	reached map[string]int // number of operations of each kind
	kept    map[string][]powerCut
	lossy   int // number of copies that lack unsynced data
}

type powerCut struct {
	what  string
	check func(t *testing.T, what string)
}

// cutPower starts to copy the disk.
func cutPower(disk *faultyDisk, seed uint64, keep int, take func(cut func() *faultyDisk) func(*testing.T,
	string)) *powerCuts {
	c := &powerCuts{disk: disk, rng: rand.New(rand.NewPCG(seed, 99)), keep: keep, take: take, reached: map[string]int{},
		kept: map[string][]powerCut{}}
	disk.watchWith(c.before)
	return c
}

// before decides by reservoir sampling whether to cut the power before an operation.
func (c *powerCuts) before(op, name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kind := op + " " + kindOf(c.disk, name)
	c.reached[kind]++
	place := len(c.kept[kind])
	if place == c.keep {
		if place = c.rng.IntN(c.reached[kind]); place >= c.keep {
			return
		}
	} else {
		c.kept[kind] = append(c.kept[kind], powerCut{})
	}
	percent := []int{0, 50, 90}[c.rng.IntN(3)]
	check := c.take(func() *faultyDisk { return c.cut(percent) })
	c.kept[kind][place] = powerCut{fmt.Sprintf("a power cut before %s %s, with %d %% of what was not synced", op,
		filepath.Base(name), percent), check}
}

// kindOf returns the kind of a file.
func kindOf(disk *faultyDisk, name string) string {
	base := filepath.Base(name)
	_, compacted := disk.compacted.Load(name)
	switch {
	case compacted:
		return "compacted table"
	case strings.HasSuffix(base, ".sst"):
		return "table"
	case strings.HasSuffix(base, ".log"):
		return "log"
	}
	return strings.TrimRight(strings.SplitN(base, "0", 2)[0], "-.")
}

func (c *powerCuts) cut(percent int) *faultyDisk {
	whole := filesOf(c.disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: c.rng}), "/")
	after := c.disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: c.rng})
	left := filesOf(after, "/")
	for name, content := range whole {
		if !bytes.HasPrefix(left[name], content) {
			c.lossy++
			break
		}
	}
	return &faultyDisk{MemFS: after}
}

// filesOf returns the content of each file under a folder.
func filesOf(files vfs.FS, dir string) folderImage {
	image := folderImage{}
	names, _ := files.List(dir)
	for _, name := range names {
		path := filepath.Join(dir, name)
		if info, err := files.Stat(path); err == nil && info.IsDir() {
			maps.Copy(image, filesOf(files, path))
		} else if f, err := files.Open(path); err == nil {
			image[path], _ = io.ReadAll(f)
			_ = f.Close()
		}
	}
	return image
}

// check checks each copy. It fails if the history did not reach the given moments, or if no copy lost anything.
func (c *powerCuts) check(t *testing.T, moments ...string) {
	t.Helper()
	for _, kind := range slices.Sorted(maps.Keys(c.kept)) {
		for _, cut := range c.kept[kind] {
			cut.check(t, cut.what)
		}
	}
	for _, kind := range moments {
		if c.reached[kind] == 0 {
			t.Errorf("the history has no %q; it has %v", kind, c.reached)
		}
	}
	if c.lossy == 0 {
		t.Errorf("of copies of %v none lost anything that was not synced", c.reached)
	}
}

// rareMoments are moments that a power cut must hit: when files are created, named, and no longer needed.
var rareMoments = []string{
	"write log", "sync log", "create log", "remove log", "write table", "sync table", "write MANIFEST", "sync MANIFEST",
	"create marker.manifest", "remove marker.manifest", "sync data", "write INTEGRITY", "sync INTEGRITY",
}

// TestPowerCutAnywhere cuts the power before operations of a random history of one writer.
func TestPowerCutAnywhere(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 4, func(t *testing.T, seed uint64) {
		t.Parallel()
		h := newFaultHistory(t, seed, seed)
		h.steps = 80
		cuts := cutPower(h.disk, seed, 2, func(cut func() *faultyDisk) func(*testing.T, string) {
			h.mu.Lock()
			defer h.mu.Unlock()
			disk, acked, pending := cut(), maps.Clone(h.acked), maps.Clone(h.pending)
			return func(t *testing.T, what string) { h.check(t, what, disk, acked, pending) }
		})
		await.Return(t, "the history", func() { h.run(t) })
		cuts.check(t, rareMoments...)
	})
}

const (
	powerCutSeeds  = 4
	powerCutWrites = 120
	powerCutKeys   = 40
	powerCutReopen = 15       // writes before the folder is reopened, which writes a table
	powerCutValue  = 24 << 10 // bytes, so that the history has several logs, and tables that are written and compacted
)

// TestAPowerCutLosesNothing cuts the power before operations of a history that writes and compacts many tables. The
// folder opens without an error, and has all acknowledged data.
func TestAPowerCutLosesNothing(t *testing.T) {
	t.Parallel()
	rootKey := filepath.Join(t.TempDir(), "root.key")
	seeds.Run(t, powerCutSeeds, func(t *testing.T, seed uint64) {
		disk := newFaultyDisk()
		var acknowledged atomic.Int64
		cuts := cutPower(disk, seed, 1, func(cut func() *faultyDisk) func(*testing.T, string) {
			had, after := int(acknowledged.Load()), cut()
			return func(t *testing.T, what string) {
				s := openAfter(t, what, rootKey, after)
				defer s.Close()
				for i := max(0, had-powerCutKeys); i < had; i++ {
					got := value(t, s, fmt.Sprintf("%06d", i%powerCutKeys))
					if len(got) != powerCutValue || number([]byte(strings.TrimLeft(got, "."))) < i {
						t.Fatalf("%s: write %d of %d acknowledged is gone", what, i, had)
					}
				}
			}
		})
		s := openAfter(t, "nothing", rootKey, disk)
		for i := range powerCutWrites {
			put(t, s, fmt.Sprintf("%06d", i%powerCutKeys), strings.Repeat(".", powerCutValue-6)+fmt.Sprintf("%6d", i))
			acknowledged.Store(int64(i + 1))
			if i%powerCutReopen == powerCutReopen-1 {
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				s = openAfter(t, "closing", rootKey, disk)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		cuts.check(t, append(rareMoments, "write compacted table", "sync compacted table")...)
	})
}

func openAfter(t *testing.T, what, rootKey string, disk vfs.FS) *store.Store {
	t.Helper()
	s, err := store.Open(store.Options{Dir: "/db", RootKey: rootKey, Disk: disk})
	if err != nil {
		t.Fatalf("after %s: %v", what, err)
	}
	return s
}
