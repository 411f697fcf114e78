package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Where replicas lag, and for replicas whose key is unavailable, a write leaves an entry for each replica in the queue,
// in its own transaction. When the entry is due, the replica gets the item as it is by then, and loses the entry, in
// one transaction. So no write is lost or applied twice, whenever the process dies; several writes of an item in a
// short time may arrive as one, as in the service. With throttling, an entry stays in the queue while the replica has
// no write capacity left.
//
// The key of an entry is the time when it is due, in nanoseconds since 1970, the ids of the replica and of the table
// that was written, and the rest of the item's key. The value is the time of the write.

const queueHeader = 1 + 8 + 4 + 4

// queueEntry is an entry of the queue.
type queueEntry struct {
	key      []byte // in the store
	due      int64  // nanoseconds since 1970
	written  int64  // nanoseconds since 1970
	from, to uint32
}

// enqueue enters a change in the queue, for each replica that gets it later.
func (c *Change) enqueue(tx *store.Tx) error {
	e := c.Table.replicas.engine
	now := e.Clock.Now()
	if e.PendingWrites.Lagging() {
		if err := raiseVersion(tx, c.Key, now.UnixNano(), c.Table.replicas.region); err != nil {
			return err
		}
	}
	written := binary.BigEndian.AppendUint64(nil, uint64(now.UnixNano()))
	for _, to := range c.spread.later {
		due := now.Add(e.PendingWrites.RegionDelay()).UnixNano()
		if c.spread.due == 0 || due < c.spread.due {
			c.spread.due = due
		}
		if err := tx.Append(appendQueueKey(nil, due, to.id, c.Table.Def.ID, c.Key), written); err != nil {
			return err
		}
	}
	return nil
}

func appendQueueKey(dst []byte, due int64, to, from uint32, itemKey []byte) []byte {
	dst = binary.BigEndian.AppendUint64(append(dst, spaceReplication), uint64(due))
	dst = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(dst, to), from)
	return append(dst, itemKey[KeyPrefixLength:]...)
}

// parseQueueEntry parses an entry. Those of older folders have no value: they take the time when they are due.
func parseQueueEntry(key, value []byte) queueEntry {
	e := queueEntry{key: bytes.Clone(key), due: int64(binary.BigEndian.Uint64(key[1:])),
		to: binary.BigEndian.Uint32(key[9:]), from: binary.BigEndian.Uint32(key[13:])}
	e.written = e.due
	if len(value) == 8 {
		e.written = int64(binary.BigEndian.Uint64(value))
	}
	return e
}

// itemKey returns the key of the item in one of the tables.
func (q *queueEntry) itemKey(table uint32) []byte {
	return append(AppendTablePrefix(nil, table), q.key[queueHeader:]...)
}

// replicationTimer is set for the first entry of the queue. Two goroutines may find the same entry: the second
// skips it.
type replicationTimer struct {
	mu     sync.Mutex
	due    int64 // nanoseconds since 1970; 0: not set
	cancel func()
}

// stop stops the timer.
func (t *replicationTimer) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cancel != nil {
		t.cancel()
	}
	t.due, t.cancel = 0, nil
}

// scheduleReplication sets the timer for an entry, unless it is set for an earlier one. 0 is no entry.
func (s *Engine) scheduleReplication(due int64) {
	t := &s.replication
	if due == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.due != 0 && t.due <= due {
		return
	}
	if t.cancel != nil {
		t.cancel()
	}
	t.due, t.cancel = due, s.Clock.At(time.Unix(0, due), func() { s.RunIfServing(s.Replicate) })
}

// StopReplication stops the timer of the queue.
func (s *Engine) StopReplication() { s.replication.stop() }

// replicationRetry is the time after which entries are retried that failed.
const replicationRetry = time.Minute

// Replicate applies the entries of the queue that are due, or all of them unless replicas lag, and sets the timer for
// the next. Entries of replicas whose key is unavailable stay until Replicate is called again.
func (s *Engine) Replicate() {
	s.replication.stop()
	horizon := int64(0)
	if s.PendingWrites.Lagging() {
		horizon = s.Clock.Now().UnixNano()
	}
	next, err := s.emptyQueue(&drain{matches: func(e queueEntry) bool { return horizon == 0 || e.due <= horizon },
		forced: horizon == 0})
	if err != nil && !errors.Is(err, store.ErrClosed) {
		s.Log.Error("some writes could not be replicated to other regions; they are retried", "error", err)
		next = s.Clock.Now().Add(replicationRetry).UnixNano()
	}
	s.scheduleReplication(next)
}

// FlushReplication applies all entries of the queue that come from a table or go to it, before it is dropped.
func (s *Engine) FlushReplication(table uint32) error {
	_, err := s.emptyQueue(&drain{matches: func(e queueEntry) bool { return e.from == table || e.to == table },
		forced: true})
	return err
}

// queueBatch is the most entries that one transaction applies.
const queueBatch = 100

// throttledRetry is the time after which the entries of a replica without write capacity are tried again.
const throttledRetry = time.Second

// drain is one pass over the queue.
type drain struct {
	matches   func(queueEntry) bool
	forced    bool            // replicas get the entries even without write capacity
	throttled map[uint32]bool // ids of the replicas that have none left
}

// emptyQueue applies the entries that match and returns when to continue with the others; 0 if there are none.
func (s *Engine) emptyQueue(d *drain) (next int64, err error) {
	for {
		batch, next, err := s.nextBatch(d)
		if err != nil || len(batch) == 0 {
			return d.retryAt(next, s.Clock.Now()), err
		}
		var none *arrivalThrottled
		err = s.applyBatch(batch, d.forced)
		switch {
		case errors.As(err, &none):
			d.wait(s, batch[0], none)
		case err != nil && !errors.Is(err, ErrStaleTable):
			return next, err
		}
	}
}

// retryAt returns when to continue, if the first entry that is not due yet is due at next.
func (d *drain) retryAt(next int64, now time.Time) int64 {
	retry := now.Add(throttledRetry).UnixNano()
	if len(d.throttled) > 0 && (next == 0 || retry < next) {
		return retry
	}
	return next
}

// wait leaves the entries of a replica that has no write capacity left in the queue.
func (d *drain) wait(s *Engine, e queueEntry, none *arrivalThrottled) {
	if d.throttled == nil {
		d.throttled = map[uint32]bool{}
	}
	d.throttled[none.table] = true
	if to := s.Published(none.table); to != nil {
		throttle := to.throttle(none.limit)
		e.arrival(s, d.forced).report(to, &throttle)
	}
}

// arrival returns the arrival of the entry's write in the replica.
func (q *queueEntry) arrival(s *Engine, forced bool) *arrival {
	return &arrival{engine: s, from: q.from, written: time.Unix(0, q.written), forced: forced}
}

// nextBatch returns the first entries that match and can be applied in one transaction, which reads none of its own
// writes: they concern different items. With throttling it is a single entry, so that others do not wait for the
// capacity that it lacks. next is when the first of the entries is due that do not match.
func (s *Engine) nextBatch(d *drain) (batch []queueEntry, next int64, err error) {
	written, read := map[string]bool{}, map[string]bool{}
	limit := queueBatch
	if s.Throttling {
		limit = 1
	}
	err = s.Store.View(func(r *store.Reader) error {
		it := r.Iter([]byte{spaceReplication}, []byte{spaceReplication + 1}, false)
		defer it.Close()
		for len(batch) < limit && it.Next() {
			e := parseQueueEntry(it.Key(), it.Value())
			to := s.Published(e.to)
			if d.throttled[e.to] || to != nil && to.unavailable() {
				continue
			}
			if !d.matches(e) {
				if next == 0 {
					next = e.due
				}
				continue
			}
			source, target := string(e.itemKey(e.from)), string(e.itemKey(e.to))
			if written[source] || written[target] || read[target] {
				break
			}
			written[target], read[source] = true, true
			batch = append(batch, e)
		}
		return it.Close()
	})
	return batch, next, err
}

// waits reports whether the entry is still in the queue. It is read by an iterator because it was written by Append.
func (q *queueEntry) waits(tx *store.Tx) (bool, error) {
	it := tx.Iter(q.key, append(bytes.Clone(q.key), 0), false)
	found := it.Next()
	return found, it.Close()
}

// applyBatch applies entries in one transaction and removes them. Entries that another goroutine has applied meanwhile
// are skipped. Errors: arrivalThrottled; ErrStaleTable.
func (s *Engine) applyBatch(batch []queueEntry, forced bool) error {
	var keys [][]byte
	var gates []*store.Gate
	var held tickets
	froms, tos := make([]*Table, len(batch)), make([]*Table, len(batch))
	defer func() { held.End() }()
	for i, e := range batch {
		froms[i], tos[i] = s.Published(e.from), s.Published(e.to)
		keys = append(keys, e.itemKey(e.from), e.itemKey(e.to))
		for _, t := range []*Table{froms[i], tos[i]} {
			if t != nil && !slices.Contains(gates, t.Gate) {
				gates = append(gates, t.Gate)
				held = append(held, t.Log.Begin())
			}
		}
	}
	changes := make([]*Change, len(batch))
	err := s.Store.UpdateContext(context.Background(), store.Latch(keys...).Within(gates...), func(tx *store.Tx) error {
		for i, e := range batch {
			if waits, err := e.waits(tx); err != nil {
				return err
			} else if !waits {
				continue
			}
			if err := tx.Delete(e.key); err != nil {
				return err
			}
			switch {
			case s.Published(e.from) != froms[i], s.Published(e.to) != tos[i]:
				return ErrStaleTable
			case froms[i] == nil || tos[i] == nil: // one of them was dropped
				continue
			}
			var err error
			if changes[i], err = copyItem(tx, froms[i], tos[i], keys[2*i],
				e.arrival(s, forced)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, c := range changes {
		if c != nil {
			s.AfterCommit(c)
		}
	}
	return nil
}
