//go:build poison

package poison

import "bytes"

// On reports whether the tag is set. Tests that count allocations prove nothing then.
const On = true

// filling is neither JSON, nor UTF-8, nor a kind of a stored value.
const filling = 0xdb

// Pool is a sync.Pool that keeps nothing: what was put into it is never reused.
type Pool struct{ New func() any }

// Get returns a new value.
func (p *Pool) Get() any { return p.New() }

// Put drops x.
func (*Pool) Put(any) {}

// Bytes overwrites the whole of each buffer, up to its capacity.
func Bytes(buffers ...[]byte) {
	for _, b := range buffers {
		b = b[:cap(b)]
		if len(b) == 0 {
			continue
		}
		b[0] = filling
		for n := 1; n < len(b); n *= 2 { // the race detector checks each copy once, not each byte
			copy(b[n:], b[:n])
		}
	}
}

// Zero makes *v the zero value: its pointers and functions are nil.
func Zero[T any](v *T) { *v = *new(T) }

// Slice makes all elements of s the zero value, up to its capacity.
func Slice[T any](s []T) { clear(s[:cap(s)]) }

// Loans copies what is lent, and overwrites the copies at End.
type Loans struct{ lent [][]byte }

// Lend returns a copy of b; nil stays nil.
func (l *Loans) Lend(b []byte) []byte {
	b = bytes.Clone(b)
	l.lent = append(l.lent, b)
	return b
}

// End overwrites everything that was lent.
func (l *Loans) End() {
	Bytes(l.lent...)
	l.lent = nil
}
