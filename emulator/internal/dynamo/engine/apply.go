package engine

import (
	"bytes"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

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

// finish charges for the change, which leaves an item of size bytes, and keeps the old item if the response needs it.
func (c *Change) finish(size int) error {
	billed := max(c.OldSize, size)
	if len(c.Table.Vectors) > 0 {
		billed = c.Table.billedSize(c.Old, c.OldSize)
		if c.New != nil {
			billed = max(billed, c.Table.billedSize(c.New, c.NewSize))
		}
	}
	c.units.table = UnitsFor(billed, writeUnit)
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
		if c.MissingMatches {
			return nil
		}
		existing = item.Empty
	}
	if c.Insert && c.Old != nil {
		if err := c.finish(c.OldSize); err != nil {
			return err
		}
		return wire.DuplicateItemError()
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
	for _, x := range c.Table.Vectors {
		if err := x.update(tx, c); err != nil {
			return err
		}
	}
	c.recordPending(tx)
	if c.spread != nil {
		if err := c.replicate(tx); err != nil {
			return err
		}
	}
	return c.Table.updateExpiry(tx, c)
}

// setOrDelete stores an item under a key, or deletes the key if it is nil.
func setOrDelete(tx *store.Tx, key []byte, it item.Value) error {
	if it == nil {
		return tx.Delete(key)
	}
	return tx.Set(key, it)
}

// Apply runs one change in its own transaction.
func (s *Engine) Apply(c *Change) error {
	if err := s.InFlight.beginWrite(c.Key, c.keysElsewhere()...); err != nil {
		return err
	}
	defer s.InFlight.endWrite(c.Key)
	c.Request.PauseInside()
	if c.Table.replicas != nil {
		return s.applyWithReplicas(c)
	}
	ticket := c.Table.Log.Begin()
	defer ticket.End()
	err := s.Store.UpdateContext(c.Request.BeginWait(), store.Latch(c.Key).Within(c.Table.Gate), c.Run)
	if err == nil {
		s.AfterCommit(c)
	}
	return err
}

// applyWithReplicas runs one change of a table that has replicas. It works on a copy, because a Change that other
// changes refer to is on the heap: those of tables without replicas are not.
func (s *Engine) applyWithReplicas(c *Change) error {
	copied := *c
	err := s.ApplyAll([]*Change{&copied})
	*c = copied
	return err
}

// ApplyAll runs changes of different items in one transaction: all of them or, if one fails, none.
func (s *Engine) ApplyAll(changes []*Change) error {
	if len(changes) == 0 {
		return nil
	}
	latches, tickets := BeginChanges(changes)
	defer tickets.End()
	err := s.Store.UpdateContext(changes[0].Request.BeginWait(), latches, func(tx *store.Tx) error {
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

// AfterCommit applies the effects outside the store: counts, the sizes of partitions, and the time of the next expiry.
func (s *Engine) AfterCommit(c *Change) {
	for _, d := range c.counts {
		d.stats.Add(d.items, d.bytes)
	}
	c.updatePartitionSizes()
	s.reportConsumption(c)
	s.Expiry.ScheduleEntry(c.expires)
	if c.spread == nil {
		return
	}
	if c.arrival != nil {
		c.arrival.report(c.Table, nil)
	}
	for _, r := range c.spread.now {
		s.AfterCommit(r)
	}
	for _, r := range c.spread.later {
		if !r.isUnavailable() { // after the commit: the recovery of its key applies the entries that it finds
			s.scheduleReplication(c.spread.due)
			break
		}
	}
}
