package pointintime

import (
	"errors"
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Index is an index whose earlier states are shown.
type Index struct {
	Rows
	// EntryKey returns the key in the index of an item, without the prefix; nil if it is not in it.
	EntryKey func(image []byte) []byte
}

// window is the part of an index that a View has. The order of an index is not that of the items' keys, so the first
// changes of the items in a range of the index are not those in a range of the log's keys. A window therefore notes
// which of its current rows have not changed, from one snapshot of the index, and reads the log backward: of an item,
// what the oldest change found is what counts. Both need memory for the window alone, however long the log is.
type window struct {
	Index
	begun, complete bool
	to              changelog.Position // the next change to read backward is here or before
	// unchanged has the keys of the items whose current rows are in the window and have not changed since the moment. A
	// row of another item came to the window later.
	unchanged map[string]struct{}
	oldest    map[string]change // of items that were in the window before the oldest change so far, while reading
}

// fill finds out what the window had at the moment. complete is false if the request has done its share of work before
// the end: the next one continues. Changes after the floor are read again, and change nothing.
func (v *View) fill(r *store.Reader, floor changelog.Position, work *budget.Budget, bounds Bounds) (complete bool,
	err error) {
	w := v.window
	if !w.begun {
		if err := v.readRows(r, work, bounds); err != nil {
			return false, err
		}
		v.scanned, w.begun, w.to = max(v.After, floor), true, math.MaxUint64
		w.oldest = map[string]change{}
	}
	complete = true
	err = v.Log.Read(r, v.After+1, w.to, true, func(p changelog.Position, record changelog.Record) (bool, error) {
		if complete = !bounds.Spent(work); !complete {
			w.to = p
			return false, nil
		}
		if v.addOlder(p, &record); v.bytes > bounds.ViewBytes {
			v.shrinkOldest()
		}
		return true, work.Step(recordSteps(&record))
	})
	if err != nil || !complete {
		return false, err
	}
	for _, c := range w.oldest {
		v.changed = append(v.changed, c)
	}
	w.oldest, w.complete = nil, true
	return true, nil
}

// readRows notes the current rows of the window, which ends where they need half the memory of a View, or a request's
// share of work.
func (v *View) readRows(r *store.Reader, work *budget.Budget, bounds Bounds) error {
	w := v.window
	it := r.Iter(append([]byte(w.Prefix), v.lo...), store.PrefixEnd(w.Prefix), false)
	for size := 0; it.Next(); {
		if size > bounds.ViewBytes/2 || size > 0 && bounds.Spent(work) {
			v.hi = string(it.Key()[len(w.Prefix):])
			break
		}
		key := string(w.ItemKey(it.Value()))
		w.unchanged[key] = struct{}{}
		size += len(key) + entryBytes
		if err := work.Step(1 + len(it.Value())/64); err != nil {
			return errors.Join(err, it.Close())
		}
	}
	return it.Close()
}

// addOlder adds a change that is older than those so far: it takes the place of that of its item.
func (v *View) addOlder(p changelog.Position, record *changelog.Record) {
	w := v.window
	delete(w.unchanged, string(record.Key))
	if c, found := w.oldest[string(record.Key)]; found {
		v.bytes -= len(record.Key) + len(c.key) + 2*entryBytes
		delete(w.oldest, string(record.Key))
	}
	if key := w.EntryKey(imageBefore(record)); key != nil && v.Covers(key) {
		w.oldest[string(record.Key)] = change{string(key), p}
		v.bytes += len(record.Key) + len(key) + 2*entryBytes
	}
}

// shrinkOldest ends the window before the upper half of the changes.
func (v *View) shrinkOldest() {
	w := v.window
	all := make([]change, 0, len(w.oldest))
	for _, c := range w.oldest {
		all = append(all, c)
	}
	v.hi = upperHalf(all)
	for key, c := range w.oldest {
		if !v.covers(c.key) {
			v.bytes -= len(key) + len(c.key) + 2*entryBytes
			delete(w.oldest, key)
		}
	}
}

// addLater adds a change that is later than those so far, if it is the first of an item of the window.
func (v *View) addLater(p changelog.Position, record *changelog.Record) {
	w := v.window
	if _, unchanged := w.unchanged[string(record.Key)]; !unchanged {
		return
	}
	delete(w.unchanged, string(record.Key))
	if key := w.EntryKey(imageBefore(record)); key != nil && v.Covers(key) {
		v.changed = append(v.changed, change{string(key), p})
		v.bytes += len(key) + entryBytes
	}
}
