package dynamo

import (
	"bytes"
	"context"
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// checkItem refuses an item whose attributes of the index's key, where it has them, cannot be a key.
func (x *index) checkItem(it item.Value) error {
	for _, k := range x.keys.attributes() {
		v, ok := it.Field(k.name)
		if !ok {
			continue
		}
		if err := x.checkAttribute(k, v); err != nil {
			return err
		}
	}
	return nil
}

// checkAttribute refuses a value that cannot be one of the index's key attributes: of another type, empty or too long.
func (x *index) checkAttribute(k keyAttribute, v item.Value) error {
	size, most := len(v.Bytes()), x.keys.maxSize(k)
	switch {
	case v.Type() != k.typ:
		return x.wrongType(k, v.Type())
	case k.typ == item.Number:
	case size == 0:
		return emptyKeyError("A value specified for a secondary index key is not supported. " +
			"The AttributeValue for a key attribute cannot contain an empty " + emptyKind(k.typ) + " value. IndexName: " + x.name + ", IndexKey: " + k.name)
	case size > most:
		// As users of the service quote it in their bug reports (wellcomecollection/platform#2285, dynalite#35).
		return parameterError(fmt.Sprintf("Size limit exceeded for Index Key %s Actual Size: %d bytes Max Size: %d bytes IndexName: %s", k.name, size, most, x.name))
	}
	return nil
}

func (x *index) wrongType(k keyAttribute, actual item.Type) error {
	return parameterError("Type mismatch for Index Key " + k.name + " Expected: " + k.typ.String() + " Actual: " + actual.String() + " IndexName: " + x.name)
}

// update makes the index follow a change of an item.
func (x *index) update(tx *store.Tx, c *change) error {
	oldKey, oldEntry := x.entry(c.table, c.old)
	newKey, newEntry := x.entry(c.table, c.new)
	if oldEntry == nil && newEntry == nil {
		return nil
	}
	moved := !bytes.Equal(oldKey, newKey)
	if !moved && item.Equal(oldEntry, newEntry) {
		return nil // what did not change in the index costs nothing there
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
	if c.table.pendingWrites.Recording() {
		x.announce(tx, c, entryChange{oldKey, newKey, oldEntry, moved})
	}
	oldSize, newSize := sizeOf(oldEntry), sizeOf(newEntry)
	c.count(x.stats, oldSize, newSize)
	key := newKey
	if newEntry == nil {
		key = oldKey
	}
	c.units.addIndex(x, key, oldSize, newSize, moved)
	return nil
}

// entry is where and how the index has an item: nil where it has not, for its key is not in it, or cannot be one, as of
// items from before the index.
func (x *index) entry(t *table, it item.Value) (key []byte, entry item.Value) {
	if it == nil || !x.keys.in(it) || !x.keys.fits(it) {
		return nil, nil
	}
	return x.key(t, it), x.project(it)
}

// project is the part of an item that the index holds.
func (x *index) project(it item.Value) item.Value {
	if x.all {
		return it
	}
	entries := make([]item.Entry, 0, len(x.attributes)) // by name, as Merge wants them
	for _, name := range x.attributes {
		if v, ok := it.Field(name); ok {
			entries = append(entries, item.Entry{Name: name, Value: v})
		}
	}
	return item.Empty.Merge(entries)
}

// backfillChunk is how many items, and backfillBytes about how many bytes of them, one transaction of a backfill reads:
// writers wait no longer than for that, and no more has to be held in memory.
const (
	backfillChunk = 2000
	backfillBytes = 1 << 20
)

// backfill enters the items that were in the table before the index was. The index must be published:
// writers keep it up to date meanwhile, and an entry written twice is the same entry.
func (a *account) backfill(t *table, x *index) error {
	return a.eachChunk(t, func(tx *store.Tx, _ []byte, it item.Value) error {
		key, entry := x.entry(t, it)
		if entry == nil {
			return nil
		}
		if _, there, err := tx.Get(key); err != nil || there {
			return err
		}
		x.stats.add(1, int64(entry.ItemSize()))
		return tx.Set(key, entry)
	})
}

// eachChunk visits every item of a table in transactions of their own, chunk by chunk, each alone in the table's gate.
func (a *account) eachChunk(t *table, visit func(tx *store.Tx, key []byte, it item.Value) error) error {
	lo, hi := spaceOf(t.def.ID)
	return a.eachChunkOf(t, lo, hi, func(tx *store.Tx, key, value []byte) error { return visit(tx, key, item.Value(value)) })
}

// eachChunkOf does so with all that lies in a range of the table's keys.
func (a *account) eachChunkOf(t *table, lo, hi []byte, visit func(tx *store.Tx, key, value []byte) error) error {
	for lo != nil {
		err := a.service.store.Update(store.Latch().Alone(t.gate), func(tx *store.Tx) error {
			it := tx.Iter(lo, hi, false)
			defer it.Close()
			lo = nil
			size := 0
			for n := 0; it.Next(); n++ {
				if n == backfillChunk || size > backfillBytes {
					lo = bytes.Clone(it.Key())
					break
				}
				value := it.Value()
				if value == nil { // it cannot be read: Close says why
					break
				}
				size += len(value)
				if err := visit(tx, it.Key(), value); err != nil {
					return err
				}
			}
			return it.Close()
		})
		if err != nil {
			return err
		}
		a.service.store.Settle(context.Background())
	}
	return nil
}
