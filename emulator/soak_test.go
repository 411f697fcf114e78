package emulator_test

import (
	"cmp"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
)

// The soak: what a client makes and drops leaves nothing behind, in memory or on disk. Each round makes, uses and drops
// tables, streams, backups, keys, databases, containers and scripts under new names, while the clock moves.

const (
	soakWarmUp = 40                  // rounds before the first measurement
	soakRounds = 100                 // rounds between two measurements
	soakStep   = 6 * time.Hour       // by which the clock moves in a round
	soakRest   = 40 * 24 * time.Hour // longer than streams, backups and deleted keys are kept
)

// What may be more at the end than after the warm-up. One entry that each round leaves behind takes several objects.
const (
	soakObjects    = 6000     // live objects: range tombstones until Pebble compacts them, compiled scripts
	soakHeap       = 40 << 20 // bytes: the store's cache and memtables, which fill slowly
	soakGoroutines = 20
	soakFiles      = 20
	soakFolder     = 32 << 20 // bytes, which compactions have not freed yet
)

// footprint is what an emulator takes.
type footprint struct {
	objects, heap     int64
	goroutines, files int
	folder            int64
}

// TestSoak runs one pass, or passes for as long as TABLETOP_SOAK says, such as 30m: see .ci/nightly. It is not
// parallel, because it measures the process.
func TestSoak(t *testing.T) {
	length, err := time.ParseDuration(cmp.Or(os.Getenv("TABLETOP_SOAK"), "0s"))
	if err != nil {
		t.Fatal("TABLETOP_SOAK: ", err)
	}
	dir := t.TempDir()
	e := emulator.Run(t, emulator.WithData(dir), emulator.WithCosmosHTTPAddr("127.0.0.1:0"),
		emulator.WithManualClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
	s := newSoak(t, e)
	s.run(soakWarmUp)
	before := s.measure(dir)
	t.Logf("%d rounds: %+v", s.round, before)
	for began := time.Now(); ; {
		s.run(soakRounds)
		after := s.measure(dir)
		t.Logf("%d rounds: %+v", s.round, after)
		after.check(t, before)
		if t.Failed() || time.Since(began) >= length {
			return
		}
	}
}

// check fails the test if the emulator takes more than before.
func (f footprint) check(t *testing.T, before footprint) {
	t.Helper()
	for _, c := range []struct {
		what                 string
		now, earlier, margin int64
	}{
		{"live objects", f.objects, before.objects, soakObjects},
		{"bytes of live objects", f.heap, before.heap, soakHeap},
		{"goroutines", int64(f.goroutines), int64(before.goroutines), soakGoroutines},
		{"open files", int64(f.files), int64(before.files), soakFiles},
		{"bytes in the data folder", f.folder, before.folder, soakFolder},
	} {
		if c.now > c.earlier+c.margin {
			t.Errorf("%d %s, more than the %d after the warm-up and a margin of %d", c.now, c.what, c.earlier, c.margin)
		}
	}
}

// measure returns what the emulator takes once all that expires has expired.
func (s *soak) measure(dir string) footprint {
	s.t.Helper()
	s.ForgetFigures()
	s.round++
	s.tables() // caches forget what was dropped when something new is measured
	if err := errors.Join(s.Advance(soakRest), s.Flush()); err != nil {
		s.t.Fatal(err)
	}
	s.idle()
	open, _ := os.ReadDir("/dev/fd") // there is none on Windows: 0
	f := footprint{objects: math.MaxInt64, goroutines: runtime.NumGoroutine(), files: len(open),
		folder: folderSize(s.t, dir)}
	for range 10 { // finalizers and pools take several collections, and compactions make garbage meanwhile
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if objects := int64(m.HeapObjects); objects < f.objects {
			f.objects, f.heap = objects, int64(m.HeapAlloc)
		}
	}
	return f
}

func folderSize(t testing.TB, dir string) (bytes int64) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil // a compaction has just removed it
		}
		if info, err := entry.Info(); err == nil {
			bytes += info.Size()
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return bytes
}
