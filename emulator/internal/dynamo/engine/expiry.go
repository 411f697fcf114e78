package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/expiry"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// An item expires once the seconds since 1970 in its time to live attribute are less than the current time. The
// emulator deletes it within the next second; the service takes up to a few days. As in the service, an item whose time
// is more than five years in the past is never deleted: such a value is probably not in seconds. (AWS, "Using time to
// live (TTL) in DynamoDB".)
const maxExpiredAge = 5 * 365 * 24 * 3600

// newExpiry returns the queue of items that expire. Items of a table whose key is unavailable stay until it is
// available.
func (s *Engine) newExpiry() *expiry.Queue {
	return expiry.New(expiry.Config{Store: s.Store, Clock: s.Clock, Logger: s.Log, Prefix: []byte{spaceExpiry}, Grace: 1,
		MaxAge: maxExpiredAge,
		Fire:   s.sweep, Purge: s.expireItem,
		Retained: func(entry []byte) bool {
			_, t := s.tableOf(s.Expiry.KeySuffix(entry))
			return t != nil && t.unavailable()
		}})
}

// sweep deletes the expired items, unless the service is closed.
func (s *Engine) sweep() { s.RunIfServing(s.Expiry.Sweep) }

// errNotExpired stops the deletion of an item that was overwritten after its entry was read.
var errNotExpired = errors.New("the item no longer expires")

// expireItem deletes the item of an entry in the order of expiry.
func (s *Engine) expireItem(entry []byte) error {
	seconds, key := s.Expiry.Second(entry), s.Expiry.KeySuffix(entry)
	err := ErrStaleTable
	for errors.Is(err, ErrStaleTable) {
		owner, t := s.tableOf(key)
		if t != nil && t.unavailable() { // it is deleted when its key is available again
			return nil
		}
		if t == nil {
			return s.Store.Update(store.Latch(key), func(tx *store.Tx) error { return tx.Delete(entry) })
		}
		err = owner.expireFrom(t, &Change{Table: t, Key: key, Next: func(old item.Value) (item.Value, error) {
			if t.Def.TTLAttribute == "" || t.expiryOf(old) != seconds {
				return nil, errNotExpired
			}
			return nil, nil
		}}, entry)
	}
	return err
}

// expireFrom deletes an item of a table. If the item no longer expires at that time, expireFrom deletes only the entry
// in the order of expiry. It decides this under the item's latch, because a writer may give the item the same time
// again.
func (a *Account) expireFrom(t *Table, c *Change, entry []byte) error {
	notExpired := false
	latches, tickets := BeginChanges([]*Change{c})
	defer tickets.End()
	err := a.Engine.Store.Update(latches, func(tx *store.Tx) error {
		err := c.Run(tx)
		if notExpired = errors.Is(err, errNotExpired); notExpired {
			return tx.Delete(entry)
		}
		return err
	})
	if err == nil && !notExpired {
		a.Engine.AfterCommit(c)
		a.Engine.Log.Debug("an item expired", "table", t.Def.Name, "principal", "dynamodb.amazonaws.com")
		if a.Engine.OnItemExpired != nil {
			a.Engine.OnItemExpired(a.Name, t.Def.Name, a.Engine.Clock.Now())
		}
	}
	return err
}

// tableOf returns the table of an item's key, and the table's account.
func (s *Engine) tableOf(key []byte) (*Account, *Table) { return s.TableByID(tableIDOf(key)) }

// tableIDOf returns the id of the table of an item's key.
func tableIDOf(key []byte) uint32 { return binary.BigEndian.Uint32(key[1:]) }

// TableByID returns the table with that id and its account, nil if there is none.
func (s *Engine) TableByID(id uint32) (*Account, *Table) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.Accounts {
		for _, t := range *a.Tables.Load() {
			if t.Def.ID == id {
				return a, t
			}
		}
	}
	return nil, nil
}

// removeOrphans removes the entries of dropped tables from the order of expiry, if there may be any.
func (s *Engine) removeOrphans() error {
	if !s.orphans.Swap(false) {
		return nil
	}
	from := []byte{spaceExpiry}
	defer func() {
		if from != nil { // also after a panic
			s.orphans.Store(true)
		}
	}()
	return s.EachStep(s.WorkContext(), func() (bool, error) {
		var next []byte
		err := s.Store.Update(store.Latch(from), func(tx *store.Tx) (err error) {
			next, err = s.removeSomeOrphans(tx, from)
			return err
		})
		if err == nil {
			from = next
		}
		return next != nil, err
	})
}

// removeSomeOrphans removes the entries of dropped tables from a key on, and returns the key of the next entry; nil if
// there is none. No item of such a table is written any more.
func (s *Engine) removeSomeOrphans(tx *store.Tx, from []byte) (next []byte, err error) {
	it := tx.Iter(from, store.PrefixEnd([]byte{spaceExpiry}), false)
	defer it.Close()
	for size := 0; it.Next(); size += len(it.Key()) {
		entry := bytes.Clone(it.Key())
		if size > StepBytes {
			return entry, nil
		}
		if s.Published(tableIDOf(s.Expiry.KeySuffix(entry))) != nil {
			continue
		}
		if err := tx.Delete(entry); err != nil {
			return nil, err
		}
	}
	return nil, it.Close()
}

// expectOrphans schedules removeOrphans if the order of expiry has entries, which may be of tables that were dropped
// before the state was loaded.
func (s *Engine) expectOrphans() error {
	return s.Store.View(func(r *store.Reader) error {
		it := r.Iter([]byte{spaceExpiry}, store.PrefixEnd([]byte{spaceExpiry}), false)
		defer it.Close()
		if it.Next() {
			s.orphans.Store(true)
			s.ScheduleRemoval()
		}
		return it.Close()
	})
}

// enterExpiry enters a table's existing items in the order of expiry, when time to live is enabled.
func (a *Account) enterExpiry(ctx context.Context, t *Table) error {
	first := int64(math.MaxInt64)
	err := a.eachChunk(ctx, t, func(tx *store.Tx, key []byte, it item.Value) error {
		seconds := t.expiryOf(it)
		if seconds == 0 {
			return nil
		}
		first = min(first, seconds)
		return tx.Set(expiryKey(seconds, key), nil)
	})
	if err == nil && first < math.MaxInt64 {
		a.Engine.Expiry.ScheduleEntry(first)
	}
	return err
}
