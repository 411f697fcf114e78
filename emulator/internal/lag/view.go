package lag

import (
	"bytes"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Moment is a state that a replica shows: what had arrived when it was pinned, whatever the clock does later. It is for
// one goroutine, and has to be released.
type Moment struct {
	overlay *Overlay // nil: what is read is the store itself
	as      Replica
	now     int64
	serial  uint64
	number  uint64 // of its pin
}

// Pin pins what a replica shows now, until Release. The leader shows what is stored, which a store's Reader pins.
func (o *Overlay) Pin(as Replica) Moment {
	if o == nil || as == Leader {
		return Moment{}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return Moment{overlay: o, as: as, now: o.clock.Now().UnixNano(), serial: o.serial, number: o.pins.add(o.serial)}
}

// Mark is all writes of an order up to some moment.
type Mark struct {
	serial  uint64
	arrives arrival
}

// Mark marks the writes that were committed so far under an order key.
func (o *Overlay) Mark(orderKey []byte) (m Mark) {
	if o == nil {
		return m
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	m.serial = o.serial
	if in := o.orders[string(orderKey)]; in != nil {
		m.arrives = in.last
	}
	return m
}

// Includes reports whether the moment shows all writes of a mark.
func (m *Moment) Includes(all Mark) bool {
	return m.overlay == nil || m.serial >= all.serial && m.now >= all.arrives.at(m.as)
}

// Release lets go of the moment, of which no View may be used any more. To release it again does nothing.
func (m *Moment) Release() {
	o := m.overlay
	if o == nil {
		return
	}
	m.overlay = nil
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.pins.end(m.number) {
		o.free()
	}
}

// View is the moment as seen through a Reader that began after it was pinned, as one must: the Reader then has all that
// is shown. A moment may be viewed by several Readers, one after the other, which show the same state.
func (m *Moment) View(r *store.Reader) View { return View{reader: r, moment: *m} }

// View reads a store as one replica shows it at one moment. Like the Reader under it, it is for one goroutine, and what
// it returns is valid until the function that received the Reader returns.
type View struct {
	reader *store.Reader
	moment Moment
}

// Stored is a view of what is stored.
func Stored(r *store.Reader) View { return View{reader: r} }

// Get returns the value of a key, which must not be changed, and whether the key exists.
func (v *View) Get(key []byte) (value []byte, ok bool, err error) {
	value, ok, err = v.reader.Get(key)
	if v.moment.overlay == nil || err != nil {
		return value, ok, err
	}
	if was, hidden := v.moment.before(key); hidden {
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
	o.mu.RLock()
	m := Moment{overlay: o, as: as, now: o.clock.Now().UnixNano(), serial: o.serial}
	_, c, _ := o.byKey.Get(key)
	i, hidden := c.shown(&m)
	o.mu.RUnlock()
	return Image{Key: key, Value: i.value, Found: i.found}, hidden
}

func (m *Moment) before(key []byte) (image, bool) {
	o := m.overlay
	o.mu.RLock()
	defer o.mu.RUnlock()
	_, c, _ := o.byKey.Get(key)
	return c.shown(m)
}

// shown is what a key held before the first write that is not shown at a moment.
func (c chain) shown(m *Moment) (was image, hidden bool) {
	for i := c.first; i != nil; i = i.next {
		if !i.write.shownTo(m) {
			return *i, true
		}
	}
	return image{}, false
}

// Iter returns an iterator over the keys in [lo, hi), from the last to the first when backward is set. It must be
// closed before the function that received the Reader returns.
func (v *View) Iter(lo, hi []byte, backward bool) Iter {
	it := Iter{Iter: v.reader.Iter(lo, hi, backward), backward: backward}
	if v.moment.overlay != nil {
		moment := v.moment // a copy, for what within is given moves to the heap, and views without lag are not to
		it.former = moment.within(lo, hi)
		it.merging = len(it.former) > 0
	}
	if it.merging && backward {
		slices.Reverse(it.former)
	}
	return it
}

// within are the keys of a range that are shown otherwise than the store has them, in order.
func (m *Moment) within(lo, hi []byte) (all []Image) {
	o := m.overlay
	o.mu.RLock()
	defer o.mu.RUnlock()
	for key, c := range o.byKey.between(lo, hi) {
		if was, hidden := c.shown(m); hidden {
			all = append(all, Image{Key: key, Value: was.value, Found: was.found})
		}
	}
	return all
}

// Iter walks a range of keys in order: call Next before each key, then Close. Key and value are valid until the
// following Next. A value, not a pointer, so that it costs no allocation.
type Iter struct {
	store.Iter
	backward bool
	merging  bool    // there is something to be shown otherwise
	former   []Image // what is to come of that, in the order of reading
	at       *Image  // the current key, if it is shown otherwise
	ahead    bool    // the store's iterator stands on a key to come
	done     bool    // the store's iterator has no more
}

// Next moves to the next key and returns whether there is one. After false, Close tells whether an error was the
// reason.
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
