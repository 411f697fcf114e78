package cosmos

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// maxEntry is how many bytes of a value an entry has. Longer values are found by their beginnings.
const maxEntry = 200

// prefix is what an index's entries begin with.
func (x *Index) prefix(c *container) []byte {
	return store.AppendUint32(c.key(letterEntry, 64), x.number)
}

// scopedPrefix is what the entries of a logical partition begin with.
func (x *Index) scopedPrefix(c *container, e doc.EPK) []byte {
	key := append(x.prefix(c), byte(len(e)))
	return append(key, e...)
}

// entries are the keys of the entries of an item, in order, without double ones; exact is false where a value is longer than an entry.
func (x *Index) entries(c *container, i *item, v doc.Value) (keys [][]byte, exact bool) {
	prefix := x.prefix(c)
	if x.spec.scoped {
		prefix = x.scopedPrefix(c, i.epk)
	}
	v = x.spec.parts.seen(c, i, v)
	if !x.spec.elements() {
		key, exact := appendParts(prefix, x.spec.parts, i, v)
		return [][]byte{binary.BigEndian.AppendUint64(key, i.rid)}, exact
	}
	exact = true
	doc.Walk(v, x.spec.parts[0].steps, func(e doc.Value) {
		key, whole := doc.AppendKey(slices.Clone(prefix), e, maxEntry)
		exact = exact && whole
		keys = append(keys, binary.BigEndian.AppendUint64(key, i.rid))
	})
	slices.SortFunc(keys, bytes.Compare)
	return slices.CompactFunc(keys, bytes.Equal), exact
}

// value is what stands at an item's entries: where the item is, unless their keys say so.
func (x *Index) value(i *item) []byte {
	if x.spec.scoped {
		return nil
	}
	return i.epk
}

// appendParts writes the values at the paths of an index, in its order.
func appendParts(key []byte, parts composite, i *item, v doc.Value) ([]byte, bool) {
	exact := true
	for _, p := range parts {
		start, whole := len(key), false
		key, whole = doc.AppendKey(key, i.at(p.steps, v), maxEntry)
		if p.desc {
			doc.InvertKey(key[start:])
		}
		exact = exact && whole
	}
	return key, exact
}

// at is the value at a path without elements; v is the item's body.
func (i *item) at(steps []doc.PathStep, v doc.Value) (found doc.Value) {
	if len(steps) == 1 && steps[0].Name == "_ts" {
		return doc.Number(float64(i.ts))
	}
	doc.Walk(v, steps, func(v doc.Value) { found = v })
	return found
}

// indexChange writes what a change makes of the index's entries.
func (t *transaction) indexChange(one *change) error {
	all := t.container.indexes.list()
	if len(all) == 0 {
		return nil
	}
	var old, made doc.Value
	var err error
	if one.stored != nil {
		if old, err = doc.Parse(one.stored.body); err != nil {
			return errItem
		}
	}
	if one.new != nil {
		if made, err = doc.Parse(one.new.body); err != nil {
			return errItem
		}
	}
	for _, x := range all {
		if err := t.indexOne(x, one, old, made); err != nil {
			return err
		}
	}
	return nil
}

// indexOne is indexChange for one index: only what differs is written.
func (t *transaction) indexOne(x *Index, one *change, old, made doc.Value) error {
	var before, after [][]byte
	if one.stored != nil {
		before, _ = x.entries(t.container, one.stored, old)
	}
	if one.new != nil {
		exact := true
		if after, exact = x.entries(t.container, one.new, made); !exact && !x.noted.Load() {
			x.rough.Store(true)
			t.tx.OnCommit(func() { x.noted.Store(true) })
			if err := t.tx.Set(t.container.indexKey(x.number), x.record(x.ready.Load())); err != nil {
				return err
			}
		}
	}
	has := func(keys [][]byte, key []byte) bool { // an array may have 100,000 elements
		_, ok := slices.BinarySearchFunc(keys, key, bytes.Compare)
		return ok
	}
	for _, key := range before {
		if !has(after, key) {
			if err := t.tx.Delete(key); err != nil {
				return err
			}
		}
	}
	for _, key := range after {
		if !has(before, key) {
			if err := t.tx.Append(key, x.value(one.new)); err != nil {
				return err
			}
		}
	}
	return nil
}
