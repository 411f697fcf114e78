package engine

import (
	"errors"
	"maps"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/recount"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// startCounting counts the items of tables and indexes whose counts were not saved, in a large folder while requests
// are served. Tables whose items nobody can read are counted when their key can be used: see CountAgain. s.mu must be
// held.
func (s *Engine) startCounting() (err error) {
	left := map[uint32]*Stats{}
	for _, a := range s.Accounts {
		for _, t := range *a.Tables.Load() {
			for id, stats := range t.AllStats() {
				if stats.uncounted.Load() && !t.locked() {
					left[id] = stats
				}
			}
		}
	}
	if len(left) == 0 {
		return nil
	}
	s.counting, err = recount.Start(s.Store, func(r *store.Reader, counted func(bytes int) error) error {
		for _, id := range slices.Sorted(maps.Keys(left)) {
			stats := left[id]
			if err := countItems(r, id, stats, counted); err != nil {
				return err
			}
			stats.uncounted.Store(false)
		}
		return nil
	}, func(err error) { s.Log.Error("the items of tables cannot be counted", "error", err) })
	return err
}

// StopCounting ends the counting of items in the background, if there is any. What is not counted by then is counted
// when the tables are loaded again.
func (s *Engine) StopCounting() {
	s.counting.Stop()
	s.counting = nil
}

// countItems adds every item of a table or an index to its counts, and calls counted after each.
func countItems(r *store.Reader, id uint32, into *Stats, counted func(bytes int) error) error {
	lo, hi := KeySpan(id)
	it := r.Iter(lo, hi, false)
	defer it.Close()
	for it.Next() {
		v := it.Value()
		if v == nil {
			continue
		}
		into.Add(1, int64(item.Value(v).ItemSize()))
		if err := counted(len(v)); err != nil {
			return err
		}
	}
	if err := it.Close(); !errors.Is(err, store.ErrLocked) { // otherwise they are counted once the key can be used
		return err
	}
	return nil
}

// CountAgain counts the items of a table and its indexes, whose counts are not known.
func (s *Engine) CountAgain(t *Table) error {
	return s.Store.View(func(r *store.Reader) error {
		for id, stats := range t.AllStats() {
			stats.Items.Store(0)
			stats.Bytes.Store(0)
			if err := countItems(r, id, stats, func(int) error { return nil }); err != nil {
				return err
			}
			stats.uncounted.Store(false)
		}
		return nil
	})
}
