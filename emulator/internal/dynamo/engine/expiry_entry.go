package engine

import (
	"math"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/expiry"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// updateExpiry updates the order of expiry if the table has time to live enabled.
func (t *Table) updateExpiry(tx *store.Tx, c *Change) error {
	c.expires = 0
	if t.Def.TTLAttribute == "" {
		return nil
	}
	oldTime, newTime := t.expiryOf(c.Old), t.expiryOf(c.New)
	if oldTime != 0 && oldTime != newTime {
		if err := tx.Delete(expiryKey(oldTime, c.Key)); err != nil {
			return err
		}
	}
	if newTime == 0 {
		return nil
	}
	c.expires = newTime
	return tx.Set(expiryKey(newTime, c.Key), nil)
}

// expiryOf returns the second in which an item expires, 0 if it does not: its attribute is missing, not a number, or
// out of range.
func (t *Table) expiryOf(it item.Value) int64 {
	if it == nil {
		return 0
	}
	v, ok := it.Field(t.Def.TTLAttribute)
	if !ok || v.Type() != item.Number {
		return 0
	}
	seconds, err := strconv.ParseFloat(v.Text(), 64)
	if err != nil || seconds < 1 || seconds > math.MaxUint32*1000 {
		return 0
	}
	return int64(seconds)
}

// expiryKey returns the key of an item's entry in the order of expiry.
func expiryKey(seconds int64, itemKey []byte) []byte {
	return append(expiry.Key([]byte{spaceExpiry}, seconds), itemKey...)
}
