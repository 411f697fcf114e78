package pointintime

import (
	"cmp"
	"math"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// entryBytes is about how many bytes a key takes in a View besides its own.
const entryBytes = 64

// Source is what a View is of.
type Source struct {
	Of    any // the table, index or container; comparable
	Log   *changelog.Log
	After changelog.Position // the moment
}

// View is what changed after a moment: of each item the first change. It follows the log: Extend adds what was written
// meanwhile, which changes only items that had not changed yet. Its range of keys is of the table or of the index.
type View struct {
	Source
	window  *window                       // of an index; nil for a table
	scanned changelog.Position            // the log has been read up to here
	lo, hi  string                        // the range of keys that it has; an empty hi is no bound
	first   map[string]changelog.Position // of a table, by the key of records
	changed []change                      // sorted
	sorted  int                           // how many of changed are sorted
	bytes   int
}

// change is an item that changed after the moment.
type change struct {
	key string             // of the item at the moment, in the table or the index
	at  changelog.Position // its first change, whose record has the item
}

func newView(of Source, x *Index, lo string) *View {
	v := &View{Source: of, lo: lo, scanned: of.After}
	if x != nil {
		v.window = &window{Index: *x, unchanged: map[string]struct{}{}}
	} else {
		v.first = map[string]changelog.Position{}
	}
	return v
}

// Covers reports whether the View has the changes of a key.
func (v *View) Covers(key []byte) bool { return v.covers(string(key)) }

func (v *View) covers(key string) bool { return key >= v.lo && (v.hi == "" || key < v.hi) }

// Extend reads the changes since the last Extend. complete is false if the request has done its share of work before
// the end: the next one continues. floor is the log's from before the Reader was opened.
func (v *View) Extend(r *store.Reader, floor changelog.Position, work *budget.Budget, bounds Bounds) (complete bool,
	err error) {
	if v.window != nil && !v.window.complete {
		if complete, err := v.fill(r, floor, work, bounds); err != nil || !complete {
			return false, err
		}
	}
	last, complete := v.scanned, true
	err = v.Log.Read(r, v.scanned+1, math.MaxUint64, false,
		func(p changelog.Position, record changelog.Record) (bool, error) {
			if complete = !bounds.Spent(work); !complete {
				return false, nil
			}
			last = p
			if err := work.Step(recordSteps(&record)); err != nil {
				return false, err
			}
			if v.add(p, &record); v.bytes > bounds.ViewBytes {
				v.shrink()
			}
			return true, nil
		})
	if err != nil {
		return false, err
	}
	if complete { // beyond the floor, changes may still be missing between those that were read
		last = floor
	}
	v.scanned = max(v.scanned, min(last, floor))
	return complete, v.sort(work)
}

// recordSteps returns the budget steps for reading a record.
func recordSteps(r *changelog.Record) int { return 16 + (len(r.Old)+len(r.New))/64 }

// add adds a change, unless it is a later one of its item.
func (v *View) add(p changelog.Position, record *changelog.Record) {
	if v.window != nil {
		v.addLater(p, record)
		return
	}
	if _, known := v.first[string(record.Key)]; known || !v.Covers(record.Key) {
		return
	}
	key := string(record.Key)
	v.first[key] = p
	v.changed = append(v.changed, change{key, p})
	v.bytes += len(key) + entryBytes
}

// shrink drops the upper half of the keys.
func (v *View) shrink() {
	v.hi = upperHalf(v.changed)
	half := len(v.changed) / 2
	v.changed, v.sorted, v.bytes = slices.Clone(v.changed[:half]), half, 0
	for _, c := range v.changed {
		v.bytes += len(c.key) + entryBytes
	}
	if v.window == nil {
		v.first = make(map[string]changelog.Position, half)
		for _, c := range v.changed {
			v.first[c.key] = c.at
		}
	}
}

// upperHalf sorts changes, and returns the key with which their upper half begins.
func upperHalf(all []change) string {
	slices.SortFunc(all, compareChanges)
	return all[len(all)/2].key
}

// isChanged reports whether the item of a current row, which the View covers, has changed after the moment.
func (v *View) isChanged(itemKey []byte) bool {
	if v.window != nil {
		_, unchanged := v.window.unchanged[string(itemKey)]
		return !unchanged
	}
	_, changed := v.first[string(itemKey)]
	return changed
}

// sort sorts the changes.
func (v *View) sort(work *budget.Budget) error {
	if v.sorted == len(v.changed) {
		return nil
	}
	if err := work.Step(len(v.changed) * 16); err != nil {
		return err
	}
	slices.SortFunc(v.changed, compareChanges)
	v.sorted = len(v.changed)
	return nil
}

func compareChanges(a, b change) int { return cmp.Compare(a.key, b.key) }

// from returns the changes of keys from lo on.
func (v *View) from(lo []byte) []change {
	at, _ := slices.BinarySearchFunc(v.changed, change{key: string(lo)}, compareChanges)
	return v.changed[at:]
}

// FirstChange returns the position of the first change of an item of a table after the moment; ok is false if there is
// none. The View must cover the key.
func (v *View) FirstChange(key []byte) (at changelog.Position, ok bool) {
	at, ok = v.first[string(key)]
	return at, ok
}

// ImageBefore calls use with the image before the change at a position; nil if there was no item.
func ImageBefore(r *store.Reader, log *changelog.Log, at changelog.Position, use func(image []byte) error) error {
	found := false
	err := log.Read(r, at, at, false, func(_ changelog.Position, record changelog.Record) (bool, error) {
		found = true
		return false, use(imageBefore(&record))
	})
	if err == nil && !found {
		return ErrTrimmed
	}
	return err
}

// imageBefore returns the image before a change; nil if there was no item.
func imageBefore(record *changelog.Record) []byte {
	if record.Kind == changelog.Insert {
		return nil
	}
	return record.Old
}
