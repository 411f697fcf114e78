package dynamo

import (
	"bytes"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// maxItem is the size of the largest item, 400 KB.
const maxItem = 400 << 10

// change is what every operation that writes comes down to, and so does each member of a batch or a
// transaction, and each item that expires: look at one item and put another one in its place.
type change struct {
	table     *table
	key       []byte          // of the item, in the store
	condition *expr.Condition // that old, item.Empty if there is none, must satisfy
	// next makes the item that is to stand there of the one that does, nil being none. A nil next only
	// checks the condition.
	next func(old item.Value) (item.Value, error)

	keepOld       bool // old is asked for afterwards
	itemOnFailure bool // a failed condition is answered with the item

	// What came of it. old shares the store's memory, and ends with the transaction, unless keepOld is set.
	old, new item.Value
	counts   []countDelta
	expires  int64       // the last second of new, 0 if it does not expire
	units    *writeUnits // not nil: to be charged
}

// run does the change. An error leaves nothing written.
func (c *change) run(tx *store.Tx) error {
	if err := c.table.current(); err != nil {
		return err
	}
	old, found, err := tx.Get(c.key)
	if err != nil {
		return err
	}
	if c.old = nil; found {
		c.old = old
	}
	if err := c.checkCondition(); err != nil {
		return err
	}
	if c.next == nil {
		c.charge(c.old)
		c.keep()
		return nil
	}
	if c.new, err = c.next(c.old); err != nil {
		return err
	}
	c.charge(c.new)
	if err := c.write(tx); err != nil {
		return err
	}
	c.keep()
	return nil
}

func (c *change) checkCondition() error {
	seen := c.old
	if seen == nil {
		seen = item.Empty
	}
	if c.condition.Match(seen) {
		return nil
	}
	c.charge(c.old) // a refused write costs what it looked at
	if c.itemOnFailure {
		return conditionFailed(bytes.Clone(c.old))
	}
	return conditionFailed(nil)
}

// keep makes old outlive the transaction.
func (c *change) keep() {
	if c.keepOld {
		c.old = bytes.Clone(c.old)
	}
}

// write puts new in the place of old, in the table, its indexes, its counts and its expiry.
func (c *change) write(tx *store.Tx) error {
	if c.old == nil && c.new == nil {
		return nil
	}
	if err := set(tx, c.key, c.new); err != nil {
		return err
	}
	c.counts = c.counts[:0]
	c.count(c.table.stats, c.old, c.new)
	for _, x := range c.table.indexes {
		if err := x.update(tx, c); err != nil {
			return err
		}
	}
	return c.table.updateExpiry(tx, c)
}

// countDelta is what a change does to the counts of a table or an index. It is done when the change is
// committed.
type countDelta struct {
	stats        *stats
	items, bytes int64
}

// count notes that a table or an index holds new where it held old, nil being nothing.
func (c *change) count(s *stats, old, new item.Value) {
	d := countDelta{stats: s, bytes: int64(sizeOf(new) - sizeOf(old))}
	if new != nil {
		d.items++
	}
	if old != nil {
		d.items--
	}
	c.counts = append(c.counts, d)
}

// committed does what is not in the store: counts, and the time of the next expiry.
func (s *Service) committed(c *change) {
	for _, d := range c.counts {
		d.stats.add(d.items, d.bytes)
	}
	s.notice(c.expires)
}

// set stores an item under a key, nil deleting it.
func set(tx *store.Tx, key []byte, it item.Value) error {
	if it == nil {
		return tx.Delete(key)
	}
	return tx.Set(key, it)
}

// sizeOf is the item's size in bytes, 0 for none.
func sizeOf(it item.Value) int {
	if it == nil {
		return 0
	}
	return it.ItemSize()
}

// apply runs one change in a transaction of its own.
func (s *Service) apply(c *change) error {
	err := s.store.Update(store.Latch(c.key), c.run)
	if err == nil {
		s.committed(c)
	}
	return err
}
