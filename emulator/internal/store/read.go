package store

import (
	"errors"
	"io"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2"

	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

// Reader reads committed state. A Reader and the bytes that it returns are valid until the function that received it
// returns. It is not safe for concurrent use.
type Reader struct {
	from   source
	rows   *rows       // nil: from is not the newest state
	filter *keyFilter  // nil: from is not the newest state, or there is no filter
	sealer *Sealer     // nil: no value is sealed
	held   []io.Closer // keep returned values valid
	copies []byte      // memory for values from rows
	loans  poison.Loans
	opts   pebble.IterOptions
	large  bool // there is much data: see Lookup
}

// Get returns the value of key, which must not be changed, and whether the key exists.
func (r *Reader) Get(key []byte) (value []byte, ok bool, err error) {
	value, ok, err = r.stored(key)
	if err != nil || !ok {
		return nil, false, err
	}
	value, err = unseal(r.sealer, nil, key, value)
	return r.loans.Lend(value), err == nil, err
}

// stored returns the value of key as it is stored.
func (r *Reader) stored(key []byte) (value []byte, ok bool, err error) {
	if r.filter == nil && r.rows == nil {
		return r.find(key)
	}
	hash := xxhash.Sum64(key)
	if r.filter != nil && !r.filter.mayContain(hash) {
		return nil, false, nil
	}
	if r.rows == nil {
		return r.find(key)
	}
	before := len(r.copies)
	copies, ok, ticket := r.rows.get(hash, key, r.copies)
	if ok {
		r.copies = copies // earlier values stay where they are, even if it has grown
		return copies[before:], true, nil
	}
	value, ok, err = r.find(key)
	if ok && err == nil {
		r.rows.fill(ticket, key, value)
	}
	return value, ok, err
}

// find returns what the database has.
func (r *Reader) find(key []byte) (value []byte, ok bool, err error) {
	value, closer, err := r.from.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	r.held = append(r.held, closer)
	return value, true, nil
}

// release releases all returned values.
func (r *Reader) release() error {
	var err error
	for i, closer := range r.held {
		err = errors.Join(err, closer.Close())
		r.held[i] = nil
	}
	r.held = r.held[:0]
	if r.loans.End(); cap(r.copies) > maxRow {
		r.copies = nil
	}
	r.copies = r.copies[:0]
	return err
}

// Get calls fn with the value of key and whether it exists, and returns fn's error. The value is valid only in fn and
// must not be changed. It is the cheapest way to read one key.
func (s *Store) Get(key []byte, fn func(value []byte, ok bool) error) error {
	if !s.ops.enter() {
		return ErrClosed
	}
	defer s.ops.leave()
	hash := xxhash.Sum64(key)
	if seen := s.filter.Load(); seen != nil && !seen.mayContain(hash) {
		return s.absent(fn)
	}
	buf := s.copies.Get().(*[]byte)
	defer s.copies.Put(buf)
	value, ok, ticket := s.rows.get(hash, key, (*buf)[:0])
	if ok {
		*buf = value
		return s.lend(key, value, fn)
	}
	value, closer, err := pebbleOf(s).Get(key)
	if err == pebble.ErrNotFound {
		return s.absent(fn)
	}
	if err != nil {
		return s.explain(err)
	}
	defer closer.Close()
	s.pause()
	s.rows.fill(ticket, key, value)
	return s.lend(key, value, fn)
}

// lend calls fn with the value of key, as it is stored.
func (s *Store) lend(key, value []byte, fn func(value []byte, ok bool) error) error {
	if err := s.Readable(); err != nil {
		return err
	}
	// after the value, whose sealer was set before it
	value, err := unseal(s.sealer.Load(), nil, key, value)
	if err != nil {
		return err
	}
	var loans poison.Loans
	defer loans.End()
	return fn(loans.Lend(value), true)
}

// absent calls fn for a key that does not exist.
func (s *Store) absent(fn func(value []byte, ok bool) error) error {
	if err := s.Readable(); err != nil {
		return err
	}
	return fn(nil, false)
}

// View runs fn on one consistent snapshot of the store and returns its error.
func (s *Store) View(fn func(*Reader) error) error {
	if !s.ops.enter() {
		return ErrClosed
	}
	defer s.ops.leave()
	if err := s.Readable(); err != nil {
		return err
	}
	s.pause()
	tx := s.newView()
	s.pause()
	return s.read(tx, fn)
}

// ViewRange is View for a function that calls [Reader.Iter] once and reads nothing else: an iterator sees one state
// without a snapshot, which takes several microseconds to make and to close.
func (s *Store) ViewRange(fn func(*Reader) error) error {
	if !s.ops.enter() {
		return ErrClosed
	}
	defer s.ops.leave()
	if err := s.Readable(); err != nil {
		return err
	}
	tx := s.txs.Get().(*Tx)
	tx.from = rangeSource{tx}
	return s.read(tx, fn)
}

// read runs fn, and ends the Tx that it reads.
func (s *Store) read(tx *Tx, fn func(*Reader) error) (err error) {
	defer func() { err = s.explain(errors.Join(err, tx.end())) }()
	if err := fn(&tx.Reader); err != nil {
		return err
	}
	return s.Readable() // what fn read may be gone after a failure during it
}

// newView returns a Tx that reads a snapshot of the current state. The caller must call end.
func (s *Store) newView() *Tx {
	tx := s.txs.Get().(*Tx)
	snapshot := snapshotSource{pebbleOf(s).NewSnapshot()}
	tx.snapshot, tx.from = snapshot, snapshot
	tx.large = s.condition.tables.Load() >= largeData
	tx.sealer = s.sealer.Load() // after the snapshot: the sealer of its values is set before they are written
	return tx
}
