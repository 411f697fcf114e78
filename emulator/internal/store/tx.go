package store

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2"

	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

// Tx is an update in progress. Its reads see committed state, never its own writes; of the keys it has latched that
// state cannot change meanwhile. Functions that only read take tx.Reader. It is valid until the function that received
// it returns, and for one goroutine.
type Tx struct {
	Reader
	store    *Store
	snapshot io.Closer // what a view and an optimistic update read; nil in other updates
	batch    batch     // nil until the first write
	fresh    *seenKeys // what the store has seen after this update, when it replaces everything
	after    []func()  // what OnCommit was given
	undo     []func()  // what OnAbort was given

	sealed []byte // memory for what is sealed
}

// Every key lies in [firstKey, lastKey). Pebble's range deletions need both ends, and take an empty key for none of
// them.
var (
	firstKey = []byte{0x00}
	lastKey  = bytes.Repeat([]byte{0xff}, 64)
)

// Set makes value the value of key. Both are copied. A key that is empty, or begins with 64 bytes of 0xff, is refused
// with [ErrKey].
func (tx *Tx) Set(key, value []byte) error {
	if len(key) == 0 || bytes.Compare(key, lastKey) >= 0 {
		return ErrKey
	}
	if tx.seen != nil {
		tx.seen.add(key)
	}
	return tx.set(key, value)
}

// Append sets a key that is only ever come to by Iter: Get may answer that it is not there. A log, whose keys nobody
// asks for one by one, would otherwise fill the filter of what has been set (seenKeys) for all others.
func (tx *Tx) Append(key, value []byte) error {
	if len(key) == 0 || bytes.Compare(key, lastKey) >= 0 {
		return ErrKey
	}
	return tx.set(key, value)
}

func (tx *Tx) set(key, value []byte) error {
	stored, err := tx.seal(key, value)
	if err != nil {
		return err
	}
	return writesOf(tx).Set(key, stored, nil)
}

// Delete removes key, which need not exist.
func (tx *Tx) Delete(key []byte) error {
	return writesOf(tx).Delete(key, nil)
}

// DeleteRange removes every key in [lo, hi), among them those that this Tx set before. An empty lo or hi means no
// bound.
func (tx *Tx) DeleteRange(lo, hi []byte) error {
	if len(lo) == 0 {
		lo = firstKey
	}
	if len(hi) == 0 {
		hi = lastKey
	}
	return writesOf(tx).DeleteRange(lo, hi, nil)
}

// OnCommit has fn run once what the update wrote is there for all to see, while its latches are still held; it does not
// run when the update fails. What memory has of the state changes there, lest it be ahead of the state. fn must not
// call Update.
func (tx *Tx) OnCommit(fn func()) { tx.after = append(tx.after, fn) }

// OnAbort runs fn when the update does not commit, even where it panics, while its latches are still held. It takes
// back what the update told others of in advance. fn must not call Update.
func (tx *Tx) OnAbort(fn func()) { tx.undo = append(tx.undo, fn) }

// abort runs what OnAbort was given; committed updates have forgotten it.
func (tx *Tx) abort() {
	for _, fn := range tx.undo {
		fn()
	}
	tx.committed()
}

// committed forgets what OnAbort was given.
func (tx *Tx) committed() {
	clear(tx.undo)
	tx.undo = tx.undo[:0]
}

// Update runs fn while the latches are held and commits what it wrote as one, or nothing when fn returns an error,
// which Update returns as it is. In a folder Update returns when the commit is on stable storage. fn must not call
// Update: its latches would wait for themselves. fn holds up everybody who needs the same latches, so what can take
// long, such as what a client programmed, belongs into [Store.UpdateOptimistic].
func (s *Store) Update(latches Latches, fn func(*Tx) error) error {
	return s.UpdateContext(context.Background(), latches, fn)
}

// UpdateContext is Update for a request: it gives up with the context's error when that is done before the update could
// begin. Once fn runs, the context has no say.
func (s *Store) UpdateContext(ctx context.Context, latches Latches, fn func(*Tx) error) (err error) {
	if !s.ops.enter() {
		return ErrClosed
	}
	defer s.ops.leave()
	if err := s.condition.err(); err != nil {
		return err
	}
	tx := s.txs.Get().(*Tx)
	tx.from = newest{pebbleOf(s)}
	defer func() { err = s.explained(errors.Join(err, tx.end())) }()
	if err := s.apply(ctx, &latches, tx, fn); err != nil {
		return err
	}
	return s.durably(tx)
}

// apply runs fn and makes its writes visible, under the latches; it does not wait for the log.
func (s *Store) apply(ctx context.Context, latches *Latches, tx *Tx, fn func(*Tx) error) error {
	s.pause()
	if err := s.acquire(ctx, latches, nil); err != nil {
		return err
	}
	defer s.giveBack(latches)
	defer tx.abort()
	tx.seen, tx.sealer = s.seen.Load(), s.sealer.Load() // the filter only changes while somebody is alone in the store
	if err := fn(tx); err != nil {
		return err
	}
	return s.publish(latches, nil, tx)
}

// publish makes what a Tx wrote visible, whose latches are held. mine is its watch, nil for none.
func (s *Store) publish(latches *Latches, mine *watch, tx *Tx) error {
	s.pause()
	if err := s.commit(tx.batch); err != nil {
		return err
	}
	s.pause()
	tx.committed()
	s.watches.notice(&s.latches, latches, mine)
	if tx.fresh != nil {
		s.seen.Store(tx.fresh)
	}
	for _, after := range tx.after {
		after()
	}
	return nil
}

// durably returns when what a Tx published, if anything, is on stable storage.
func (s *Store) durably(tx *Tx) error {
	if tx.batch == nil {
		return s.Readable() // its function may have decided by what will be gone
	}
	return s.synced(tx.batch)
}

// commit makes a batch visible. In a folder it counts among those that are not synced from then on.
func (s *Store) commit(b batch) error {
	if b == nil {
		return nil
	}
	if !s.durable {
		return pebbleOf(s).Apply(b.(*pebble.Batch), pebble.NoSync)
	}
	s.unsynced.Add(1)
	if err := s.accepts(); err != nil { // after counting it: either this sees the failure, or readers see the count
		s.unsynced.Add(-1)
		return err
	}
	return pebbleOf(s).ApplyNoSyncWait(b.(*pebble.Batch), pebble.Sync)
}

// synced waits until a batch that was committed is on stable storage. One of which that is not known stays counted.
func (s *Store) synced(b batch) error {
	if !s.durable {
		return nil
	}
	err := b.(*pebble.Batch).SyncWait()
	if s.condition.frozen.Load() {
		return s.condition.err()
	}
	s.unsynced.Add(-1)
	return err
}

// end gives everything back to its pool.
func (tx *Tx) end() error {
	err := tx.release()
	if tx.batch != nil {
		err = errors.Join(err, tx.batch.Close())
	}
	if tx.snapshot != nil {
		err = errors.Join(err, tx.snapshot.Close())
	}
	clear(tx.after)
	tx.from, tx.seen, tx.sealer, tx.snapshot, tx.batch, tx.fresh, tx.after = nil, nil, nil, nil, nil, nil, tx.after[:0]
	tx.committed()
	poison.Bytes(tx.sealed)
	tx.store.txs.Put(tx)
	return err
}
