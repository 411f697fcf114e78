package store_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// faultStride is the number of seeds after which every operation of a history has been refused once.
const faultStride = 24

// TestFaultAtEveryOperation runs a random history and refuses one disk operation, a different one each time. Every
// operation of the store ends; acknowledged updates are there when the folder is opened again, also after a power cut
// that loses unsynced data; no update is there in part, and no reader saw what is lost.
func TestFaultAtEveryOperation(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 4, func(t *testing.T, seed uint64) {
		t.Parallel()
		number := seed / faultStride
		kind := seed + number // of the next history it is the next one at each place
		plain := newFaultHistory(t, number, kind)
		await.Return(t, "the history", func() { plain.run(t) })
		ops, _ := plain.disk.count()
		if plain.updates < faultSteps {
			t.Fatalf("without a fault the history has %d updates, want %d", plain.updates, faultSteps)
		}
		faults := []fault{{err: noSpace}, {err: broken, once: true}, {err: noSpace, torn: true},
			{err: broken, once: true, reads: true}}
		for at := 1 + int(seed%faultStride); at <= ops; at += faultStride {
			refuseOne(t, number, kind, at, faults[(at/faultStride+int(seed))%len(faults)])
		}
		for at := 1 + int(seed%3); at <= 60; at += 3 { // there are fewer syncs
			refuseOne(t, number, kind, at, fault{err: broken, once: true, only: only("sync")})
		}
		for at := 1 + int(seed%4); at <= 40; at += 4 { // and closings, many of files that were only read
			refuseOne(t, number, kind, at, fault{err: broken, once: true, only: only("close")})
		}
		for at := 1 + int(seed%2); at <= 10; at += 2 { // and fewer questions for sizes
			refuseOne(t, number, kind, at, fault{err: broken, once: true, reads: true, only: only("stat")})
		}
	})
}

// refuseOne runs a history with one fault and checks the folder, as it is and after a power cut.
func refuseOne(t *testing.T, seed, kind uint64, at int, f fault) {
	f.at = at
	h := newFaultHistory(t, seed, kind)
	h.disk.set(f)
	await.Return(t, fmt.Sprintf("the history with operation %d refused", at), func() { h.run(t) })
	_, hit := h.disk.count()
	h.disk.set(fault{})
	what := fmt.Sprintf("operation %d refused, %s, by %v", at, hit, f.err)
	lossy := &faultyDisk{MemFS: h.disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: []int{0, 50}[at%2], RNG: h.rng})}
	h.check(t, what, h.disk, h.acked, h.pending)
	h.check(t, what+", then a power cut", lossy, h.acked, h.pending)
}

// faultHistory is a random history of one writer on a disk, determined by its seed.
type faultHistory struct {
	dir   string
	disk  *faultyDisk
	rng   *rand.Rand
	s     *store.Store
	steps int

	updates int // acknowledged updates

	mu      sync.Mutex
	acked   map[string]string // acknowledged state
	pending map[string]string // state with the update in progress, or with the one whose result is unknown; nil: none
}

// newFaultHistory returns the history of a seed. Its kind, of which there are four, determines the memtables, and
// whether the folder is encrypted.
func newFaultHistory(t *testing.T, seed, kind uint64) *faultHistory {
	disk := newFaultyDisk()
	disk.memTable, disk.encrypt = memTables[kind%2], kind/2%2 == 1
	return &faultHistory{dir: t.TempDir(), disk: disk, rng: rand.New(rand.NewPCG(seed, 1)), steps: faultSteps,
		acked: map[string]string{}}
}

// memTables are the sizes of the memtables of random histories, in bytes: with the second, one of 40 updates replaces
// logs, flushes and compacts many times.
var memTables = [2]int{0, 16 << 10}

const (
	faultSteps = 40
	faultKeys  = 30
)

// run runs the history until the store has failed. It reopens the folder now and then, and in the middle: otherwise one
// of a thousand histories would never do that.
func (h *faultHistory) run(t *testing.T) {
	if !h.open(t) {
		return
	}
	for step := range h.steps {
		if h.rng.IntN(12) == 0 || step == h.steps/2 {
			_ = h.s.Close()
			if !h.open(t) {
				return
			}
		}
		if !h.step(t) {
			break
		}
	}
	h.checkTold(t)
	_ = h.s.Close()
}

func (h *faultHistory) open(t *testing.T) bool {
	var err error
	if h.s, err = openOn(h.dir, h.disk, 0); err != nil && strings.Contains(err.Error(), "\n") {
		t.Errorf("opening is refused in several lines: %v", err)
	}
	return err == nil
}

// step makes one update and reports whether the store continues.
func (h *faultHistory) step(t *testing.T) bool {
	next, update := h.draw()
	h.setPending(next)
	err := update()
	if err == nil {
		h.acknowledge(next)
		return true
	}
	failed := h.s.Err() != nil
	var unread *store.ReadError
	switch {
	case failed && isFailure(err):
	case errors.As(err, &unread):
		h.setPending(nil) // an update that cannot read writes nothing; a flush beside it may have stopped the store
	default:
		t.Errorf("an update failed by %v, the store by %v", err, h.s.Err())
	}
	return !failed
}

func (h *faultHistory) setPending(next map[string]string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pending = next
}

func (h *faultHistory) acknowledge(next map[string]string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.acked, h.pending = next, nil
	h.updates++
}

// draw returns a random update and the state after it.
func (h *faultHistory) draw() (next map[string]string, update func() error) {
	next = maps.Clone(h.acked)
	key := func() string { return fmt.Sprintf("key %02d", h.rng.IntN(faultKeys)) }
	switch h.rng.IntN(20) {
	case 0:
		return map[string]string{}, h.s.Reset
	case 1, 2:
		lo, hi := key(), key()
		maps.DeleteFunc(next, func(k, _ string) bool { return lo <= k && k < hi })
		return next, func() error {
			return h.s.Update(store.Latches{}, func(tx *store.Tx) error {
				return tx.DeleteRange([]byte(lo), []byte(max(lo, hi)))
			})
		}
	case 3:
		return next, h.copyBack
	}
	writes := map[string]string{}
	for range 1 + h.rng.IntN(4) {
		writes[key()] = strings.Repeat(string(rune('a'+h.rng.IntN(26))), h.rng.IntN(20_000))
	}
	gone := key()
	delete(next, gone)
	maps.Copy(next, writes)
	return next, func() error {
		return h.s.Update(store.Latches{}, func(tx *store.Tx) error {
			err := tx.Delete([]byte(gone))
			for k, v := range writes {
				err = errors.Join(err, tx.Set([]byte(k), []byte(v)))
			}
			return err
		})
	}
}

// copyBack takes a snapshot and restores it.
func (h *faultHistory) copyBack() error {
	snapshot, err := h.s.Snapshot()
	if err != nil {
		return err
	}
	return h.s.Restore(snapshot)
}

// checkTold reads everything: it is the acknowledged state, or refused.
func (h *faultHistory) checkTold(t *testing.T) {
	got, err := contents(h.s)
	if err == nil && !maps.Equal(got, h.acked) {
		t.Errorf("a reader was told other than what was acknowledged: %s", differences(got, h.acked))
	}
}

// check opens a copy of the folder. It has the acknowledged state, with or without the update in progress.
func (h *faultHistory) check(t *testing.T, what string, disk *faultyDisk, acked, pending map[string]string) {
	t.Helper()
	await.Return(t, "opening after "+what, func() {
		got := contentsTwice(t, what, h.dir, disk)
		if !maps.Equal(got, acked) && (pending == nil || !maps.Equal(got, pending)) {
			t.Errorf("%s: the folder holds other than what was acknowledged: %s", what, differences(got, acked))
		}
	})
}

// contentsTwice opens a folder, reads all of it and closes it, twice: a proper close after a crash leaves a folder that
// opens.
func contentsTwice(t *testing.T, what, dir string, disk *faultyDisk) (all map[string]string) {
	t.Helper()
	for start := range 2 {
		s, err := openOn(dir, disk, 0)
		if err != nil {
			t.Errorf("%s: start %d is refused: %v", what, start+1, err)
			return all
		}
		before := all
		all, err = contents(s)
		if err = errors.Join(err, s.Close()); err != nil {
			t.Errorf("%s: start %d: %v", what, start+1, err)
		}
		if start > 0 && !maps.Equal(all, before) {
			t.Errorf("%s: the second start finds other than the first: %s", what, differences(all, before))
		}
	}
	return all
}

func contents(s *store.Store) (map[string]string, error) {
	all := map[string]string{}
	err := s.View(func(r *store.Reader) error {
		it := r.Iter(nil, nil, false)
		for it.Next() {
			all[string(it.Key())] = string(it.Value())
		}
		return it.Close()
	})
	return all, err
}

func differences(got, want map[string]string) string {
	var b strings.Builder
	for k := range want {
		if got[k] != want[k] {
			fmt.Fprintf(&b, "%s has %d bytes, want %d; ", k, len(got[k]), len(want[k]))
		}
	}
	for k := range got {
		if _, ok := want[k]; !ok {
			fmt.Fprintf(&b, "%s should not be there; ", k)
		}
	}
	return b.String()
}
