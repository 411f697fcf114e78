package engine

import (
	"bytes"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// MaxItemSize is the size of the largest item, 400 KB.
const MaxItemSize = 400 << 10

// Change replaces one item by another. Every write comes down to it: a single write, a member of a batch or a
// transaction, and the deletion of an expired item.
type Change struct {
	Request   *Request // who pays; nil for writes of the service itself
	Table     *Table
	Key       []byte          // of the item in the store
	Condition *expr.Condition // must hold for the old item, or for item.Empty if there is none
	// Next returns the new item for the old one; nil means no item. A Change whose Next is nil only checks the
	// condition.
	Next func(old item.Value) (item.Value, error)

	Transactional       bool // a member of a transaction, which costs twice as much
	ReturnOld           bool // the response needs the old item
	ReturnItemOnFailure bool // a failed condition returns the item

	// The results. Old shares the store's memory and ends with the transaction, unless ReturnOld is set.
	Old, New         item.Value
	OldSize, NewSize int // bytes; 0 for none
	counts           []countDelta
	expires          int64 // the second in which the new item expires; 0 if it does not
	units            writeUnits
	previousImages   []lag.Image // the item's previous entries in local indexes
}

// Run performs the change. On an error nothing is written.
func (c *Change) Run(tx *store.Tx) error {
	if err := c.Table.CheckCurrent(); err != nil {
		return err
	}
	if err := c.Request.Budget().Err(); err != nil { // the client disconnected while the change waited for its latch
		return err
	}
	old, found, err := tx.Get(c.Key)
	if err != nil {
		return err
	}
	c.reset()
	if found {
		c.Old, c.OldSize = old, item.Value(old).ItemSize()
	}
	if err := c.checkCondition(); err != nil {
		return err
	}
	if c.Next == nil {
		return c.finish(c.OldSize)
	}
	if c.New, err = c.Next(c.Old); err != nil {
		return err
	}
	if err := c.Request.Budget().Grow(len(c.New)); err != nil { // until the transaction ends
		return err
	}
	c.NewSize = SizeOf(c.New)
	if err := c.write(tx); err != nil {
		return err
	}
	return c.finish(c.NewSize)
}

// reset drops the results of an earlier run, which found the table changed.
func (c *Change) reset() {
	c.Old, c.New, c.OldSize, c.NewSize = nil, nil, 0, 0
	c.counts, c.units.indexes, c.previousImages = c.counts[:0], c.units.indexes[:0], nil
}

// finish charges for the change, which leaves an item of size bytes, and keeps the old item if the response needs it.
func (c *Change) finish(size int) error {
	c.units.table = UnitsFor(max(c.OldSize, size), writeUnit)
	if err := c.chargeWrite(); err != nil {
		return err
	}
	if c.ReturnOld {
		if err := c.Request.Budget().Grow(len(c.Old)); err != nil {
			return err
		}
		c.Old = bytes.Clone(c.Old) // the store's bytes end with the transaction
	}
	return nil
}

func (c *Change) checkCondition() error {
	existing := c.Old
	if existing == nil {
		existing = item.Empty
	}
	met, err := c.Condition.Match(existing, c.Request.Budget())
	if met || err != nil {
		return err
	}
	if err := c.finish(c.OldSize); err != nil { // a failed condition costs as much as the item it checked
		return err
	}
	if c.ReturnItemOnFailure {
		return wire.ConditionFailed(bytes.Clone(c.Old))
	}
	return wire.ConditionFailed(nil)
}

// write replaces the old item by the new one in the table, its log, its indexes, its counts and the order of expiry.
func (c *Change) write(tx *store.Tx) error {
	if c.Old == nil && c.New == nil {
		return nil
	}
	if err := setOrDelete(tx, c.Key, c.New); err != nil {
		return err
	}
	if err := c.appendToLog(tx); err != nil {
		return err
	}
	c.count(c.Table.Stats, c.OldSize, c.NewSize)
	for _, x := range c.Table.Indexes {
		if err := x.update(tx, c); err != nil {
			return err
		}
	}
	c.recordPending(tx)
	return c.Table.updateExpiry(tx, c)
}

// countDelta is the effect of a change on the counts of a table or an index. It is applied when the change has
// committed.
type countDelta struct {
	stats        *Stats
	items, bytes int64
}

// count records that a table or an index holds new bytes where it held old bytes; 0 means no item.
func (c *Change) count(s *Stats, old, new int) {
	d := countDelta{stats: s, bytes: int64(new - old)}
	if new > 0 {
		d.items++
	}
	if old > 0 {
		d.items--
	}
	c.counts = append(c.counts, d)
}

// AfterCommit applies the effects outside the store: counts, the sizes of partitions, and the time of the next expiry.
func (s *Engine) AfterCommit(c *Change) {
	for _, d := range c.counts {
		d.stats.Add(d.items, d.bytes)
	}
	c.updatePartitionSizes()
	s.Expiry.Notice(c.expires)
}

// setOrDelete stores an item under a key, or deletes the key if it is nil.
func setOrDelete(tx *store.Tx, key []byte, it item.Value) error {
	if it == nil {
		return tx.Delete(key)
	}
	return tx.Set(key, it)
}

// SizeOf returns the item's size in bytes, 0 for nil.
func SizeOf(it item.Value) int {
	if it == nil {
		return 0
	}
	return it.ItemSize()
}

// Apply runs one change in its own transaction.
func (s *Engine) Apply(c *Change) error {
	if !s.InFlight.beginWrite(c.Key) {
		return errConflict()
	}
	defer s.InFlight.endWrite(c.Key)
	c.Request.PauseInside()
	ticket := c.Table.Log.Begin()
	defer ticket.End()
	err := s.Store.UpdateContext(c.Request.BeginWait(), store.Latch(c.Key).Within(c.Table.Gate), c.Run)
	if err == nil {
		s.AfterCommit(c)
	}
	return err
}

// ApplyAll runs changes of different items in one transaction: all of them or, if one fails, none.
func (s *Engine) ApplyAll(changes []*Change) error {
	if len(changes) == 0 {
		return nil
	}
	keys, tables := make([][]byte, len(changes)), make([]*Table, len(changes))
	for i, c := range changes {
		keys[i], tables[i] = c.Key, c.Table
	}
	defer BeginAppends(changes).End()
	err := s.Store.UpdateContext(changes[0].Request.BeginWait(), LatchesOf(keys, tables), func(tx *store.Tx) error {
		for _, c := range changes {
			if err := c.Run(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, c := range changes {
		s.AfterCommit(c)
	}
	return nil
}
