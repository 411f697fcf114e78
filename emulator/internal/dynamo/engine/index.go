package engine

import (
	"bytes"
	"context"
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// CheckItem returns an error if the item has attributes of the index's key with values that cannot be key values.
func (x *Index) CheckItem(it item.Value) error {
	for _, k := range x.Keys.Attributes() {
		v, ok := it.Field(k.Name)
		if !ok {
			continue
		}
		if err := x.CheckAttribute(k, v); err != nil {
			return err
		}
	}
	return nil
}

// CheckAttribute returns an error if v cannot be a value of one of the index's key attributes: of another type, empty
// or too long.
func (x *Index) CheckAttribute(k KeyAttribute, v item.Value) error {
	size, limit := len(v.Bytes()), x.Keys.maxSize(k)
	switch {
	case v.Type() != k.Type:
		return x.WrongType(k, v.Type())
	case k.Type == item.Number:
	case size == 0:
		return wire.EmptyKeyError("A value specified for a secondary index key is not supported. " +
			"The AttributeValue for a key attribute cannot contain an empty " + EmptyKind(k.Type) + " value. IndexName: " +
			x.Name + ", IndexKey: " + k.Name)
	case size > limit:
		// The wording is quoted in users' bug reports (wellcomecollection/platform#2285, dynalite#35).
		return wire.ParameterError(
			fmt.Sprintf("Size limit exceeded for Index Key %s Actual Size: %d bytes Max Size: %d bytes IndexName: %s", k.Name,
				size, limit, x.Name))
	}
	return nil
}

// WrongType returns the error for a key attribute of the index that has another type.
func (x *Index) WrongType(k KeyAttribute, actual item.Type) error {
	return wire.ParameterError("Type mismatch for Index Key " + k.Name + " Expected: " + k.Type.String() + " Actual: " +
		actual.String() + " IndexName: " + x.Name)
}

// update applies a change of an item to the index.
func (x *Index) update(tx *store.Tx, c *Change) error {
	oldKey, oldEntry := x.Entry(c.Table, c.Old)
	newKey, newEntry := x.Entry(c.Table, c.New)
	if oldEntry == nil && newEntry == nil {
		return nil
	}
	moved := !bytes.Equal(oldKey, newKey)
	if !moved && item.Equal(oldEntry, newEntry) {
		return nil // an unchanged entry costs nothing
	}
	counted, err := countedSize(tx, oldKey, oldEntry, x.Backfilling)
	if err != nil {
		return err
	}
	if oldEntry != nil && moved {
		if err := tx.Delete(oldKey); err != nil {
			return err
		}
	}
	if newEntry != nil {
		if err := tx.Set(newKey, newEntry); err != nil {
			return err
		}
	}
	if c.Table.pendingWrites.Recording() {
		x.recordPending(tx, c, entryChange{oldKey, newKey, oldEntry, moved})
	}
	oldSize, newSize := SizeOf(oldEntry), SizeOf(newEntry)
	c.count(x.Stats, counted, newSize)
	key := newKey
	if newEntry == nil {
		key = oldKey
	}
	c.units.addIndex(x, key, oldSize, newSize, moved)
	return nil
}

// countedSize returns by which size the counts of an index have an entry: 0 if the item is not entered yet by the
// backfill in progress.
func countedSize(tx *store.Tx, key []byte, entry item.Value, backfilling bool) (int, error) {
	if backfilling && entry != nil {
		if _, there, err := tx.Get(key); err != nil || !there {
			return 0, err
		}
	}
	return SizeOf(entry), nil
}

// Entry returns the index's entry for an item and its key. Both are nil if the item is not in the index: it lacks a key
// attribute, or has a value that cannot be a key, as items older than the index may.
func (x *Index) Entry(t *Table, it item.Value) (key []byte, entry item.Value) {
	if key = x.EntryKey(t, it); key == nil {
		return nil, nil
	}
	return key, x.project(it)
}

// EntryKey returns the key of the index's entry for an item, nil if the item is not in the index.
func (x *Index) EntryKey(t *Table, it item.Value) []byte {
	if it == nil || !x.Keys.MatchesItem(it) || !x.Keys.hasValidSizes(it) {
		return nil
	}
	return x.Key(t, it)
}

// project returns the part of an item that the index holds.
func (x *Index) project(it item.Value) item.Value {
	if x.ProjectsAll {
		return it
	}
	entries := make([]item.Entry, 0, len(x.Attributes)) // by name, as Merge requires
	for _, name := range x.Attributes {
		if v, ok := it.Field(name); ok {
			entries = append(entries, item.Entry{Name: name, Value: v})
		}
	}
	return item.Empty.Merge(entries).KeepSize()
}

// backfill enters the items that are older than the index. The index must be published: writers keep it up to date
// during the backfill, and an entry that exists already is left as it is.
func (a *Account) backfill(ctx context.Context, t *Table, x *Index) error {
	return a.eachChunk(ctx, t, func(tx *store.Tx, _ []byte, it item.Value) error {
		key, entry := x.Entry(t, it)
		if entry == nil {
			return nil
		}
		if _, there, err := tx.Get(key); err != nil || there {
			return err
		}
		x.Stats.addOnCommit(tx, entry.ItemSize())
		return tx.Set(key, entry)
	})
}

// eachChunk visits every item of a table, chunk by chunk. Each chunk is a transaction that closes the table's gate.
func (a *Account) eachChunk(ctx context.Context, t *Table, visit func(tx *store.Tx, key []byte,
	it item.Value) error) error {
	lo, hi := KeySpan(t.Def.ID)
	return a.eachChunkInRange(ctx, t, lo, hi, func(tx *store.Tx, key, value []byte) error {
		return visit(tx, key, item.Value(value))
	})
}

// eachChunkInRange is eachChunk for everything in a range of the table's keys. It rests after each chunk, so that
// requests find a processor free, and writers the gate open, however large the table is.
func (a *Account) eachChunkInRange(ctx context.Context, t *Table, lo, hi []byte, visit func(tx *store.Tx, key,
	value []byte) error) error {
	return a.Engine.EachStep(ctx, func() (bool, error) {
		err := a.Engine.Store.Update(store.Latch().Alone(t.Gate), func(tx *store.Tx) (err error) {
			lo, err = visitChunk(tx, lo, hi, visit)
			return err
		})
		return lo != nil, err
	})
}

// visitChunk visits some of the keys in a range, and returns the next one; nil if there is none.
func visitChunk(tx *store.Tx, lo, hi []byte, visit func(tx *store.Tx, key, value []byte) error) (next []byte,
	err error) {
	it := tx.Iter(lo, hi, false)
	defer it.Close()
	size := 0
	for n := 0; it.Next(); n++ {
		if n == StepItems || size > StepBytes {
			return bytes.Clone(it.Key()), nil
		}
		value := it.Value()
		if value == nil { // unreadable; Close returns the error
			break
		}
		size += len(value)
		if err := visit(tx, it.Key(), value); err != nil {
			return nil, err
		}
	}
	return nil, it.Close()
}
