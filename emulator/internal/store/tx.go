package store

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2"

	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

// Tx is an update in progress. Its reads see committed state, never its own writes. The state of the keys whose latches
// it holds cannot change during the update. Functions that only read take tx.Reader. A Tx is valid until the function
// that received it returns, and is not safe for concurrent use.
type Tx struct {
	Reader
	store    *Store
	snapshot io.Closer  // read by a view and an optimistic update; nil in other updates
	batch    batch      // nil until the first write
	fresh    *keyFilter // replaces the store's filter after an update that replaces everything
	onCommit []func()   // functions of OnCommit
	onAbort  []func()   // functions of OnAbort
	syncing  bool       // the writes are visible, and nobody has waited for their sync

	sealed []byte // memory for sealed values
}

// Every key is in [firstKey, lastKey). Pebble's range deletions need both ends, and do not accept an empty key for
// either.
var (
	firstKey = []byte{0x00}
	lastKey  = bytes.Repeat([]byte{0xff}, 64)
)

// Set sets the value of key. Both are copied. Errors: [ErrKey] for a key that is empty or begins with 64 bytes of 0xff.
func (tx *Tx) Set(key, value []byte) error {
	if len(key) == 0 || bytes.Compare(key, lastKey) >= 0 {
		return ErrKey
	}
	if tx.filter != nil {
		tx.filter.add(key)
	}
	return tx.set(key, value)
}

// Append sets a key that is only ever read through Iter: Get may report that it does not exist. Otherwise a log, whose
// keys are not read one by one, would fill the filter (keyFilter).
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

// Delete deletes key, which need not exist.
func (tx *Tx) Delete(key []byte) error {
	return writesOf(tx).Delete(key, nil)
}

// DeleteRange deletes every key in [lo, hi), including those that this Tx has set. An empty lo or hi means no bound.
func (tx *Tx) DeleteRange(lo, hi []byte) error {
	if len(lo) == 0 {
		lo = firstKey
	}
	if len(hi) == 0 {
		hi = lastKey
	}
	return writesOf(tx).DeleteRange(lo, hi, nil)
}

// OnCommit registers fn to run when the update's writes are visible, while its latches are still held; fn does not run
// if the update fails. It is the place to change what is cached in memory, so that the cache is never ahead of the
// state. fn must not call Update.
func (tx *Tx) OnCommit(fn func()) { tx.onCommit = append(tx.onCommit, fn) }

// OnAbort registers fn to run if the update does not commit, even if it panics, while its latches are still held. It
// undoes what the update has already changed in memory. fn must not call Update.
func (tx *Tx) OnAbort(fn func()) { tx.onAbort = append(tx.onAbort, fn) }

// abort runs the functions of OnAbort, of which a committed update has none.
func (tx *Tx) abort() {
	for _, fn := range tx.onAbort {
		fn()
	}
	tx.committed()
}

// committed drops the functions of OnAbort.
func (tx *Tx) committed() {
	clear(tx.onAbort)
	tx.onAbort = tx.onAbort[:0]
}

// Update runs fn with the latches held and commits its writes together, or nothing if fn returns an error, which Update
// returns unchanged. In a folder, Update returns when the commit is on stable storage. fn must not call Update: its
// latches would wait for themselves. fn blocks every update that needs the same latches, so what can take long, such as
// a client's script, belongs in [Store.UpdateOptimistic].
func (s *Store) Update(latches Latches, fn func(*Tx) error) error {
	return s.UpdateContext(context.Background(), latches, fn)
}

// UpdateContext is Update for a request: it returns the context's error if that is done before the update could begin.
// Once fn runs, the context has no effect.
func (s *Store) UpdateContext(ctx context.Context, latches Latches, fn func(*Tx) error) (err error) {
	if !s.ops.enter() {
		return ErrClosed
	}
	defer s.ops.leave()
	if err := s.condition.err(); err != nil {
		return err
	}
	tx := s.txs.Get().(*Tx)
	tx.from = dbSource{pebbleOf(s)}
	defer func() { err = s.explain(errors.Join(err, tx.end())) }()
	if err := s.apply(ctx, &latches, tx, fn); err != nil {
		return err
	}
	return s.makeDurable(tx)
}

// apply runs fn and makes its writes visible, with the latches held. It does not wait for the log.
func (s *Store) apply(ctx context.Context, latches *Latches, tx *Tx, fn func(*Tx) error) error {
	s.pause()
	if err := s.acquire(ctx, latches, nil); err != nil {
		return err
	}
	defer s.releaseLatches(latches)
	defer tx.abort()
	// the filter changes only while an update is alone in the store
	tx.rows, tx.filter, tx.sealer = &s.rows, s.filter.Load(), s.sealer.Load()
	if err := fn(tx); err != nil {
		return err
	}
	return s.publish(latches, nil, tx)
}

// publish makes the writes of a Tx visible, whose latches are held. mine is its watch, or nil.
func (s *Store) publish(latches *Latches, mine *watch, tx *Tx) error {
	s.pause()
	if err := s.commit(tx.batch); err != nil {
		return err
	}
	s.pause()
	tx.syncing = tx.batch != nil
	tx.committed()
	s.watches.notice(&s.latches, latches, mine)
	if tx.fresh != nil {
		s.filter.Store(tx.fresh)
	}
	for _, after := range tx.onCommit {
		after()
	}
	return nil
}

// makeDurable returns when the writes of a Tx, if any, are on stable storage.
func (s *Store) makeDurable(tx *Tx) error {
	if tx.batch == nil {
		return s.Readable() // fn may have decided on a state that will be gone
	}
	tx.syncing = false
	return s.commitSynced(tx.batch)
}

// commit makes a batch visible. In a folder it is counted as unsynced from then on.
func (s *Store) commit(b batch) error {
	if b == nil {
		return nil
	}
	if s.durable {
		if err := s.awaitCompactions(); err != nil {
			return err
		}
		s.unsynced.Add(1)
		if err := s.checkWritable(); err != nil { // after counting it: either this sees the failure, or readers see the count
			s.unsynced.Add(-1)
			return err
		}
	}
	writes := b.(*pebble.Batch)
	hold := s.rows.hold(writes.Reader()) // a commit takes the content of a large batch
	committed := false                   // after a panic too
	defer func() { s.rows.release(hold, committed) }()
	s.pause()
	var err error
	if s.durable {
		err = pebbleOf(s).ApplyNoSyncWait(writes, pebble.Sync)
	} else {
		err = pebbleOf(s).Apply(writes, pebble.NoSync)
	}
	committed = err == nil
	return err
}

// commitSynced waits until a committed batch is on stable storage. A batch for which that fails stays counted.
func (s *Store) commitSynced(b batch) error {
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

// end returns the Tx and its resources to their pools. After a panic in a function of OnCommit it waits for the sync
// first, which uses the batch.
func (tx *Tx) end() error {
	err := tx.release()
	if tx.syncing {
		err = errors.Join(err, tx.store.makeDurable(tx))
	}
	if tx.batch != nil {
		err = errors.Join(err, tx.batch.Close())
	}
	if tx.snapshot != nil {
		err = errors.Join(err, tx.snapshot.Close())
	}
	clear(tx.onCommit)
	tx.from, tx.rows, tx.filter, tx.sealer, tx.snapshot, tx.batch, tx.fresh, tx.onCommit = nil, nil, nil, nil, nil, nil,
		nil, tx.onCommit[:0]
	tx.large = false
	tx.committed()
	poison.Bytes(tx.sealed)
	tx.store.txs.Put(tx)
	return err
}
