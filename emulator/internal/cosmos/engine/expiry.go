package engine

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/expiry"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// An item whose time to live is over is gone for readers at once ("Time to Live in Azure Cosmos DB"). What it takes in
// the store is given back soon after: the items that expire are listed in the order of their last seconds, and one
// timer, on the emulator's clock, is set for the first of them.

// newExpiry is the queue of the items that expire.
func (s *State) newExpiry() *expiry.Queue {
	return expiry.New(expiry.Config{Store: s.Store, Clock: s.Clock, Logger: s.Log, Prefix: []byte{Space, PartExpiry}, Fire: s.Sweep, Purge: s.expireEntry})
}

// expiryKey is the key of an item's entry.
func (c *Container) expiryKey(second int64, rid uint64) []byte {
	return store.AppendUint64(store.AppendUint32(expiry.Key([]byte{Space, PartExpiry}, second), c.Number), rid)
}

// updateExpiry keeps the list of the items that expire with a change.
func (t *Transaction) updateExpiry(one *Change) error {
	was, is := int64(0), int64(0)
	if one.stored != nil {
		was = one.stored.expires(t.Definition.DefaultTTL)
	}
	if one.New != nil {
		is = one.New.expires(t.Definition.DefaultTTL)
	}
	if was != 0 {
		if err := t.Tx.Delete(t.Container.expiryKey(was, one.stored.RID)); err != nil {
			return err
		}
	}
	if is == 0 {
		return nil
	}
	if t.due == 0 || is < t.due {
		t.due = is
	}
	return t.Tx.Append(t.Container.expiryKey(is, one.New.RID), nil)
}

// relist lists a container's items anew, whose time to live becomes another one. No other transaction runs.
func (c *Container) relist(tx *store.Tx, was, is int64) error {
	var problem error
	v := lag.Stored(&tx.Reader)
	err := c.EachItem(&v, 0, func(i *Item) bool {
		before, after := i.expires(was), i.expires(is)
		if before == after {
			return true
		}
		if before != 0 {
			problem = tx.Delete(c.expiryKey(before, i.RID))
		}
		if after != 0 && problem == nil {
			problem = tx.Append(c.expiryKey(after, i.RID), nil)
		}
		return problem == nil
	})
	return errors.Join(err, problem)
}

// Sweep removes what has expired, unless the service is closed.
func (s *State) Sweep() { s.whileServing(s.Expiry.Sweep) }

// expireEntry removes the item of an entry. An entry of a container that was deleted, or of an item that was, goes
// itself, for the numbers of both can come again.
func (s *State) expireEntry(key []byte) error {
	rest := s.Expiry.Rest(key)
	c := s.Catalog.byNumber(binary.BigEndian.Uint32(rest))
	if c == nil {
		return s.drop(key)
	}
	i, err := c.ItemOf(binary.BigEndian.Uint64(rest[4:]))
	if err != nil {
		return err
	}
	if i == nil || i.expires(c.Definition.Load().DefaultTTL) != s.Expiry.Second(key) {
		return s.drop(key)
	}
	v, err := doc.Parse(i.Body)
	if err != nil {
		return err
	}
	pk, err := c.Definition.Load().Key.Of(v)
	if err != nil {
		return err
	}
	if _, problem := c.Write(context.Background(), pk, func(t *Transaction) *wire.Error { return t.expire(i.ID) }); problem != nil && problem.Substatus != wire.SubstatusOwner {
		return problem
	}
	return nil
}

// drop removes an entry.
func (s *State) drop(key []byte) error {
	return s.Store.Update(store.Latch(key), func(tx *store.Tx) error { return tx.Delete(key) })
}

// expire removes an item whose life is over, if it is still there.
func (t *Transaction) expire(id string) *wire.Error {
	one, err := t.find(id)
	if err != nil {
		return t.Container.State.Internal(err)
	}
	one.Dirty = one.stored != nil && one.old == nil
	return nil
}

// ItemOf is the item of a rid, in memory of its own; nil: there is none.
func (c *Container) ItemOf(rid uint64) (found *Item, err error) {
	err = c.State.Store.Get(c.ItemKey(rid), func(value []byte, ok bool) error {
		if !ok {
			return nil
		}
		i, err := ReadItem(rid, value)
		if err == nil {
			found = i.clone()
		}
		return err
	})
	return found, err
}
