package engine

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/expiry"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// expiryKey returns the key of an item's expiry entry.
func (c *Container) expiryKey(second int64, rid uint64) []byte {
	return store.AppendUint64(store.AppendUint32(expiry.Key([]byte{Space, PartExpiry}, second), c.Number), rid)
}

// updateExpiry updates the expiry entry of a changed item.
func (t *Transaction) updateExpiry(change *Change) error {
	oldExpiry, newExpiry := int64(0), int64(0)
	if change.stored != nil {
		oldExpiry = change.stored.expiresAt(t.Definition.DefaultTTL)
	}
	if change.New != nil {
		newExpiry = change.New.expiresAt(t.Definition.DefaultTTL)
	}
	if oldExpiry != 0 {
		if err := t.Tx.Delete(t.Container.expiryKey(oldExpiry, change.stored.RID)); err != nil {
			return err
		}
	}
	if newExpiry == 0 {
		return nil
	}
	if t.expiryDue == 0 || newExpiry < t.expiryDue {
		t.expiryDue = newExpiry
	}
	return t.Tx.Append(t.Container.expiryKey(newExpiry, change.New.RID), nil)
}

// rescheduleExpiry updates the expiry entries of all items when the container's default TTL changes from oldTTL to
// newTTL. No other transaction runs.
func (c *Container) rescheduleExpiry(tx *store.Tx, oldTTL, newTTL int64) error {
	var writeErr error
	v := lag.Stored(&tx.Reader)
	err := c.EachItem(&v, 0, func(i *Item) bool {
		before, after := i.expiresAt(oldTTL), i.expiresAt(newTTL)
		if before == after {
			return true
		}
		if before != 0 {
			writeErr = tx.Delete(c.expiryKey(before, i.RID))
		}
		if after != 0 && writeErr == nil {
			writeErr = tx.Append(c.expiryKey(after, i.RID), nil)
		}
		return writeErr == nil
	})
	return errors.Join(err, writeErr)
}
