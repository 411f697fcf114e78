package dynamo

import (
	"bytes"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// maxItem is the size of the largest item, 400 KB.
const maxItem = 400 << 10

// change is what every operation that writes comes down to, and so does each member of a batch or a
// transaction, and each item that expires: look at one item and put another one in its place.
type change struct {
	by        *request // who pays; nil: nobody, the service does it by itself
	table     *table
	key       []byte          // of the item, in the store
	condition *expr.Condition // that old, item.Empty if there is none, must satisfy
	// next makes the item that is to stand there of the one that does, nil being none. A nil next only
	// checks the condition.
	next func(old item.Value) (item.Value, error)

	transacted    bool // a member of a transaction, which costs twice
	keepOld       bool // old is asked for afterwards
	itemOnFailure bool // a failed condition is answered with the item

	// What came of it. old shares the store's memory, and ends with the transaction, unless keepOld is set.
	old, new         item.Value
	oldSize, newSize int // in bytes, 0 for none
	counts           []countDelta
	expires          int64 // the last second of new, 0 if it does not expire
	units            writeUnits
	former           []lag.Image // what the item's entries in local indexes were before
}

// run does the change. An error leaves nothing written.
func (c *change) run(tx *store.Tx) error {
	if err := c.table.current(); err != nil {
		return err
	}
	if err := c.by.budget().Err(); err != nil { // the client left while the change waited for its latch
		return err
	}
	old, found, err := tx.Get(c.key)
	if err != nil {
		return err
	}
	c.forget()
	if found {
		c.old, c.oldSize = old, item.Value(old).ItemSize()
	}
	if err := c.checkCondition(); err != nil {
		return err
	}
	if c.next == nil {
		return c.end(c.oldSize)
	}
	if c.new, err = c.next(c.old); err != nil {
		return err
	}
	if err := c.by.budget().Grow(len(c.new)); err != nil { // until the transaction ends
		return err
	}
	c.newSize = sizeOf(c.new)
	if err := c.write(tx); err != nil {
		return err
	}
	return c.end(c.newSize)
}

// forget drops what came of an earlier run, which found the table changed.
func (c *change) forget() {
	c.old, c.new, c.oldSize, c.newSize = nil, nil, 0, 0
	c.counts, c.units.indexes, c.former = c.counts[:0], c.units.indexes[:0], nil
}

// end charges for the change, which leaves an item of that size in its place, and keeps what is asked for afterwards.
func (c *change) end(size int) error {
	c.units.table = unitsFor(max(c.oldSize, size), writeUnit)
	if err := c.chargeWrite(); err != nil {
		return err
	}
	if c.keepOld {
		if err := c.by.budget().Grow(len(c.old)); err != nil {
			return err
		}
		c.old = bytes.Clone(c.old) // the store's bytes end with the transaction
	}
	return nil
}

func (c *change) checkCondition() error {
	seen := c.old
	if seen == nil {
		seen = item.Empty
	}
	met, err := c.condition.Match(seen, c.by.budget())
	if met || err != nil {
		return err
	}
	if err := c.end(c.oldSize); err != nil { // a refused write costs what it looked at
		return err
	}
	if c.itemOnFailure {
		return conditionFailed(bytes.Clone(c.old))
	}
	return conditionFailed(nil)
}

// write puts new in the place of old, in the table, its log, its indexes, its counts and its expiry.
func (c *change) write(tx *store.Tx) error {
	if c.old == nil && c.new == nil {
		return nil
	}
	if err := set(tx, c.key, c.new); err != nil {
		return err
	}
	if err := c.record(tx); err != nil {
		return err
	}
	c.count(c.table.stats, c.oldSize, c.newSize)
	for _, x := range c.table.indexes {
		if err := x.update(tx, c); err != nil {
			return err
		}
	}
	c.announce(tx)
	return c.table.updateExpiry(tx, c)
}

// countDelta is what a change does to the counts of a table or an index. It is done when the change is
// committed.
type countDelta struct {
	stats        *stats
	items, bytes int64
}

// count notes that a table or an index holds something of the size new where it held old, 0 being nothing.
func (c *change) count(s *stats, old, new int) {
	d := countDelta{stats: s, bytes: int64(new - old)}
	if new > 0 {
		d.items++
	}
	if old > 0 {
		d.items--
	}
	c.counts = append(c.counts, d)
}

// committed does what is not in the store: counts, the room in partitions, and the time of the next expiry.
func (s *Service) committed(c *change) {
	for _, d := range c.counts {
		d.stats.add(d.items, d.bytes)
	}
	c.grow()
	s.expiry.Notice(c.expires)
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
	if !s.inFlight.beginWrite(c.key) {
		return errConflict()
	}
	defer s.inFlight.endWrite(c.key)
	c.by.hold()
	ticket := c.table.log.Begin()
	defer ticket.End()
	err := s.store.UpdateContext(c.by.waiting(), store.Latch(c.key).Within(c.table.gate), c.run)
	if err == nil {
		s.committed(c)
	}
	return err
}
