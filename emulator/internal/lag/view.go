package lag

import (
	"bytes"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Moment is the state that a replica shows at the time when it is pinned, whatever the clock does later. It is not safe
// for concurrent use, and must be released.
type Moment struct {
	overlay *Overlay // nil: the stored state
	replica Replica
	now     int64
	serial  uint64
	number  uint64 // of its pin
}

// Pin pins what a replica shows now, until Release. The leader shows the stored state, which a store's Reader pins.
func (o *Overlay) Pin(as Replica) Moment {
	if o == nil || as == Leader {
		return Moment{}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return Moment{overlay: o, replica: as, now: o.clock.Now().UnixNano(), serial: o.serial, number: o.pins.add(o.serial)}
}

// Mark identifies all writes with an order key up to a moment.
type Mark struct {
	serial  uint64
	arrives arrival
}

// Mark returns the mark of the writes with an order key that are committed.
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
	return m.overlay == nil || m.serial >= all.serial && m.now >= all.arrives.at(m.replica)
}

// Release releases the moment. Its Views must not be used afterwards. A second Release does nothing.
func (m *Moment) Release() {
	o := m.overlay
	if o == nil {
		return
	}
	m.overlay = nil
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.pins.end(m.number) {
		o.freeImages()
	}
}

// View returns the moment as seen through a Reader, which must have begun after the moment was pinned, so that it
// contains all that the moment shows. A moment can be viewed through several Readers, one after the other, with the
// same result.
func (m *Moment) View(r *store.Reader) View { return View{reader: r, moment: *m} }

// View reads a store as one replica shows it at one moment. Like its Reader, it is not safe for concurrent use, and its
// results are valid until the function that received the Reader returns.
type View struct {
	reader *store.Reader
	moment Moment
}

// Stored returns a view of the stored state.
func Stored(r *store.Reader) View { return View{reader: r} }

// Get returns the value of a key, which must not be changed, and whether the key exists.
func (v *View) Get(key []byte) (value []byte, ok bool, err error) {
	value, ok, err = v.reader.Get(key)
	return v.moment.show(key, value, ok, err)
}

// Before returns what a replica shows for a key instead of the stored value that was just read; hidden is false if it
// shows the stored value.
func (o *Overlay) Before(key []byte, as Replica) (previous Image, hidden bool) {
	if o == nil || as == Leader {
		return Image{}, false
	}
	o.mu.RLock()
	m := Moment{overlay: o, replica: as, now: o.clock.Now().UnixNano(), serial: o.serial}
	_, c, _ := o.byKey.Get(key)
	i, hidden := c.visible(&m)
	o.mu.RUnlock()
	return Image{Key: key, Value: i.value, Found: i.found}, hidden
}

// show returns what the moment shows for a key that was read with this result.
func (m *Moment) show(key, stored []byte, found bool, failed error) (value []byte, ok bool, err error) {
	if m.overlay == nil || failed != nil {
		return stored, found, failed
	}
	if previous, hidden := m.before(key); hidden {
		return previous.value, previous.found, nil
	}
	return stored, found, nil
}

func (m *Moment) before(key []byte) (image, bool) {
	o := m.overlay
	o.mu.RLock()
	defer o.mu.RUnlock()
	_, c, _ := o.byKey.Get(key)
	return c.visible(m)
}

// visible returns the value of the key before the first write that the moment does not show.
func (c chain) visible(m *Moment) (previous image, hidden bool) {
	for i := c.first; i != nil; i = i.next {
		if !i.write.visibleTo(m) {
			return *i, true
		}
	}
	return image{}, false
}

// Iter returns an iterator over the keys in [lo, hi), in reverse order if backward is set. It must be closed before the
// function that received the Reader returns.
func (v *View) Iter(lo, hi []byte, backward bool) Iter {
	it := Iter{Iter: v.reader.Iter(lo, hi, backward), backward: backward}
	if v.moment.overlay != nil {
		moment := v.moment // a copy, because within moves its receiver to the heap, which views without lag avoid
		it.former = moment.within(lo, hi)
		it.merging = len(it.former) > 0
	}
	if it.merging && backward {
		slices.Reverse(it.former)
	}
	return it
}

// within returns the previous values in a range that differ from the store, in order.
func (m *Moment) within(lo, hi []byte) (all []Image) {
	o := m.overlay
	o.mu.RLock()
	defer o.mu.RUnlock()
	for key, c := range o.byKey.between(lo, hi) {
		if previous, hidden := c.visible(m); hidden {
			all = append(all, Image{Key: key, Value: previous.value, Found: previous.found})
		}
	}
	return all
}

// Iter iterates over a range of keys: call Next before each key, then Close. Key and value are valid until the
// following Next. It is a value, not a pointer, to avoid an allocation.
type Iter struct {
	store.Iter
	backward bool
	merging  bool    // former was not empty
	former   []Image // the remaining previous values, in reading order
	at       *Image  // the current key, if its value is a previous one
	ahead    bool    // the store's iterator is at a key that is not returned yet
	done     bool    // the store's iterator is at its end
}

// Next moves to the next key and reports whether there is one. If it returns false, Close returns the error, if any.
func (i *Iter) Next() bool {
	if !i.merging {
		return i.Iter.Next()
	}
	for {
		i.fetch()
		next := 1 // negative: the previous value; positive: the stored key; 0: the previous value of the stored key
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

// fetch moves the store's iterator to its next key, unless it is at one that is not returned yet.
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
