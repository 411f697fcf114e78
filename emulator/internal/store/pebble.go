package store

import (
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2"
)

// The fields and methods of this package's exported types do not use Pebble's types for databases, iterators or
// batches. Otherwise the compiler would instantiate all generic types in them again for every package that imports this
// one, at two seconds of CPU and 10 MB each. So [Store], [Tx], [Reader] and [Iter] hold the interfaces below.

// database is a *pebble.DB.
type database interface{ Close() error }

// batch is a *pebble.Batch.
type batch interface{ Close() error }

// source is committed state to read: a database or a snapshot of it.
type source interface {
	// Get returns pebble.ErrNotFound for a key that does not exist. The caller closes the closer after the last use of
	// the value.
	Get(key []byte) (value []byte, closer io.Closer, err error)
	// iterator returns an iterator over the bounds in opts, which must not change until it is closed.
	iterator(opts *pebble.IterOptions) (cursor, error)
}

// cursor is a *pebble.Iterator.
type cursor interface {
	First() bool
	Last() bool
	Next() bool
	Prev() bool
	SeekGE(key []byte) bool
	SeekPrefixGE(key []byte) bool
	SeekLT(key []byte) bool
	Key() []byte
	ValueAndErr() ([]byte, error)
	Error() error
	Close() error
}

// dbSource is a database as a source.
type dbSource struct{ *pebble.DB }

func (n dbSource) iterator(opts *pebble.IterOptions) (cursor, error) {
	return cursorOf(n.NewIter(opts))
}

// snapshotSource is a snapshot as a source.
type snapshotSource struct{ *pebble.Snapshot }

func (p snapshotSource) iterator(opts *pebble.IterOptions) (cursor, error) {
	return cursorOf(p.NewIter(opts))
}

// rangeSource is the newest state as a source of one iterator, for a Tx; without one once it was read.
type rangeSource struct{ tx *Tx }

// errOneRange reports a second read of a rangeSource, which could see another state.
var errOneRange = errors.New("ViewRange reads by one iterator")

func (rangeSource) Get([]byte) ([]byte, io.Closer, error) { return nil, nil, errOneRange }

func (r rangeSource) iterator(opts *pebble.IterOptions) (cursor, error) {
	if r.tx == nil {
		return nil, errOneRange
	}
	r.tx.from = rangeSource{}
	s := r.tx.store
	s.pause()
	it, err := pebbleOf(s).NewIter(opts)
	s.pause()
	r.tx.sealer = s.sealer.Load() // after the iterator: the sealer of its values is set before they are written
	return cursorOf(it, err)
}

// cursorOf returns a nil cursor after an error, rather than one that holds a nil iterator.
func cursorOf(it *pebble.Iterator, err error) (cursor, error) {
	if err != nil {
		return nil, err
	}
	return it, nil
}

// pebbleOf returns the database of s.
func pebbleOf(s *Store) *pebble.DB { return s.db.(*pebble.DB) }

// writesOf returns the batch that tx writes to. The first write creates it.
func writesOf(tx *Tx) *pebble.Batch {
	if tx.batch == nil {
		tx.batch = pebbleOf(tx.store).NewBatch()
	}
	return tx.batch.(*pebble.Batch)
}

// openPebble opens the database. Errors: writes that the disk refuses during it, and what Pebble reports with Fatalf,
// which ends the goroutine. If the disk does not answer, the opening is abandoned and closes the database at its end.
func openPebble(dir string, options func() *pebble.Options, guard *guardFS) (*pebble.DB, error) {
	var db *pebble.DB
	err := guard.err()
	done := make(chan struct{})
	go func() {
		defer close(done)
		db, err = openTwice(dir, options, guard)
	}()
	unanswered := guard.wait(done)
	failed := func() {
		<-done
		if db != nil {
			_ = db.Close()
		}
		guard.endOpening(true)
	}
	if unanswered != nil {
		guard.closing.Store(true)
		go failed()
		return nil, unanswered
	}
	if failure := guard.err(); failure != nil && (db == nil || guard.frozen.Load()) {
		guard.closing.Store(true)
		failed()
		return nil, failure
	}
	guard.endOpening(err != nil)
	return db, err
}

// openTwice opens a database without its statistics of tables, which replays its log, closes it, and opens it again.
// After a flush of deletions, a job of Pebble reads those statistics. If an opening failed meanwhile, it would use what
// Pebble has closed, which ends the process. The second opening flushes an empty log, which makes no table, and only
// new tables start such a job. Statistics say which tables hold only what a deletion of a range has deleted.
func openTwice(dir string, options func() *pebble.Options, guard *guardFS) (*pebble.DB, error) {
	opts := options()
	if opts.ErrorIfNotExists { // otherwise it is new
		opts.DisableTableStats = true
		db, err := openDatabase(dir, opts)
		if err != nil || guard.err() != nil {
			return db, err
		}
		if err := db.Close(); err != nil {
			return nil, err
		}
		opts = options()
		opts.DisableConsistencyCheck = true // of the sizes of tables, which are as before
	}
	db, err := openDatabase(dir, opts)
	if err == nil {
		guard.ready.Store(true)
		opts.Experimental.CompactionScheduler.(*compactions).grant()
	}
	return db, err
}

// openDatabase is pebble.Open for a folder. If there is no database in the end, also because the goroutine ends, it
// stops the scheduler of compactions, which Pebble may have started.
func openDatabase(dir string, opts *pebble.Options) (db *pebble.DB, err error) {
	defer func() {
		if db == nil {
			opts.Experimental.CompactionScheduler.(*compactions).abandon()
		}
	}()
	return pebble.Open(dir, opts)
}

// closeData closes the database of a folder that cannot be opened. After a failure the disk may never complete it.
func (s *Store) closeData() error {
	var err error
	db, closed := s.db, make(chan struct{})
	go func() {
		defer close(closed)
		err = db.Close()
	}()
	if s.condition.wait(closed) != nil {
		return nil // the failure has already been reported
	}
	return err
}
