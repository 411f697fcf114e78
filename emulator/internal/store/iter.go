package store

import (
	"bytes"

	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

// Iter iterates over a range of keys in order: call Next before each key, then Close. Key and value are valid until the
// next Next. It is a value, not a pointer, to avoid an allocation.
type Iter struct {
	it      cursor
	reverse bool
	started bool
	err     error
	sealer  *Sealer // nil: no value is sealed
	loans   poison.Loans
	buf     []byte // memory for opened values
}

// Iter returns an iterator over the keys in [lo, hi), from the last to the first if reverse is set. An empty lo or hi
// means no bound. It sees the state at the time of this call, or of the View, and must be closed before the function
// that received the Reader returns.
func (r *Reader) Iter(lo, hi []byte, reverse bool) Iter {
	r.opts.LowerBound, r.opts.UpperBound = bound(lo), bound(hi)
	it, err := r.from.iterator(&r.opts)
	return Iter{it: it, reverse: reverse, err: err, sealer: r.sealer}
}

// bound returns nil for an empty key: Pebble's invariant checks, which are on under the race detector, accept no other.
func bound(key []byte) []byte {
	if len(key) == 0 {
		return nil
	}
	return key
}

// Next moves to the next key and reports whether there is one. After false, Close returns the error, if that was the
// reason.
func (i *Iter) Next() bool {
	i.loans.End()
	if i.err != nil {
		return false
	}
	if !i.started {
		i.started = true
		if i.reverse {
			return i.it.Last()
		}
		return i.it.First()
	}
	if i.reverse {
		return i.it.Prev()
	}
	return i.it.Next()
}

// Seek moves to a key within the bounds and reports whether it exists. Next continues after it, or from where it would
// be. To read many keys Seek is cheaper than Get, which keeps all values that it returned.
func (i *Iter) Seek(key []byte) bool {
	i.loans.End()
	if i.err != nil {
		return false
	}
	i.started = true
	if i.reverse {
		return i.it.SeekLT(append(bytes.Clone(key), 0)) && bytes.Equal(i.it.Key(), key)
	}
	return i.it.SeekGE(key) && bytes.Equal(i.it.Key(), key)
}

// Key returns the current key, which must not be changed.
func (i *Iter) Key() []byte { return i.loans.Lend(i.it.Key()) }

// Value returns the current value, which must not be changed.
func (i *Iter) Value() []byte {
	value, err := i.it.ValueAndErr()
	if err == nil && i.sealer != nil {
		value, err = i.open(value)
	}
	if err != nil {
		i.err = err
		return nil
	}
	return i.loans.Lend(value)
}

// open returns the value of what is stored at the current key.
func (i *Iter) open(stored []byte) ([]byte, error) {
	value, sealed, err := (*i.sealer).Open(i.buf[:0], i.it.Key(), stored)
	if err != nil || !sealed {
		return stored, err
	}
	i.buf = value
	return value, nil
}

// Close releases the iterator and returns its first error. A second Close does nothing, so that a function may both
// defer Close and return its error: Pebble reuses closed iterators.
func (i *Iter) Close() error {
	i.loans.End()
	if i.it == nil {
		return i.err
	}
	err := i.it.Close()
	i.it = nil
	if i.err == nil {
		i.err = err
	}
	return i.err
}
