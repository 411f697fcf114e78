package engine

import (
	"bytes"
	"slices"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// TransactionOngoing is the service's message for an item that a transaction uses (API reference,
// TransactionCanceledException; users quote the same text for TransactionConflictException).
const TransactionOngoing = "Transaction is ongoing for the item"

const TransactionConflict = "TransactionConflictException"

// ReplicatedWriteConflict is the exception for a write of an item that a request in another region writes, if the table
// has multi-Region strong consistency. The message is the API reference's.
const ReplicatedWriteConflict = "ReplicatedWriteConflictException"

func errReplicatedConflict() *wire.Error {
	return wire.DynamoError(ReplicatedWriteConflict,
		"The request was rejected because one or more items in the request are being modified by a request in another Region.")
}

// ConflictError returns the error for a write of an item that a transaction uses.
func ConflictError() *wire.Error { return wire.DynamoError(TransactionConflict, TransactionOngoing) }

// inFlight tracks the items that requests in progress use, and refuses conflicting requests as the service does
// ("Transaction conflict handling in DynamoDB"):
//
//   - a write of an item that a transaction writes or checks: TransactionConflictException;
//   - a transaction on an item that another request writes: TransactionCanceledException, reason TransactionConflict;
//   - a TransactGetItems on an item that is being written, or is written before it ends: the same exception and reason.
//
// Writes of single items wait for each other, and reads outside of transactions conflict with nothing. A nil inFlight
// refuses nothing: all requests then wait for each other.
type inFlight struct {
	mu     sync.Mutex
	items  map[uint64]itemUse // the items in use, by the hash of their key in the store
	tokens map[string]bool    // the latches of client request tokens in use
}

// itemUse is how requests in progress use one item.
type itemUse struct {
	inTransaction bool // by a transaction that writes
	writes        int  // of single items
	readers       []*transactRead
}

// transactRead is a TransactGetItems in progress.
type transactRead struct {
	keys       [][]byte
	conflicts  []bool // by key: another request wrote the item
	conflicted bool   // any of conflicts is set
}

func newInFlight() *inFlight {
	return &inFlight{items: map[uint64]itemUse{}, tokens: map[string]bool{}}
}

// use returns the use of an item. f.mu must be held.
func (f *inFlight) use(key []byte) itemUse { return f.items[xxhash.Sum64(key)] }

// setUse records the use of an item. f.mu must be held.
func (f *inFlight) setUse(key []byte, u itemUse) {
	if !u.written() && len(u.readers) == 0 {
		delete(f.items, xxhash.Sum64(key))
		return
	}
	f.items[xxhash.Sum64(key)] = u
}

// written reports whether a request writes the item.
func (u itemUse) written() bool { return u.inTransaction || u.writes > 0 }

// markConflicts marks a conflict in each transactional read of the item. f.mu must be held.
func (u itemUse) markConflicts(key []byte) {
	for _, r := range u.readers {
		for i := range r.keys {
			if bytes.Equal(r.keys[i], key) {
				r.conflicts[i], r.conflicted = true, true
			}
		}
	}
}

// beginWrite records a write of one item; unless it returns an error, endWrite must follow. elsewhere are the keys of
// the item in other regions, of a table with multi-Region strong consistency.
func (f *inFlight) beginWrite(key []byte, elsewhere ...[]byte) error {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	u := f.use(key)
	if u.inTransaction {
		return ConflictError()
	}
	for _, other := range elsewhere {
		if f.use(other).written() {
			return errReplicatedConflict()
		}
	}
	u.writes++
	u.markConflicts(key)
	f.setUse(key, u)
	return nil
}

func (f *inFlight) endWrite(key []byte) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	u := f.use(key)
	u.writes--
	f.setUse(key, u)
}

// BeginTransaction records a transaction on items; EndTransaction must follow. If other requests write some of them, it
// records nothing and reports which. A nil key stands for no item.
func (f *inFlight) BeginTransaction(keys [][]byte) (conflicts []bool) {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if conflicts = f.conflictsWithWrites(keys); conflicts != nil {
		return conflicts
	}
	for _, key := range keys {
		if key != nil {
			u := f.use(key)
			u.inTransaction = true
			u.markConflicts(key)
			f.setUse(key, u)
		}
	}
	return nil
}

func (f *inFlight) EndTransaction(keys [][]byte) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, key := range keys {
		if key != nil {
			u := f.use(key)
			u.inTransaction = false
			f.setUse(key, u)
		}
	}
}

// conflictsWithWrites reports which of the items are being written, nil if none are. f.mu must be held.
func (f *inFlight) conflictsWithWrites(keys [][]byte) (conflicts []bool) {
	for i, key := range keys {
		if key != nil && f.use(key).written() {
			if conflicts == nil {
				conflicts = make([]bool, len(keys))
			}
			conflicts[i] = true
		}
	}
	return conflicts
}

// BeginRead records a TransactGetItems; EndRead must follow. If requests write some of its items, it records nothing
// and reports which.
func (f *inFlight) BeginRead(keys [][]byte) (r *transactRead, conflicts []bool) {
	if f == nil {
		return nil, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if conflicts = f.conflictsWithWrites(keys); conflicts != nil {
		return nil, conflicts
	}
	r = &transactRead{keys: keys, conflicts: make([]bool, len(keys))}
	for _, key := range keys {
		u := f.use(key)
		u.readers = append(u.readers, r)
		f.setUse(key, u)
	}
	return r, nil
}

// EndRead reports which items were written since BeginRead, nil if none was.
func (f *inFlight) EndRead(r *transactRead) (conflicts []bool) {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, key := range r.keys {
		u := f.use(key)
		u.readers = slices.DeleteFunc(u.readers, func(other *transactRead) bool { return other == r })
		f.setUse(key, u)
	}
	if !r.conflicted {
		return nil
	}
	return r.conflicts
}

// BeginToken records a request with a client request token, and reports whether it may run; if so, EndToken must
// follow. It returns false while another request with the token is in progress.
func (f *inFlight) BeginToken(latch []byte) bool {
	if f == nil {
		return true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tokens[string(latch)] {
		return false
	}
	f.tokens[string(latch)] = true
	return true
}

func (f *inFlight) EndToken(latch []byte) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.tokens, string(latch))
}
