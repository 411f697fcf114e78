package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
)

// MaxItemSize is the size of the largest item, 400 KB.
const MaxItemSize = 400 << 10

// Change replaces one item by another. Every write comes down to it: a single write, a member of a batch or a
// transaction, and the deletion of an expired item.
type Change struct {
	Request *Request // who pays; nil for writes of the service itself
	// Author is who made a change without a Request, as changelog.AppendAuthor writes it; nil: the service itself.
	Author    []byte
	Table     *Table
	Key       []byte          // of the item in the store
	Condition *expr.Condition // must hold for the old item, or for item.Empty if there is none
	// Next returns the new item for the old one; nil means no item. A Change whose Next is nil only checks the
	// condition.
	Next func(old item.Value) (item.Value, error)

	Insert         bool // an item must not exist: it is a DuplicateItemException
	MissingMatches bool // the condition holds if there is no item

	Transactional       bool // a member of a transaction, which costs twice as much
	ReturnOld           bool // the response needs the old item
	ReturnItemOnFailure bool // a failed condition returns the item

	// The results. Old shares the store's memory and ends with the transaction, unless ReturnOld is set.
	Old, New         item.Value
	OldSize, NewSize int // bytes; 0 for none
	counts           []countDelta
	expires          int64 // the second in which the new item expires; 0 if it does not
	units            writeUnits
	captured         int64       // change data capture units
	previousImages   []lag.Image // the item's previous entries in local indexes

	spread  *spread  // how it reaches the replicas of the table; nil: there are none
	arrival *arrival // the write of another region that it repeats; nil: it is none
}

// reset drops the results of an earlier run, which found the table changed.
func (c *Change) reset() {
	c.Old, c.New, c.OldSize, c.NewSize = nil, nil, 0, 0
	c.counts, c.units.indexes, c.previousImages = c.counts[:0], c.units.indexes[:0], nil
	c.units.vectors, c.captured = c.units.vectors[:0], 0
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

// SizeOf returns the item's size in bytes, 0 for nil.
func SizeOf(it item.Value) int {
	if it == nil {
		return 0
	}
	return it.ItemSize()
}

// costFactor multiplies the table's units: 2 in a transaction, which prepares and commits each item, otherwise 1.
func (c *Change) costFactor() float64 {
	if c.Transactional {
		return 2
	}
	return 1
}
