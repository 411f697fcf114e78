package history

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// entryBytes is about how many bytes a key takes in an overlay besides its own.
const entryBytes = 64

// overlay is what changed in a table after a moment: of each item the first change. It follows the table: extend adds
// what was written meanwhile, which changes only items that had not changed yet.
type overlay struct {
	overlayKey
	scanned changelog.Position // the log has been read up to here
	lo, hi  string             // the range of keys that it has; an empty hi is no bound
	first   map[string]changelog.Position
	earlier []earlier // sorted
	sorted  int       // how many of earlier are sorted
	bytes   int
}

// overlayKey is what an overlay is of.
type overlayKey struct {
	table *engine.Table
	index *engine.Index // nil: the table
	after changelog.Position
}

// earlier is an item that changed after the moment.
type earlier struct {
	key string             // of the item at the moment, in the table or the index, without the prefix
	at  changelog.Position // its first change, whose record has the item
}

// newOverlay returns an overlay of keys from lo on, which knows no changes yet.
func newOverlay(of overlayKey, lo string) *overlay {
	return &overlay{overlayKey: of, lo: lo, scanned: of.after, first: map[string]changelog.Position{}}
}

// covers reports whether the overlay has the changes of a key.
func (o *overlay) covers(key string) bool { return key >= o.lo && (o.hi == "" || key < o.hi) }

// extend reads the changes since the last extend. complete is false if the request has done its share of work before
// the end: the next one continues. floor is the log's from before the Reader was opened.
func (o *overlay) extend(req *engine.Request, r *store.Reader, floor changelog.Position) (complete bool, err error) {
	last, complete, limit := o.scanned, true, extensionOf(req).Bounds.OverlayBytes
	err = o.table.Log.Read(r, o.scanned+1, math.MaxUint64, false,
		func(p changelog.Position, record changelog.Record) (bool, error) {
			if complete = !spent(req); !complete {
				return false, nil
			}
			last = p
			if err := req.Work.Step(recordSteps(&record)); err != nil {
				return false, err
			}
			o.add(p, &record)
			if o.bytes <= limit {
				return true, nil
			}
			return true, o.shrink()
		})
	if err != nil {
		return false, err
	}
	if complete { // beyond the floor, changes may still be missing between those that were read
		last = floor
	}
	o.scanned = max(o.scanned, min(last, floor))
	return complete, o.sort(req)
}

// recordSteps returns the budget steps for reading a record.
func recordSteps(r *changelog.Record) int {
	return 16 + (len(r.Old)+len(r.New))/engine.ItemBytesPerStep
}

// add adds a change, unless it is a later one of its item.
func (o *overlay) add(p changelog.Position, record *changelog.Record) {
	if _, known := o.first[string(record.Key)]; known || o.index == nil && !o.covers(string(record.Key)) {
		return
	}
	key := string(record.Key)
	o.first[key] = p
	o.bytes += len(key) + entryBytes
	if o.index != nil {
		if indexKey, _ := o.index.Entry(o.table, record.Old); indexKey != nil {
			o.earlier = append(o.earlier, earlier{string(indexKey[engine.KeyPrefixLength:]), p})
			o.bytes += len(indexKey) + entryBytes
		}
	} else {
		o.earlier = append(o.earlier, earlier{key, p})
	}
}

// shrink drops the upper half of the keys. An index has none to drop: its order is not that of the table.
func (o *overlay) shrink() error {
	if o.index != nil {
		return wire.ValidationError("too many items changed since then to show the index: show the table, or a later moment")
	}
	slices.SortFunc(o.earlier, compareEarlier)
	half := len(o.earlier) / 2
	o.hi = o.earlier[half].key
	o.earlier, o.sorted, o.bytes = slices.Clone(o.earlier[:half]), half, 0
	o.first = make(map[string]changelog.Position, half)
	for _, e := range o.earlier {
		o.first[e.key] = e.at
		o.bytes += len(e.key) + entryBytes
	}
	return nil
}

// sort sorts the items.
func (o *overlay) sort(req *engine.Request) error {
	if o.sorted == len(o.earlier) {
		return nil
	}
	if err := req.Work.Step(len(o.earlier) * engine.SortStepsPerName); err != nil {
		return err
	}
	slices.SortFunc(o.earlier, compareEarlier)
	o.sorted = len(o.earlier)
	return nil
}

func compareEarlier(a, b earlier) int { return cmp.Compare(a.key, b.key) }

// from returns the position in earlier of the first key from lo on.
func (o *overlay) from(lo string) int {
	at, _ := slices.BinarySearchFunc(o.earlier, lo, func(e earlier, lo string) int { return cmp.Compare(e.key, lo) })
	return at
}

// endsBefore reports whether the overlay ends before a range of keys does; an empty hi is no bound.
func (o *overlay) endsBefore(hi []byte) bool {
	return o.hi != "" && (len(hi) == 0 || o.hi < string(hi))
}

// each visits the items of a range of keys as they were at the moment, in order, until visit returns false. Keys are
// without their prefix; an empty hi is no bound. visit gets nil for a key that had no item at the moment, so that it
// can end a long search.
func (o *overlay) each(r *store.Reader, req *engine.Request, lo, hi []byte,
	visit func(key []byte, it item.Value) (bool, error)) error {
	if o.endsBefore(hi) {
		hi = []byte(o.hi)
	}
	prefix := engine.AppendTablePrefix(nil, o.id())
	end := store.PrefixEnd(prefix)
	if len(hi) > 0 {
		end = slices.Concat(prefix, hi)
	}
	rows := r.Iter(slices.Concat(prefix, lo), end, false)
	changed := o.earlier[o.from(string(lo)):]
	if len(hi) > 0 {
		changed = changed[:max(0, o.from(string(hi))-o.from(string(lo)))]
	}
	return errors.Join(o.merge(r, req, &rows, changed, visit), rows.Close())
}

// merge visits the current rows that have not changed since, and the earlier items of the others.
func (o *overlay) merge(r *store.Reader, req *engine.Request, rows *store.Iter, changed []earlier,
	visit func(key []byte, it item.Value) (bool, error)) error {
	found := rows.Next()
	for more := true; more && (found || len(changed) > 0); {
		var err error
		if found && (len(changed) == 0 || string(rows.Key()[engine.KeyPrefixLength:]) <= changed[0].key) {
			more, err = o.visitRow(req, rows.Key(), rows.Value(), visit)
			found = more && rows.Next()
		} else {
			more, err = o.visitEarlier(r, req, changed[0], visit)
			changed = changed[1:]
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// visitRow visits a current row, unless its item has changed since.
func (o *overlay) visitRow(req *engine.Request, key []byte, row item.Value,
	visit func(key []byte, it item.Value) (bool, error)) (bool, error) {
	if err := req.Work.Step(1 + len(row)/engine.ItemBytesPerStep); err != nil {
		return false, err
	}
	itemKey := key
	if o.index != nil {
		itemKey = o.table.Key(row)
	}
	if _, changed := o.first[string(itemKey[engine.KeyPrefixLength:])]; changed {
		row = nil
	}
	return visit(key[engine.KeyPrefixLength:], row)
}

// visitEarlier visits an item that has changed since.
func (o *overlay) visitEarlier(r *store.Reader, req *engine.Request, e earlier,
	visit func(key []byte, it item.Value) (bool, error)) (more bool, err error) {
	err = imageBefore(r, o.table, e.at, func(image item.Value) error {
		if err := req.Work.Step(1 + len(image)/engine.ItemBytesPerStep); err != nil {
			return err
		}
		if o.index != nil {
			_, image = o.index.Entry(o.table, image)
		}
		more, err = visit([]byte(e.key), image)
		return err
	})
	return more, err
}

// imageBefore calls use with the image before a change; nil if there was no item.
func imageBefore(r *store.Reader, t *engine.Table, at changelog.Position, use func(image item.Value) error) error {
	found := false
	err := t.Log.Read(r, at, at, false, func(_ changelog.Position, record changelog.Record) (bool, error) {
		found = true
		if record.Kind == changelog.Insert {
			return false, use(nil)
		}
		return false, use(record.Old)
	})
	if err == nil && !found {
		return errTrimmed
	}
	return err
}

// current calls use with the item under a key, which is without the table's prefix; nil if there is none.
func current(r *store.Reader, t *engine.Table, key []byte, use func(image item.Value) error) error {
	full := append(engine.AppendTablePrefix(nil, t.Def.ID), key...)
	it := r.Iter(full, append(bytes.Clone(full), 0), false)
	var image item.Value
	if it.Next() {
		image = it.Value()
	}
	err := use(image)
	if closeErr := it.Close(); err == nil {
		err = closeErr
	}
	return err
}

// errTrimmed reports that a change was removed since it was found.
var errTrimmed error = wire.ValidationError("the changes since that time are not stored any more: choose a later time")
