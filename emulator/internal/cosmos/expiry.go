package cosmos

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/expiry"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// An item whose time to live is over is gone for readers at once ("Time to Live in Azure Cosmos DB"). What it takes in the store
// is given back soon after: the items that expire are listed in the order of their last seconds, and one timer, on the
// emulator's clock, is set for the first of them.

// newExpiry is the queue of the items that expire.
func (s *state) newExpiry() *expiry.Queue {
	return expiry.New(expiry.Config{Store: s.store, Clock: s.clock, Logger: s.log, Prefix: []byte{space, partExpiry}, Fire: s.sweep, Purge: s.expireEntry})
}

// expiryKey is the key of an item's entry.
func (c *container) expiryKey(second int64, rid uint64) []byte {
	return store.AppendUint64(store.AppendUint32(expiry.Key([]byte{space, partExpiry}, second), c.number), rid)
}

// updateExpiry keeps the list of the items that expire with a change.
func (t *transaction) updateExpiry(one *change) error {
	was, is := int64(0), int64(0)
	if one.stored != nil {
		was = one.stored.expires(t.definition.defaultTTL)
	}
	if one.new != nil {
		is = one.new.expires(t.definition.defaultTTL)
	}
	if was != 0 {
		if err := t.tx.Delete(t.container.expiryKey(was, one.stored.rid)); err != nil {
			return err
		}
	}
	if is == 0 {
		return nil
	}
	if t.due == 0 || is < t.due {
		t.due = is
	}
	return t.tx.Append(t.container.expiryKey(is, one.new.rid), nil)
}

// relist lists a container's items anew, whose time to live becomes another one. No other transaction runs.
func (c *container) relist(tx *store.Tx, was, is int64) error {
	var problem error
	v := lag.Stored(&tx.Reader)
	err := c.eachItem(&v, 0, func(i *item) bool {
		before, after := i.expires(was), i.expires(is)
		if before == after {
			return true
		}
		if before != 0 {
			problem = tx.Delete(c.expiryKey(before, i.rid))
		}
		if after != 0 && problem == nil {
			problem = tx.Append(c.expiryKey(after, i.rid), nil)
		}
		return problem == nil
	})
	return errors.Join(err, problem)
}

// sweep removes what has expired, unless the service is closed.
func (s *state) sweep() { s.whileServing(s.expiry.Sweep) }

// expireEntry removes the item of an entry. An entry of a container that was deleted, or of an item that was, goes itself, for
// the numbers of both can come again.
func (s *state) expireEntry(key []byte) error {
	rest := s.expiry.Rest(key)
	c := s.catalog.byNumber(binary.BigEndian.Uint32(rest))
	if c == nil {
		return s.drop(key)
	}
	i, err := c.itemOf(binary.BigEndian.Uint64(rest[4:]))
	if err != nil {
		return err
	}
	if i == nil || i.expires(c.definition.Load().defaultTTL) != s.expiry.Second(key) {
		return s.drop(key)
	}
	v, err := doc.Parse(i.body)
	if err != nil {
		return err
	}
	pk, err := c.definition.Load().key.Of(v)
	if err != nil {
		return err
	}
	if _, problem := c.write(context.Background(), pk, func(t *transaction) *Error { return t.expire(i.id) }); problem != nil && problem.Substatus != substatusOwner {
		return problem
	}
	return nil
}

// drop removes an entry.
func (s *state) drop(key []byte) error {
	return s.store.Update(store.Latch(key), func(tx *store.Tx) error { return tx.Delete(key) })
}

// expire removes an item whose life is over, if it is still there.
func (t *transaction) expire(id string) *Error {
	one, err := t.find(id)
	if err != nil {
		return t.container.state.internal(err)
	}
	one.dirty = one.stored != nil && one.old == nil
	return nil
}

// itemOf is the item of a rid, in memory of its own; nil: there is none.
func (c *container) itemOf(rid uint64) (found *item, err error) {
	err = c.state.store.Get(c.itemKey(rid), func(value []byte, ok bool) error {
		if !ok {
			return nil
		}
		i, err := readItem(rid, value)
		if err == nil {
			found = i.clone()
		}
		return err
	})
	return found, err
}
