package pointintime

import (
	"errors"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Rows are the current rows of what a View is of.
type Rows struct {
	Prefix []byte // of their keys; the rest of a key is the key of a record, or of an index
	// ItemKey returns the key of records for a row of an index; nil for a table.
	ItemKey func(row []byte) []byte
}

// Entry is an item at the moment of a View.
type Entry struct {
	Key     []byte // without the prefix
	Row     []byte // the value of its current row, if it has not changed since
	Earlier []byte // its image, if it has changed since
}

// Exists reports whether there was an item at the moment.
func (e *Entry) Exists() bool { return e.Row != nil || e.Earlier != nil }

// Each visits the items of a range of keys as they were at the moment, in order, until visit returns false; an empty hi
// is no bound. It also visits keys that had no item at the moment, so that visit can end a long search. It returns the
// first key that was not visited, nil if all were.
func (v *View) Each(r *store.Reader, work *budget.Budget, rows Rows, lo, hi []byte,
	visit func(Entry) (bool, error)) (next []byte, err error) {
	end := hi
	if v.hi != "" && (len(hi) == 0 || v.hi < string(hi)) { // the next page needs another View
		next, end = []byte(v.hi), []byte(v.hi)
	}
	top := store.PrefixEnd(rows.Prefix)
	changed := v.from(lo)
	if len(end) > 0 {
		top = slices.Concat(rows.Prefix, end)
		changed = changed[:max(0, len(changed)-len(v.from(end)))]
	}
	m := merge{view: v, reader: r, work: work, rows: rows, changed: changed, visit: visit,
		iter: r.Iter(slices.Concat(rows.Prefix, lo), top, false)}
	stopped, err := m.run()
	if stopped != nil {
		next = stopped
	}
	return next, errors.Join(err, m.iter.Close())
}

// merge merges the current rows that have not changed since with the earlier items of the others.
type merge struct {
	view    *View
	reader  *store.Reader
	work    *budget.Budget
	rows    Rows
	changed []change
	iter    store.Iter
	visit   func(Entry) (bool, error)
}

// run returns the key at which visit stopped.
func (m *merge) run() (stopped []byte, err error) {
	for found := m.iter.Next(); found || len(m.changed) > 0; {
		var key []byte
		var more bool
		if isRow := found && (len(m.changed) == 0 || string(m.rowKey()) <= m.changed[0].key); isRow {
			key = m.rowKey()
			if more, err = m.visitRow(); more && err == nil {
				found = m.iter.Next()
			}
		} else {
			key = []byte(m.changed[0].key)
			more, err = m.visitEarlier(m.changed[0])
			m.changed = m.changed[1:]
		}
		if err != nil || !more {
			return slices.Clone(key), err
		}
	}
	return nil, nil
}

func (m *merge) rowKey() []byte { return m.iter.Key()[len(m.rows.Prefix):] }

// visitRow visits a current row, whose item may have changed since.
func (m *merge) visitRow() (more bool, err error) {
	entry := Entry{Key: m.rowKey(), Row: m.iter.Value()}
	if err := m.work.Step(1 + len(entry.Row)/64); err != nil {
		return false, err
	}
	itemKey := entry.Key
	if m.rows.ItemKey != nil {
		itemKey = m.rows.ItemKey(entry.Row)
	}
	if m.view.isChanged(itemKey) {
		entry.Row = nil
	}
	return m.visit(entry)
}

// visitEarlier visits an item that has changed since.
func (m *merge) visitEarlier(c change) (more bool, err error) {
	err = ImageBefore(m.reader, m.view.Log, c.at, func(image []byte) error {
		if err := m.work.Step(1 + len(image)/64); err != nil {
			return err
		}
		more, err = m.visit(Entry{Key: []byte(c.key), Earlier: image})
		return err
	})
	return more, err
}

// EachDifference visits the items that changed after the moment of v and not only after that of later, in the order of
// their keys from lo on, until visit returns false. An item may still be the same at both moments. It returns the first
// key that was not visited, nil if all were.
func (v *View) EachDifference(later *View, lo []byte,
	visit func(key []byte, first changelog.Position) (bool, error)) (next []byte, err error) {
	for _, c := range v.from(lo) {
		if !later.covers(c.key) {
			return []byte(c.key), nil
		}
		if c.at > later.After { // it changed after the later moment only
			continue
		}
		if more, err := visit([]byte(c.key), c.at); err != nil || !more {
			return []byte(c.key), err
		}
	}
	if v.hi != "" {
		next = []byte(v.hi)
	}
	return next, nil
}
