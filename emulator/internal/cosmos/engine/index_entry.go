package engine

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// BindComputed returns the paths of an index with the computed properties that they begin with. An index covers a
// property and its query: if a replace of the container changes the query, the index changes too.
func (d *Definition) BindComputed(parts index.Composite) index.Composite {
	if len(d.ComputedProperties) == 0 {
		return parts
	}
	parts = slices.Clone(parts)
	for i := range parts {
		parts[i].Computed = d.ComputedProperties[parts[i].Steps[0].Name]
	}
	return parts
}

// WithComputed returns an item's document as the paths of an index see it, including the computed properties that they
// begin with. v is the item's body.
func WithComputed(parts index.Composite, c *Container, i *Item, v doc.Value) doc.Value {
	if !slices.ContainsFunc(parts, func(p index.CompositePath) bool { return p.Computed != nil }) {
		return v
	}
	full, err := c.Value(i)
	if err != nil {
		return v
	}
	for _, p := range parts {
		if p.Computed == nil {
			continue
		}
		if value := p.Computed.Evaluate(full); value.Defined() {
			v = v.With(p.Computed.Name, value)
		} else {
			v = v.Without(p.Computed.Name)
		}
	}
	return v
}

// EntryPrefix returns the prefix of an index's entries.
func EntryPrefix(x *index.Index, c *Container) []byte {
	return store.AppendUint32(c.Key(LetterEntry, 64), x.Number)
}

// PartitionEntryPrefix returns the prefix of a logical partition's entries.
func PartitionEntryPrefix(x *index.Index, c *Container, e doc.EPK) []byte {
	key := append(EntryPrefix(x, c), byte(len(e)))
	return append(key, e...)
}

// entryKeys returns the keys of an item's entries, sorted and without duplicates. exact is false if a value is longer
// than an entry can hold.
func entryKeys(x *index.Index, c *Container, i *Item, v doc.Value) (keys [][]byte, exact bool) {
	prefix := EntryPrefix(x, c)
	if x.Spec.Scoped {
		prefix = PartitionEntryPrefix(x, c, i.EPK)
	}
	v = WithComputed(x.Spec.Paths, c, i, v)
	if !x.Spec.Elements() {
		key, exact := AppendPathValues(prefix, x.Spec.Paths, i, v)
		return [][]byte{binary.BigEndian.AppendUint64(key, i.RID)}, exact
	}
	exact = true
	doc.Walk(v, x.Spec.Paths[0].Steps, func(e doc.Value) {
		key, whole := doc.AppendKey(slices.Clone(prefix), e, index.MaxEntryBytes)
		exact = exact && whole
		keys = append(keys, binary.BigEndian.AppendUint64(key, i.RID))
	})
	slices.SortFunc(keys, bytes.Compare)
	return slices.CompactFunc(keys, bytes.Equal), exact
}

// entryValue returns the value of an item's entries: its EPK, unless the keys contain it.
func entryValue(x *index.Index, i *Item) []byte {
	if x.Spec.Scoped {
		return nil
	}
	return i.EPK
}

// AppendPathValues appends the values at the paths of an index, in the order of the index.
func AppendPathValues(key []byte, parts index.Composite, i *Item, v doc.Value) ([]byte, bool) {
	exact := true
	for _, p := range parts {
		start, whole := len(key), false
		key, whole = doc.AppendKey(key, i.valueAt(p.Steps, v), index.MaxEntryBytes)
		if p.Desc {
			doc.InvertKey(key[start:])
		}
		exact = exact && whole
	}
	return key, exact
}

// valueAt returns the value at a path that has no element steps. v is the item's body.
func (i *Item) valueAt(steps []doc.PathStep, v doc.Value) (found doc.Value) {
	if len(steps) == 1 && steps[0].Name == "_ts" {
		return doc.Number(float64(i.Timestamp))
	}
	doc.Walk(v, steps, func(v doc.Value) { found = v })
	return found
}

// InEntries reports whether entries contain the values at a path: the body lacks the system properties that items get,
// and the values of volatile properties change.
func (d *Definition) InEntries(steps []doc.PathStep) bool {
	switch steps[0].Name {
	case "_rid", "_self", "_etag", "_attachments":
		return false
	}
	property := d.ComputedProperties[steps[0].Name]
	return property == nil || !property.Volatile
}

// updateIndexes updates the index entries of a changed item.
func (t *Transaction) updateIndexes(change *Change) error {
	all := t.Container.Indexes.List()
	if len(all) == 0 {
		return nil
	}
	var old, updated doc.Value
	var err error
	if change.stored != nil {
		if old, err = doc.Parse(change.stored.Body); err != nil {
			return ErrItem
		}
	}
	if change.New != nil {
		if updated, err = doc.Parse(change.New.Body); err != nil {
			return ErrItem
		}
	}
	for _, x := range all {
		if err := t.updateIndex(x, change, old, updated); err != nil {
			return err
		}
	}
	return nil
}

// updateIndex is updateIndexes for one index. It writes only the differences.
func (t *Transaction) updateIndex(x *index.Index, change *Change, old, updated doc.Value) error {
	var before, after [][]byte
	if change.stored != nil {
		before, _ = entryKeys(x, t.Container, change.stored, old)
	}
	if change.New != nil {
		exact := true
		if after, exact = entryKeys(x, t.Container, change.New, updated); !exact && !x.TruncationStored.Load() {
			x.Truncated.Store(true)
			t.Tx.OnCommit(func() { x.TruncationStored.Store(true) })
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
			if err := t.Tx.Append(key, entryValue(x, change.New)); err != nil {
				return err
			}
		}
	}
	return nil
}
