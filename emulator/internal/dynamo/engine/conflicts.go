package engine

import (
	"bytes"
	"slices"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// Ongoing is what the service says of an item that a transaction uses (API reference, TransactionCanceledException;
// quoted so by users of TransactionConflictException).
const Ongoing = "Transaction is ongoing for the item"

const TransactionConflict = "TransactionConflictException"

// errConflict is for a write of an item that a transaction uses.
func errConflict() *wire.Error { return wire.DynamoError(TransactionConflict, Ongoing) }

// inFlight knows which items requests under way use, so that those that meet on one can be refused as the service
// refuses them ("Transaction conflict handling in DynamoDB"):
//
//   - a write of an item that a transaction writes, or checks: TransactionConflictException;
//   - a transaction that meets any other write: TransactionCanceledException, for TransactionConflict;
//   - a transaction of reads that meets a write, whichever came first: likewise.
//
// Writes of single items wait for each other, and reads outside of transactions meet nobody. A nil one knows nothing
// and refuses nothing: then all wait for each other.
type inFlight struct {
	mu     sync.Mutex
	items  map[uint64]use  // by hash of the key in the store; those that are in use
	tokens map[string]bool // client request tokens, by what latches them
}

// use is who uses an item.
type use struct {
	transacted bool // by a transaction that writes
	writes     int  // of single items
	readers    []*transactRead
}

// transactRead is a transaction of reads under way.
type transactRead struct {
	keys      [][]byte
	conflicts []bool // by key: someone writes it meanwhile
	met       bool   // one of conflicts is set
}

func newInFlight() *inFlight {
	return &inFlight{items: map[uint64]use{}, tokens: map[string]bool{}}
}

// of is who uses an item. f.mu must be held.
func (f *inFlight) of(key []byte) use { return f.items[xxhash.Sum64(key)] }

// put notes who uses an item. f.mu must be held.
func (f *inFlight) put(key []byte, u use) {
	if !u.written() && len(u.readers) == 0 {
		delete(f.items, xxhash.Sum64(key))
		return
	}
	f.items[xxhash.Sum64(key)] = u
}

// written says whether someone writes the item.
func (u use) written() bool { return u.transacted || u.writes > 0 }

// disturb tells those who read an item in a transaction that it is written. f.mu must be held.
func (u use) disturb(key []byte) {
	for _, r := range u.readers {
		for i := range r.keys {
			if bytes.Equal(r.keys[i], key) {
				r.conflicts[i], r.met = true, true
			}
		}
	}
}

// beginWrite notes a write of one item, to be followed by endWrite; or refuses it.
func (f *inFlight) beginWrite(key []byte) bool {
	if f == nil {
		return true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	u := f.of(key)
	if u.transacted {
		return false
	}
	u.writes++
	u.disturb(key)
	f.put(key, u)
	return true
}

func (f *inFlight) endWrite(key []byte) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	u := f.of(key)
	u.writes--
	f.put(key, u)
}

// BeginTransaction notes a transaction on items, to be followed by endTransaction; or it refuses and says which of them
// someone else writes. A nil key is of no item.
func (f *inFlight) BeginTransaction(keys [][]byte) (conflicts []bool) {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if conflicts = f.written(keys); conflicts != nil {
		return conflicts
	}
	for _, key := range keys {
		if key != nil {
			u := f.of(key)
			u.transacted = true
			u.disturb(key)
			f.put(key, u)
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
			u := f.of(key)
			u.transacted = false
			f.put(key, u)
		}
	}
}

// written says which of the items are being written, nil for none. f.mu must be held.
func (f *inFlight) written(keys [][]byte) (which []bool) {
	for i, key := range keys {
		if key != nil && f.of(key).written() {
			if which == nil {
				which = make([]bool, len(keys))
			}
			which[i] = true
		}
	}
	return which
}

// BeginRead notes a transaction of reads, to be followed by endRead; or it refuses and says which items someone writes.
func (f *inFlight) BeginRead(keys [][]byte) (r *transactRead, conflicts []bool) {
	if f == nil {
		return nil, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if conflicts = f.written(keys); conflicts != nil {
		return nil, conflicts
	}
	r = &transactRead{keys: keys, conflicts: make([]bool, len(keys))}
	for _, key := range keys {
		u := f.of(key)
		u.readers = append(u.readers, r)
		f.put(key, u)
	}
	return r, nil
}

// EndRead says which items were written meanwhile, nil for none.
func (f *inFlight) EndRead(r *transactRead) (conflicts []bool) {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, key := range r.keys {
		u := f.of(key)
		u.readers = slices.DeleteFunc(u.readers, func(other *transactRead) bool { return other == r })
		f.put(key, u)
	}
	if !r.met {
		return nil
	}
	return r.conflicts
}

// BeginToken notes a request with a client request token, to be followed by endToken; or refuses it, for another one
// with the token is under way.
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
