package dynamo

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// An item expires once the number of seconds since 1970 in its time to live attribute is less than the
// time. The emulator deletes it in the next second, where the service takes up to some days. As in the
// service, an item more than five years past its time is left alone: who writes such a time has probably
// written something else than seconds. (AWS, "Using time to live (TTL) in DynamoDB".)
const tooOld = 5 * 365 * 24 * 3600

// expiry is the one timer, set for the first item that expires.
type expiry struct {
	mu     sync.Mutex
	due    int64 // in seconds; 0 where no timer is set
	cancel func()
}

func (e *expiry) stop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.cancel != nil {
		e.cancel()
	}
	e.cancel, e.due = nil, 0
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

func expiryKey(seconds int64, itemKey []byte) []byte {
	return append(expirySecond(seconds), itemKey...)
}

// expirySecond is what the keys of all that has that last second begin with.
func expirySecond(seconds int64) []byte {
	return binary.BigEndian.AppendUint64([]byte{spaceExpiry}, uint64(max(0, seconds)))
}

// notice sets the timer if an item that was just written is the first to expire.
func (s *Service) notice(seconds int64) {
	if seconds == 0 {
		return
	}
	s.expiry.mu.Lock()
	defer s.expiry.mu.Unlock()
	if s.expiry.due == 0 || seconds < s.expiry.due {
		s.setExpiry(seconds)
	}
}

// setExpiry sets the timer. s.expiry.mu must be held.
func (s *Service) setExpiry(seconds int64) {
	if s.expiry.cancel != nil {
		s.expiry.cancel()
	}
	s.expiry.due = seconds
	s.expiry.cancel = s.clock.At(time.Unix(seconds+1, 0), s.sweep)
}

// scheduleExpiry sets the timer for the first item that is to be deleted. Its time may have come already: while no process
// ran, or before a snapshot was restored.
func (s *Service) scheduleExpiry() error {
	s.expiry.mu.Lock()
	defer s.expiry.mu.Unlock()
	var first int64
	err := s.store.View(func(r *store.Reader) error {
		it := r.Iter(expirySecond(s.clock.Now().Unix()-tooOld), []byte{spaceExpiry + 1}, false)
		defer it.Close()
		for it.Next() {
			if _, t := s.tableByID(binary.BigEndian.Uint32(it.Key()[1+8+1:])); t == nil || !t.refused() {
				first = int64(binary.BigEndian.Uint64(it.Key()[1:]))
				break
			}
		}
		return it.Close()
	})
	if first != 0 {
		s.setExpiry(first)
	}
	return err
}

// sweep deletes all that has expired, and sets the timer for the next item.
func (s *Service) sweep() {
	s.running.RLock()
	defer s.running.RUnlock()
	if s.closed {
		return
	}
	s.expiry.stop()
	err := s.expire()
	if err == nil {
		err = s.scheduleExpiry()
	}
	if err != nil && !errors.Is(err, store.ErrClosed) {
		s.log.Error("expired items could not be deleted", "error", err)
	}
}

// expireChunk is how many items are looked up at once to be deleted.
const expireChunk = 500

func (s *Service) expire() error {
	now := s.clock.Now().Unix()
	from, to := expirySecond(now-tooOld), expirySecond(now)
	for from != nil {
		var keys [][]byte
		err := s.store.View(func(r *store.Reader) error {
			it := r.Iter(from, to, false)
			defer it.Close()
			for len(keys) < expireChunk && it.Next() {
				keys = append(keys, bytes.Clone(it.Key()))
			}
			return it.Close()
		})
		if err != nil {
			return err
		}
		for _, key := range keys {
			if err := s.expireItem(key); err != nil {
				return err
			}
		}
		if from = nil; len(keys) == expireChunk {
			from = append(keys[expireChunk-1], 0)
		}
	}
	return nil
}

// errNotExpired stops the deletion of an item that was written anew meanwhile.
var errNotExpired = errors.New("the item does not expire any more")

func (s *Service) expireItem(entry []byte) error {
	seconds := int64(binary.BigEndian.Uint64(entry[1:]))
	key := entry[1+8:]
	err := errStaleTable
	for errors.Is(err, errStaleTable) {
		owner, t := s.tableByID(binary.BigEndian.Uint32(key[1:]))
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
	err := s.store.Update(store.Latch(c.key), func(tx *store.Tx) error {
		err := c.run(tx)
		if kept = errors.Is(err, errNotExpired); kept {
			return tx.Delete(entry)
		}
		return err
	})
	if err == nil && !kept {
		s.committed(c)
		s.log.Debug("an item expired", "table", t.def.Name, "principal", "dynamodb.amazonaws.com")
		if s.expired != nil {
			s.expired(s.name, t.def.Name, s.clock.Now())
		}
	}
	return err
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
		a.notice(first)
	}
	return err
}
