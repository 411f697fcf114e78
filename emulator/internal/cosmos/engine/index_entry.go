package engine

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Bind returns the paths of an index with the computed properties that they begin with. An index covers a property and
// its query: if a replace of the container changes the query, the index changes too.
func (d *Definition) Bind(parts index.Composite) index.Composite {
	if len(d.Computed) == 0 {
		return parts
	}
	parts = slices.Clone(parts)
	for i := range parts {
		parts[i].Of = d.Computed[parts[i].Steps[0].Name]
	}
	return parts
}

// Seen returns an item's document as the paths of an index see it, including the computed properties that they begin
// with. v is the item's body.
func Seen(parts index.Composite, c *Container, i *Item, v doc.Value) doc.Value {
	if !slices.ContainsFunc(parts, func(p index.CompositePath) bool { return p.Of != nil }) {
		return v
	}
	full, err := c.Value(i)
	if err != nil {
		return v
	}
	for _, p := range parts {
		if p.Of == nil {
			continue
		}
		if value := p.Of.Of(full); value.Defined() {
			v = v.With(p.Of.Name, value)
		} else {
			v = v.Without(p.Of.Name)
		}
	}
	return v
}

// Prefix returns the prefix of an index's entries.
func Prefix(x *index.Index, c *Container) []byte {
	return store.AppendUint32(c.Key(LetterEntry, 64), x.Number)
}

// ScopedPrefix returns the prefix of a logical partition's entries.
func ScopedPrefix(x *index.Index, c *Container, e doc.EPK) []byte {
	key := append(Prefix(x, c), byte(len(e)))
	return append(key, e...)
}

// entries returns the keys of an item's entries, sorted and without duplicates. exact is false if a value is longer
// than an entry can hold.
func entries(x *index.Index, c *Container, i *Item, v doc.Value) (keys [][]byte, exact bool) {
	prefix := Prefix(x, c)
	if x.Spec.Scoped {
		prefix = ScopedPrefix(x, c, i.EPK)
	}
	v = Seen(x.Spec.Parts, c, i, v)
	if !x.Spec.Elements() {
		key, exact := AppendParts(prefix, x.Spec.Parts, i, v)
		return [][]byte{binary.BigEndian.AppendUint64(key, i.RID)}, exact
	}
	exact = true
	doc.Walk(v, x.Spec.Parts[0].Steps, func(e doc.Value) {
		key, whole := doc.AppendKey(slices.Clone(prefix), e, index.MaxEntry)
		exact = exact && whole
		keys = append(keys, binary.BigEndian.AppendUint64(key, i.RID))
	})
	slices.SortFunc(keys, bytes.Compare)
	return slices.CompactFunc(keys, bytes.Equal), exact
}

// value returns the value of an item's entries: its EPK, unless the keys contain it.
func value(x *index.Index, i *Item) []byte {
	if x.Spec.Scoped {
		return nil
	}
	return i.EPK
}

// AppendParts appends the values at the paths of an index, in the order of the index.
func AppendParts(key []byte, parts index.Composite, i *Item, v doc.Value) ([]byte, bool) {
	exact := true
	for _, p := range parts {
		start, whole := len(key), false
		key, whole = doc.AppendKey(key, i.at(p.Steps, v), index.MaxEntry)
		if p.Desc {
			doc.InvertKey(key[start:])
		}
		exact = exact && whole
	}
	return key, exact
}

// at returns the value at a path that has no element steps. v is the item's body.
func (i *Item) at(steps []doc.PathStep, v doc.Value) (found doc.Value) {
	if len(steps) == 1 && steps[0].Name == "_ts" {
		return doc.Number(float64(i.Timestamp))
	}
	doc.Walk(v, steps, func(v doc.Value) { found = v })
	return found
}

// indexChange updates the index entries of a changed item.
func (t *Transaction) indexChange(one *Change) error {
	all := t.Container.Indexes.List()
	if len(all) == 0 {
		return nil
	}
	var old, made doc.Value
	var err error
	if one.stored != nil {
		if old, err = doc.Parse(one.stored.Body); err != nil {
			return ErrItem
		}
	}
	if one.New != nil {
		if made, err = doc.Parse(one.New.Body); err != nil {
			return ErrItem
		}
	}
	for _, x := range all {
		if err := t.indexOne(x, one, old, made); err != nil {
			return err
		}
	}
	return nil
}

// indexOne is indexChange for one index. It writes only the differences.
func (t *Transaction) indexOne(x *index.Index, one *Change, old, made doc.Value) error {
	var before, after [][]byte
	if one.stored != nil {
		before, _ = entries(x, t.Container, one.stored, old)
	}
	if one.New != nil {
		exact := true
		if after, exact = entries(x, t.Container, one.New, made); !exact && !x.Noted.Load() {
			x.Rough.Store(true)
			t.Tx.OnCommit(func() { x.Noted.Store(true) })
			if err := t.Tx.Set(t.Container.indexKey(x.Number), x.Record(x.Ready.Load())); err != nil {
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
			if err := t.Tx.Delete(key); err != nil {
				return err
			}
		}
	}
	for _, key := range after {
		if !has(before, key) {
			if err := t.Tx.Append(key, value(x, one.New)); err != nil {
				return err
			}
		}
	}
	return nil
}
