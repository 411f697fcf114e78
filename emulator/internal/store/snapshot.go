package store

import (
	"bytes"
	"errors"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/batchrepr"
)

// Snapshot is a copy of a whole store at one moment. It needs no closing, can be restored any number of times, and into
// another store too. It holds all keys and values in one piece of memory.
type Snapshot struct {
	batch []byte // Pebble's form of a batch: delete everything, then set each key
}

// Snapshot copies the state of this moment. Updates go on meanwhile. Time and memory are those of the data.
func (s *Store) Snapshot() (*Snapshot, error) {
	if !s.ops.enter() {
		return nil, ErrClosed
	}
	defer s.ops.leave()
	batch := s.db.NewBatch()
	defer batch.Close()
	if err := batch.DeleteRange(firstKey, lastKey, nil); err != nil {
		return nil, err
	}
	if err := s.View(func(r *Reader) error { return copyAll(r, batch) }); err != nil {
		return nil, err
	}
	return &Snapshot{batch: bytes.Clone(batch.Repr())}, nil
}

// copyAll copies what is stored, sealed values as they are: who restores them has the keys among the rest.
func copyAll(r *Reader, batch *pebble.Batch) error {
	r.sealer = nil
	it := r.Iter(nil, nil, false)
	var err error
	for err == nil && it.Next() {
		err = batch.Set(it.Key(), it.Value(), nil)
	}
	return errors.Join(err, it.Close())
}

// Restore replaces the whole state by the snapshot's, in one commit. Updates that run are waited for, those that come
// wait; readers see the old state or the new, never a mix.
func (s *Store) Restore(snapshot *Snapshot) error {
	return s.Update(Latches{}, func(tx *Tx) error {
		// Pebble writes a sequence number into the batch, so each restore needs its own copy.
		batch := tx.writes()
		if err := batch.SetRepr(bytes.Clone(snapshot.batch)); err != nil || tx.seen == nil {
			return err
		}
		tx.fresh = newSeenKeys()
		return tx.see(batch.Reader())
	})
}

// see adds the keys of a batch to what has been seen, by those who read until the commit and by those who read after it.
func (tx *Tx) see(batch batchrepr.Reader) error {
	for {
		kind, key, _, ok, err := batch.Next()
		if !ok || err != nil {
			return err
		}
		if kind == pebble.InternalKeyKindSet {
			tx.seen.add(key)
			tx.fresh.add(key)
		}
	}
}

// Reset removes everything, in one commit, as [Store.Restore] of an empty snapshot does.
func (s *Store) Reset() error {
	return s.Update(Latches{}, func(tx *Tx) error {
		if tx.seen != nil {
			tx.fresh = newSeenKeys()
		}
		return tx.DeleteRange(nil, nil)
	})
}
