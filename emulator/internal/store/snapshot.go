package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/batchrepr"

	"github.com/tabletop-db/tabletop/emulator/internal/chunked"
)

// Snapshot is a copy of a whole store at one moment. It need not be closed, and can be restored any number of times,
// into other stores too. It holds all keys and values in one block of memory.
type Snapshot struct {
	batch []byte // Pebble's encoding of a batch: delete everything, then set each key
}

// maxSnapshot is the size in bytes below which a batch must stay. Otherwise Pebble panics.
const maxSnapshot = min(math.MaxUint32, math.MaxInt)

// SnapshotSizeError reports that there is too much data for a snapshot.
type SnapshotSizeError struct{ Size, Limit int } // bytes

// Error returns how much data there can be, how much there is, and what to do instead.
func (e *SnapshotSizeError) Error() string {
	return fmt.Sprintf("a snapshot can have %d MB, and the data has %d MB: back up a data folder instead, or delete some",
		e.Limit>>20, e.Size>>20)
}

// Snapshot copies the current state. Updates continue during it. Time and memory are proportional to the data. Errors:
// a SnapshotSizeError for data of 4 GiB or more.
func (s *Store) Snapshot() (*Snapshot, error) { return s.snapshot(maxSnapshot) }

// snapshot is Snapshot of data of less than limit bytes.
func (s *Store) snapshot(limit int) (*Snapshot, error) {
	if !s.ops.enter() {
		return nil, ErrClosed
	}
	defer s.ops.leave()
	var batch *pebble.Batch
	err := s.View(func(r *Reader) error {
		r.sealer = nil // sealed values are copied as stored: their keys are in the store too
		size := 1 << 10
		err := forAll(r, func(key, value []byte) error {
			size += len(key) + len(value) + recordOverhead
			return nil
		})
		if err != nil {
			return err
		}
		if size >= limit {
			return &SnapshotSizeError{size, limit}
		}
		batch = pebbleOf(s).NewBatchWithSize(size) // a batch that grows copies its content each time
		return errors.Join(batch.DeleteRange(firstKey, lastKey, nil), forAll(r, func(key, value []byte) error {
			return batch.Set(key, value, nil)
		}))
	})
	if err != nil {
		return nil, err
	}
	return &Snapshot{batch: batch.Repr()}, nil // closing the batch would reuse its memory
}

// recordOverhead is the largest size of a record in a batch besides its key and its value: its kind and their lengths.
const recordOverhead = 1 + 2*binary.MaxVarintLen32

// forAll calls visit for everything that is stored.
func forAll(r *Reader, visit func(key, value []byte) error) error {
	it := r.Iter(nil, nil, false)
	var err error
	for err == nil && it.Next() {
		err = visit(it.Key(), it.Value())
	}
	return errors.Join(err, it.Close())
}

// Restore replaces the whole state with the snapshot's, in one commit. It waits for running updates, and new ones wait
// for it. Readers see the old state or the new one, never a mix.
func (s *Store) Restore(snapshot *Snapshot) error {
	return s.Update(Latches{}, func(tx *Tx) error {
		// Pebble writes a sequence number into the batch, so each restore needs its own copy.
		batch := writesOf(tx)
		if err := batch.SetRepr(chunked.Clone(snapshot.batch)); err != nil || tx.filter == nil {
			return err
		}
		tx.fresh = newKeyFilter()
		return tx.addToFilter(batch.Reader())
	})
}

// addToFilter adds the keys of a batch to the current filter, for readers until the commit, and to the new one, for
// readers after it.
func (tx *Tx) addToFilter(batch batchrepr.Reader) error {
	for {
		kind, key, _, ok, err := batch.Next()
		if !ok || err != nil {
			return err
		}
		if kind == pebble.InternalKeyKindSet {
			tx.filter.add(key)
			tx.fresh.add(key)
		}
	}
}

// Reset deletes everything, in one commit, like [Store.Restore] of an empty snapshot.
func (s *Store) Reset() error {
	return s.Update(Latches{}, func(tx *Tx) error {
		if tx.filter != nil {
			tx.fresh = newKeyFilter()
		}
		return tx.DeleteRange(nil, nil)
	})
}
