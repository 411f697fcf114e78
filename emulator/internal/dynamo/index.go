package dynamo

import (
	"bytes"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

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
	c.count(x.stats, oldEntry, newEntry)
	if c.units != nil {
		c.units.addIndex(x, sizeOf(oldEntry), sizeOf(newEntry), moved)
	}
	return nil
}

// entry is where and how the index has an item: nil where it has not, for its key is not in it.
func (x *index) entry(t *table, it item.Value) (key []byte, entry item.Value) {
	if it == nil || !x.keys.in(it) {
		return nil, nil
	}
	return x.key(t, it), x.project(it)
}

// project is the part of an item that the index holds.
func (x *index) project(it item.Value) item.Value {
	if x.all {
		return it
	}
	entries := make([]item.Entry, 0, len(x.attributes))
	for _, name := range x.attributes {
		if v, ok := it.Field(name); ok {
			entries = append(entries, item.Entry{Name: name, Value: v})
		}
	}
	return item.NewMap(entries...)
}

// backfillChunk is how many items one transaction of a backfill reads: writers wait no longer than for that.
const backfillChunk = 2000

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

// eachChunk visits every item of a table in transactions of their own, chunk by chunk, with every key
// latched.
func (a *account) eachChunk(t *table, visit func(tx *store.Tx, key []byte, it item.Value) error) error {
	lo, hi := spaceOf(t.def.ID)
	for lo != nil {
		err := a.store.Update(store.Latch(), func(tx *store.Tx) error {
			it := tx.Iter(lo, hi, false)
			defer it.Close()
			lo = nil
			for n := 0; it.Next(); n++ {
				if n == backfillChunk {
					lo = bytes.Clone(it.Key())
					break
				}
				if err := visit(tx, it.Key(), item.Value(it.Value())); err != nil {
					return err
				}
			}
			return it.Close()
		})
		if err != nil {
			return err
		}
	}
	return nil
}
