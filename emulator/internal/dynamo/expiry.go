package dynamo

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/expiry"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// An item expires once the number of seconds since 1970 in its time to live attribute is less than the
// time. The emulator deletes it in the next second, where the service takes up to some days. As in the
// service, an item more than five years past its time is left alone: who writes such a time has probably
// written something else than seconds. (AWS, "Using time to live (TTL) in DynamoDB".)
const tooOld = 5 * 365 * 24 * 3600

// newExpiry is the queue of the items that expire. Those of a table whose key cannot be used are left until it can.
func (s *Service) newExpiry() *expiry.Queue {
	return expiry.New(expiry.Config{Store: s.store, Clock: s.clock, Logger: s.log, Prefix: []byte{spaceExpiry}, Grace: 1, Oldest: tooOld,
		Fire: s.sweep, Purge: s.expireItem,
		Kept: func(entry []byte) bool {
			_, t := s.tableOf(s.expiry.Rest(entry))
			return t != nil && t.refused()
		}})
}

// updateExpiry keeps the order of expiry of a table's items, where they expire.
func (t *table) updateExpiry(tx *store.Tx, c *change) error {
	c.expires = 0
	if t.def.TTLAttribute == "" {
		return nil
	}
	oldTime, newTime := t.expiryOf(c.old), t.expiryOf(c.new)
	if oldTime != 0 && oldTime != newTime {
		if err := tx.Delete(expiryKey(oldTime, c.key)); err != nil {
			return err
		}
	}
	if newTime == 0 {
		return nil
	}
	c.expires = newTime
	return tx.Set(expiryKey(newTime, c.key), nil)
}

// expiryOf is the last second of an item, 0 if it does not expire: an attribute that is no number, or one
// out of reach, says nothing.
func (t *table) expiryOf(it item.Value) int64 {
	if it == nil {
		return 0
	}
	v, ok := it.Field(t.def.TTLAttribute)
	if !ok || v.Type() != item.Number {
		return 0
	}
	seconds, err := strconv.ParseFloat(v.Text(), 64)
	if err != nil || seconds < 1 || seconds > math.MaxUint32*1000 {
		return 0
	}
	return int64(seconds)
}

// expiryKey is the key of an item's entry in the order of expiry.
func expiryKey(seconds int64, itemKey []byte) []byte {
	return append(expiry.Key([]byte{spaceExpiry}, seconds), itemKey...)
}

// sweep deletes what has expired, unless the service is closed.
func (s *Service) sweep() { s.whileServing(s.expiry.Sweep) }

// errNotExpired stops the deletion of an item that was written anew meanwhile.
var errNotExpired = errors.New("the item does not expire any more")

// expireItem deletes the item of an entry in the order of expiry.
func (s *Service) expireItem(entry []byte) error {
	seconds, key := s.expiry.Second(entry), s.expiry.Rest(entry)
	err := errStaleTable
	for errors.Is(err, errStaleTable) {
		owner, t := s.tableOf(key)
		if t != nil && t.refused() { // it is deleted when its key can be used again
			return nil
		}
		if t == nil {
			return s.store.Update(store.Latch(key), func(tx *store.Tx) error { return tx.Delete(entry) })
		}
		err = owner.expireFrom(t, &change{table: t, key: key, next: func(old item.Value) (item.Value, error) {
			if t.def.TTLAttribute == "" || t.expiryOf(old) != seconds {
				return nil, errNotExpired
			}
			return nil, nil
		}}, entry)
	}
	return err
}

// expireFrom deletes an item of a table or, where it does not expire any more, its entry in the order of expiry alone. It
// decides that under the item's latch, for a writer may give the item the same time again.
func (s *account) expireFrom(t *table, c *change, entry []byte) error {
	kept := false
	ticket := t.log.Begin()
	defer ticket.End()
	err := s.service.store.Update(store.Latch(c.key).Within(t.gate), func(tx *store.Tx) error {
		err := c.run(tx)
		if kept = errors.Is(err, errNotExpired); kept {
			return tx.Delete(entry)
		}
		return err
	})
	if err == nil && !kept {
		s.service.committed(c)
		s.service.log.Debug("an item expired", "table", t.def.Name, "principal", "dynamodb.amazonaws.com")
		if s.service.expired != nil {
			s.service.expired(s.name, t.def.Name, s.service.clock.Now())
		}
	}
	return err
}

// tableOf finds the table of an item's key, and whose it is.
func (s *Service) tableOf(key []byte) (*account, *table) {
	return s.tableByID(binary.BigEndian.Uint32(key[1:]))
}

// tableByID finds a table and whose it is.
func (s *Service) tableByID(id uint32) (*account, *table) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.accounts {
		for _, t := range *a.tables.Load() {
			if t.def.ID == id {
				return a, t
			}
		}
	}
	return nil, nil
}

// enterExpiry enters the items of a table whose items are to expire from now on.
func (a *account) enterExpiry(t *table) error {
	first := int64(math.MaxInt64)
	err := a.eachChunk(t, func(tx *store.Tx, key []byte, it item.Value) error {
		seconds := t.expiryOf(it)
		if seconds == 0 {
			return nil
		}
		first = min(first, seconds)
		return tx.Set(expiryKey(seconds, key), nil)
	})
	if err == nil && first < math.MaxInt64 {
		a.service.expiry.Notice(first)
	}
	return err
}
