package engine

import (
	"encoding/binary"
	"errors"
	"slices"
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// sequence assigns log sequence numbers (LSNs) to the transactions of a container, and rids to its items. An LSN is
// assigned before its transaction commits, so the sequence tracks the transactions in progress, and readers of the
// change feed stop before the first of them.
//
// Numbers are reserved in blocks. The end of the current block, the same for LSNs and rids, is in the store: after a
// crash, numbers continue with the next block, and none is assigned twice.
type sequence struct {
	store *store.Store
	key   []byte // of the end of the block

	// saveMu is held while the end of a block is written, which waits for latches. A transaction that holds those
	// latches takes numbers under mu alone.
	saveMu sync.Mutex

	mu          sync.Mutex
	nextLSN     uint64 // the next LSN
	nextRID     uint64 // the next rid
	reservedEnd uint64 // only numbers below it may be assigned
	inProgress  []uint64
}

const (
	blockSize = 1 << 20
	headroom  = 1 << 16 // more numbers than one transaction can take
)

// errExhausted is the error for a transaction that changes more items than headroom allows.
var errExhausted = errors.New("a transaction changes too many items")

// reserve makes sure that a transaction can take its numbers. It must be called before the transaction begins.
func (q *sequence) reserve() error {
	if _, enough := q.reserved(); enough {
		return nil
	}
	q.saveMu.Lock()
	defer q.saveMu.Unlock()
	top, enough := q.reserved()
	if enough {
		return nil
	}
	if err := q.save(top + blockSize); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.reservedEnd = top + blockSize
	return nil
}

// reserved returns the first number above all assigned ones, and reports whether enough numbers are left for a
// transaction.
func (q *sequence) reserved() (top uint64, enough bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	top = max(q.nextLSN, q.nextRID)
	return top, q.reservedEnd-top >= headroom
}

func (q *sequence) save(bound uint64) error {
	return q.store.Update(store.Latch(q.key), func(tx *store.Tx) error {
		return tx.Set(q.key, binary.BigEndian.AppendUint64(nil, bound))
	})
}

// assign assigns n LSNs and rids rids, each consecutive, and returns the first of both. The caller passes the LSN to
// done when the transaction has ended. If n is not zero, take calls taken, which may be nil, in the order of the LSNs.
func (q *sequence) assign(n, rids int, onAssigned func()) (lsn, rid uint64, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if max(q.nextLSN+uint64(n), q.nextRID+uint64(rids)) > q.reservedEnd {
		return 0, 0, errExhausted
	}
	lsn, rid = q.nextLSN, q.nextRID
	q.nextLSN += uint64(n)
	q.nextRID += uint64(rids)
	if n > 0 {
		q.inProgress = append(q.inProgress, lsn)
		if onAssigned != nil {
			onAssigned()
		}
	}
	return lsn, rid, nil
}

// done records that the transaction with the LSNs from first on has ended, committed or not.
func (q *sequence) done(first uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := slices.Index(q.inProgress, first); i >= 0 {
		q.inProgress = slices.Delete(q.inProgress, i, i+1)
	}
}

// Floor returns the last LSN up to which all changes are visible: every later change has a higher LSN.
func (q *sequence) Floor() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.inProgress) > 0 {
		return q.inProgress[0] - 1 // LSNs are taken in order
	}
	return q.nextLSN - 1
}

// Last returns the highest LSN assigned. A client that got an LSN in a response may read the changes up to it, whatever
// else is in progress.
func (q *sequence) Last() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.nextLSN - 1
}

// close stores the next number, so that numbers continue without a gap, followed by more.
func (q *sequence) close(more []byte) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	value := append(binary.BigEndian.AppendUint64(nil, max(q.nextLSN, q.nextRID)), more...)
	return q.store.Update(store.Latch(q.key), func(tx *store.Tx) error { return tx.Set(q.key, value) })
}

// openSequence returns the sequence of a container, which continues where it stopped.
func openSequence(s *store.Store, container uint32) (*sequence, error) {
	q := &sequence{store: s, key: countersKey(container), nextLSN: 1}
	err := s.Get(q.key, func(value []byte, ok bool) error {
		if ok && len(value) >= 8 {
			q.nextLSN = binary.BigEndian.Uint64(value)
		}
		return nil
	})
	q.nextRID, q.reservedEnd = q.nextLSN, q.nextLSN
	return q, err
}
