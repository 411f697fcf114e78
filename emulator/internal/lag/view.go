package lag

import (
	"bytes"
	"slices"

	"github.com/RaduBerinde/btreemap"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// View reads a store as one replica shows it at one moment. Like the Reader under it, it is for one goroutine, and what it
// returns is valid until the function that received the Reader returns.
type View struct {
	reader  *store.Reader
	overlay *Overlay // nil: what is read is the store itself
	as      Replica
	now     int64
}

// View is a view of what r reads. The leader's is what is stored.
func (o *Overlay) View(r *store.Reader, as Replica) View {
	if o == nil || as == Leader {
		return View{reader: r}
	}
	return View{reader: r, overlay: o, as: as, now: o.clock.Now().UnixNano()}
}

// Get returns the value of a key, which must not be changed, and whether the key exists.
func (v *View) Get(key []byte) (value []byte, ok bool, err error) {
	// The store is read before the news: a write that is committed in between is not shown half.
	value, ok, err = v.reader.Get(key)
	if v.overlay == nil || err != nil {
		return value, ok, err
	}
	if was, hidden := v.overlay.before(key, v.as, v.now); hidden {
		return was.value, was.found, nil
	}
	return value, ok, nil
}

// Before is what a replica shows of a key instead of what was just read from the store; hidden is false where it shows
// that.
func (o *Overlay) Before(key []byte, as Replica) (was Image, hidden bool) {
	if o == nil || as == Leader {
		return Image{}, false
	}
	i, hidden := o.before(key, as, o.clock.Now().UnixNano())
	return Image{Key: key, Value: i.value, Found: i.found}, hidden
}

func (o *Overlay) before(key []byte, as Replica, now int64) (image, bool) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	_, c, _ := o.byKey.Get(key)
	return c.shown(as, now)
}

// shown is what a key held before the first write that the replica has not seen.
func (c chain) shown(as Replica, now int64) (was image, hidden bool) {
	for i := c.first; i != nil; i = i.next {
		if i.write.arrives.at(as) > now {
			return *i, true
		}
	}
	return image{}, false
}

// Iter returns an iterator over the keys in [lo, hi), from the last to the first when backward is set. It must be closed
// before the function that received the Reader returns.
func (v *View) Iter(lo, hi []byte, backward bool) Iter {
	it := Iter{Iter: v.reader.Iter(lo, hi, backward), backward: backward}
	if v.overlay != nil {
		it.former = v.overlay.within(lo, hi, v.as, v.now)
		it.merging = len(it.former) > 0
	}
	if it.merging && backward {
		slices.Reverse(it.former)
	}
	return it
}

// within are the keys of a range that the replica shows otherwise than the store, in order.
func (o *Overlay) within(lo, hi []byte, as Replica, now int64) (all []Image) {
	from, to := btreemap.Min[[]byte](), btreemap.Max[[]byte]()
	if len(lo) > 0 {
		from = btreemap.GE(lo)
	}
	if len(hi) > 0 {
		to = btreemap.LT(hi)
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	for key, c := range o.byKey.Ascend(from, to) {
		if was, hidden := c.shown(as, now); hidden {
			all = append(all, Image{Key: key, Value: was.value, Found: was.found})
		}
	}
	return all
}

// Iter walks a range of keys in order: call Next before each key, then Close. Key and value are valid until the following
// Next. A value, not a pointer, so that it costs no allocation.
type Iter struct {
	store.Iter
	backward bool
	merging  bool    // there is something to be shown otherwise
	former   []Image // what is to come of that, in the order of reading
	at       *Image  // the current key, if it is shown otherwise
	ahead    bool    // the store's iterator stands on a key to come
	done     bool    // the store's iterator has no more
}

// Next moves to the next key and returns whether there is one. After false, Close tells whether an error was the reason.
func (i *Iter) Next() bool {
	if !i.merging {
		return i.Iter.Next()
	}
	for {
		i.fetch()
		next := 1 // which comes first: below 0 the former image, above it the stored key, 0 the one in the place of the other
		switch {
		case len(i.former) == 0 && i.done:
			i.at = nil
			return false
		case i.done:
			next = -1
		case len(i.former) > 0:
			next = i.compare(i.former[0].Key, i.Iter.Key())
		}
		if next > 0 {
			i.at, i.ahead = nil, false
			return true
		}
		i.at, i.former = &i.former[0], i.former[1:]
		i.ahead = i.ahead && next != 0
		if i.at.Found {
			return true
		}
	}
}

// fetch has the store's iterator stand on the next key that is not passed.
func (i *Iter) fetch() {
	if !i.ahead && !i.done {
		i.ahead = i.Iter.Next()
		i.done = !i.ahead
	}
}

func (i *Iter) compare(a, b []byte) int {
	if i.backward {
		return bytes.Compare(b, a)
	}
	return bytes.Compare(a, b)
}

// Key returns the current key, which must not be changed.
func (i *Iter) Key() []byte {
	if i.at != nil {
		return i.at.Key
	}
	return i.Iter.Key()
}

// Value returns the current value, which must not be changed.
func (i *Iter) Value() []byte {
	if i.at != nil {
		return i.at.Value
	}
	return i.Iter.Value()
}
