package store_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// history runs the same operations on a store in memory, one in a folder, one in a folder that is reopened now and
// then, and a map, and compares their contents.
type history struct {
	stores   []*store.Store
	reopened string // the folder of the last store
	model    map[string]string

	snapshot      *store.Snapshot // of the first store; nil before the first
	snapshotModel map[string]string
}

func TestHistoryInMemoryOnDiskAndReopened(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h := newHistory(t)
		defer h.close(t)
		t.Repeat(map[string]func(*rapid.T){
			"":         h.check,
			"update":   h.update,
			"refuse":   h.refuse,
			"range":    h.deleteRange,
			"scan":     h.scan,
			"reopen":   h.reopen,
			"snapshot": h.takeSnapshot,
			"restore":  h.restore,
			"reset":    h.reset,
		})
	})
}

func newHistory(t *rapid.T) *history {
	h := &history{model: map[string]string{}}
	for _, pattern := range []string{"", "disk", "reopened"} {
		dir := ""
		if pattern != "" {
			var err error
			if dir, err = os.MkdirTemp("", "tabletop-store-"+pattern); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(dir) })
		}
		h.stores = append(h.stores, mustOpen(t, dir))
		h.reopened = dir
	}
	return h
}

func mustOpen(t *rapid.T, dir string) *store.Store {
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (h *history) close(t *rapid.T) {
	for _, s := range h.stores {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// all runs fn on each store.
func (h *history) all(t *rapid.T, fn func(*store.Store) error) {
	for i, s := range h.stores {
		if err := fn(s); err != nil {
			t.Fatalf("store %d: %v", i, err)
		}
	}
}

var (
	historyKey   = rapid.StringMatching(`[a-d]{1,3}`)
	historyWrite = rapid.Custom(func(t *rapid.T) [2]string {
		return [2]string{historyKey.Draw(t, "key"), rapid.SampledFrom([]string{"delete", "1", "2", "3",
			strings.Repeat("long", 100)}).Draw(t, "value")}
	})
)

func write(tx *store.Tx, writes [][2]string) error {
	for _, w := range writes {
		err := tx.Set([]byte(w[0]), []byte(w[1]))
		if w[1] == "delete" {
			err = tx.Delete([]byte(w[0]))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func latchesOf(writes [][2]string) store.Latches {
	var keys [][]byte
	for _, w := range writes {
		keys = append(keys, []byte(w[0]))
	}
	return store.Latch(keys...)
}

func (h *history) update(t *rapid.T) {
	writes := rapid.SliceOfN(historyWrite, 1, 9).Draw(t, "writes")
	optimistic := rapid.Bool().Draw(t, "optimistic")
	h.all(t, func(s *store.Store) error {
		if optimistic {
			return s.UpdateOptimistic(context.Background(), latchesOf(writes), func(tx *store.Tx) error {
				return write(tx, writes)
			}, nil)
		}
		return s.Update(latchesOf(writes), func(tx *store.Tx) error { return write(tx, writes) })
	})
	for _, w := range writes {
		if h.model[w[0]] = w[1]; w[1] == "delete" {
			delete(h.model, w[0])
		}
	}
}

// refuse writes, and then returns an error.
func (h *history) refuse(t *rapid.T) {
	writes := rapid.SliceOfN(historyWrite, 0, 9).Draw(t, "writes")
	refused := errors.New("refused")
	h.all(t, func(s *store.Store) error {
		err := s.Update(latchesOf(writes), func(tx *store.Tx) error { return errors.Join(write(tx, writes), refused) })
		if !errors.Is(err, refused) {
			return fmt.Errorf("Update returned %v, want %v", err, refused)
		}
		return nil
	})
}

func (h *history) deleteRange(t *rapid.T) {
	lo, hi := historyRange(t)
	h.all(t, func(s *store.Store) error {
		return s.Update(store.Latches{}, func(tx *store.Tx) error { return tx.DeleteRange([]byte(lo), []byte(hi)) })
	})
	maps.DeleteFunc(h.model, func(key, _ string) bool { return lo <= key && key < hi })
}

func historyRange(t *rapid.T) (lo, hi string) {
	lo, hi = historyKey.Draw(t, "lo"), historyKey.Draw(t, "hi")
	return min(lo, hi), max(lo, hi)
}

func (h *history) scan(t *rapid.T) {
	lo, hi := historyRange(t)
	reverse := rapid.Bool().Draw(t, "reverse")
	want := describe(h.model, lo, hi, reverse)
	h.all(t, func(s *store.Store) error {
		return s.View(func(r *store.Reader) error { return compare(r, lo, hi, reverse, want) })
	})
}

// check compares everything, key by key and as a whole.
func (h *history) check(t *rapid.T) {
	want := describe(h.model, "", "\xff", false)
	probe := historyKey.Draw(t, "probe")
	wantValue, wantOK := h.model[probe]
	h.all(t, func(s *store.Store) error {
		err := s.Get([]byte(probe), func(value []byte, ok bool) error {
			if string(value) != wantValue || ok != wantOK {
				return fmt.Errorf("Get(%s) = %q, %v, want %q, %v", probe, value, ok, wantValue, wantOK)
			}
			return nil
		})
		return errors.Join(err, s.View(func(r *store.Reader) error { return compare(r, "", "\xff", false, want) }))
	})
}

func compare(r *store.Reader, lo, hi string, reverse bool, want string) error {
	got, err := dump(r, []byte(lo), []byte(hi), reverse)
	if got != want {
		return fmt.Errorf("the range holds %q, want %q", got, want)
	}
	return err
}

func describe(model map[string]string, lo, hi string, reverse bool) string {
	keys := slices.Sorted(maps.Keys(model))
	if reverse {
		slices.Reverse(keys)
	}
	var b strings.Builder
	for _, key := range keys {
		if lo <= key && key < hi {
			fmt.Fprintf(&b, "%s=%s ", key, model[key])
		}
	}
	return b.String()
}

func (h *history) reopen(t *rapid.T) {
	last := len(h.stores) - 1
	if err := h.stores[last].Close(); err != nil {
		t.Fatal(err)
	}
	h.stores[last] = mustOpen(t, h.reopened)
}

func (h *history) takeSnapshot(t *rapid.T) {
	snapshot, err := h.stores[0].Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	h.snapshot, h.snapshotModel = snapshot, maps.Clone(h.model)
}

// restore restores the snapshot of the first store in all of them.
func (h *history) restore(t *rapid.T) {
	if h.snapshot == nil {
		t.Skip("no snapshot was taken yet")
	}
	h.all(t, func(s *store.Store) error { return s.Restore(h.snapshot) })
	h.model = maps.Clone(h.snapshotModel)
}

func (h *history) reset(t *rapid.T) {
	h.all(t, (*store.Store).Reset)
	clear(h.model)
}
