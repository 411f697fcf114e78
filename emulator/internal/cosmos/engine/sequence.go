package engine

import (
	"encoding/binary"
	"errors"
	"slices"
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// sequence numbers the transactions of a container, by log sequence numbers (LSN), and its items, by rids. An LSN is
// given before its transaction commits, so those under way are remembered, and readers of the change feed stop before
// the first of them.
//
// Numbers are taken in blocks, whose end is in the store and the same for both: after a crash the next block begins,
// and no number comes twice.
type sequence struct {
	store *store.Store
	key   []byte // under which the end of the block is

	// saving is held while the end of a block is written, which waits for latches. Who has these takes numbers, by mu
	// alone.
	saving sync.Mutex

	mu       sync.Mutex
	next     uint64 // the LSN that is given next
	rid      uint64 // the rid that is given next
	bound    uint64 // numbers below it may be given
	underWay []uint64
}

const (
	block    = 1 << 20
	headroom = 1 << 16 // more than one transaction can take
)

// errExhausted is a transaction that changes more than headroom allows.
var errExhausted = errors.New("a transaction changes too many items")

// reserve makes sure that a transaction can take its numbers. It is called before the transaction begins.
func (q *sequence) reserve() error {
	if _, enough := q.reserved(); enough {
		return nil
	}
	q.saving.Lock()
	defer q.saving.Unlock()
	top, enough := q.reserved()
	if enough {
		return nil
	}
	if err := q.save(top + block); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.bound = top + block
	return nil
}

// reserved is what no number reaches yet, and whether a transaction can take all of its own.
func (q *sequence) reserved() (top uint64, enough bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	top = max(q.next, q.rid)
	return top, q.bound-top >= headroom
}

func (q *sequence) save(bound uint64) error {
	return q.store.Update(store.Latch(q.key), func(tx *store.Tx) error {
		return tx.Set(q.key, binary.BigEndian.AppendUint64(nil, bound))
	})
}

// take gives n LSNs and some rids, each in a row whose first is returned. The LSNs are to be given back by done when
// the transaction has ended. With any, taken is called, in the order of the LSNs; nil: nothing is.
func (q *sequence) take(n, rids int, taken func()) (lsn, rid uint64, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if max(q.next+uint64(n), q.rid+uint64(rids)) > q.bound {
		return 0, 0, errExhausted
	}
	lsn, rid = q.next, q.rid
	q.next += uint64(n)
	q.rid += uint64(rids)
	if n > 0 {
		q.underWay = append(q.underWay, lsn)
		if taken != nil {
			taken()
		}
	}
	return lsn, rid, nil
}

// done notes that the transaction which took LSNs from first on has ended, one way or the other.
func (q *sequence) done(first uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := slices.Index(q.underWay, first); i >= 0 {
		q.underWay = slices.Delete(q.underWay, i, i+1)
	}
}

// Floor is the last LSN up to which all changes are there: every later one has a higher number.
func (q *sequence) Floor() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.underWay) > 0 {
		return q.underWay[0] - 1 // they are taken in order
	}
	return q.next - 1
}

// Last is the highest LSN that was given. Who has one of an answer may read what it tells of, whatever is still under
// way.
func (q *sequence) Last() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.next - 1
}

// close writes how far numbers were given, so that they go on from there, and what else is to be known then.
func (q *sequence) close(more []byte) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	value := append(binary.BigEndian.AppendUint64(nil, max(q.next, q.rid)), more...)
	return q.store.Update(store.Latch(q.key), func(tx *store.Tx) error { return tx.Set(q.key, value) })
}

// openSequence finds where the numbers of a container go on.
func openSequence(s *store.Store, container uint32) (*sequence, error) {
	q := &sequence{store: s, key: countersKey(container), next: 1}
	err := s.Get(q.key, func(value []byte, ok bool) error {
		if ok && len(value) >= 8 {
			q.next = binary.BigEndian.Uint64(value)
		}
		return nil
	})
	q.rid, q.bound = q.next, q.next
	return q, err
}
