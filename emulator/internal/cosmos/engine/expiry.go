package engine

import (
	"context"
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/expiry"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// An item whose time to live has passed is invisible to readers at once ("Time to Live in Azure Cosmos DB"). Its space
// in the store is freed soon after: the expiry queue lists the items by the second they expire in, and one timer, on
// the emulator's clock, is set for the first of them.

// newExpiry returns the queue of expiring items.
func (s *State) newExpiry() *expiry.Queue {
	return expiry.New(expiry.Config{Store: s.Store, Clock: s.Clock, Logger: s.Log, Prefix: []byte{Space, PartExpiry},
		Fire: s.Sweep, Purge: s.expireEntry})
}

// Sweep deletes expired items, unless the service is closed.
func (s *State) Sweep() { s.whileServing(s.Expiry.Sweep) }

// expireEntry deletes the item of an expiry entry. If the container or the item no longer exists, or the item expires
// at another time, it deletes the entry itself, because the numbers of both can be used again.
func (s *State) expireEntry(key []byte) error {
	rest := s.Expiry.KeySuffix(key)
	c := s.Catalog.containerByNumber(binary.BigEndian.Uint32(rest))
	if c == nil {
		return s.deleteExpiryEntry(key)
	}
	i, err := c.ItemByRID(binary.BigEndian.Uint64(rest[4:]))
	if err != nil {
		return err
	}
	if i == nil || i.expiresAt(c.Definition.Load().DefaultTTL) != s.Expiry.Second(key) {
		return s.deleteExpiryEntry(key)
	}
	v, err := doc.Parse(i.Body)
	if err != nil {
		return err
	}
	pk, err := c.Definition.Load().Key.FromDocument(v)
	if err != nil {
		return err
	}
	if _, writeErr := c.Write(context.Background(), pk, func(t *Transaction) *wire.Error {
		return t.expire(i.ID)
	}); writeErr != nil && writeErr.Substatus != wire.SubstatusOwnerNotFound {
		return writeErr
	}
	return nil
}

// deleteExpiryEntry deletes an expiry entry.
func (s *State) deleteExpiryEntry(key []byte) error {
	return s.Store.Update(store.Latch(key), func(tx *store.Tx) error { return tx.Delete(key) })
}

// expire deletes an item if it is still stored and has expired.
func (t *Transaction) expire(id string) *wire.Error {
	change, err := t.changeOf(id)
	if err != nil {
		return t.Container.State.Internal(err)
	}
	change.Dirty = change.stored != nil && change.old == nil
	return nil
}

// ItemByRID returns a copy of the item with a rid, or nil.
func (c *Container) ItemByRID(rid uint64) (found *Item, err error) {
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
