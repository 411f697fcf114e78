package store

import (
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2"

	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

// Reader reads committed state. A Reader and the bytes that it returns are valid until the function that received it
// returns. It is not safe for concurrent use.
type Reader struct {
	from   source
	filter *keyFilter  // nil: from is not the newest state, or there is no filter
	sealer *Sealer     // nil: no value is sealed
	held   []io.Closer // keep returned values valid
	loans  poison.Loans
	opts   pebble.IterOptions
}

// Get returns the value of key, which must not be changed, and whether the key exists.
func (r *Reader) Get(key []byte) (value []byte, ok bool, err error) {
	if r.filter != nil && !r.filter.mayContain(key) {
		return nil, false, nil
	}
	value, closer, err := r.from.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	r.held = append(r.held, closer)
	value, err = unseal(r.sealer, nil, key, value)
	return r.loans.Lend(value), err == nil, err
}

// release releases all returned values.
func (r *Reader) release() error {
	var err error
	for i, closer := range r.held {
		err = errors.Join(err, closer.Close())
		r.held[i] = nil
	}
	r.held = r.held[:0]
	r.loans.End()
	return err
}

// Get calls fn with the value of key and whether it exists, and returns fn's error. The value is valid only in fn and
// must not be changed. It is the cheapest way to read one key.
func (s *Store) Get(key []byte, fn func(value []byte, ok bool) error) error {
	if !s.ops.enter() {
		return ErrClosed
	}
	defer s.ops.leave()
	if seen := s.filter.Load(); seen != nil && !seen.mayContain(key) {
		return s.absent(fn)
	}
	value, closer, err := pebbleOf(s).Get(key)
	if err == pebble.ErrNotFound {
		return s.absent(fn)
	}
	if err != nil {
		return s.explain(err)
	}
	defer closer.Close()
	if err := s.Readable(); err != nil {
		return err
	}
	// after the value, whose sealer was set before it
	if value, err = unseal(s.sealer.Load(), nil, key, value); err != nil {
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
func (s *Store) View(fn func(*Reader) error) (err error) {
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
	tx.sealer = s.sealer.Load() // after the snapshot: the sealer of its values is set before they are written
	return tx
}
