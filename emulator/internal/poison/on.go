//go:build poison

package poison

import "bytes"

// On reports whether the tag is set. Tests that count allocations prove nothing then.
const On = true

// filling is no JSON, no UTF-8, and no kind of what is stored.
const filling = 0xdb

// Pool is a sync.Pool that keeps nothing: what was put into it is never used for another request.
type Pool struct{ New func() any }

// Get returns a new one.
func (p *Pool) Get() any { return p.New() }

// Put leaves x to whoever still has it.
func (*Pool) Put(any) {}

// Bytes overwrites the whole of each buffer, up to its capacity.
func Bytes(buffers ...[]byte) {
	for _, b := range buffers {
		b = b[:cap(b)]
		for i := range b {
			b[i] = filling
		}
	}
}

// Zero makes *v the zero value: its pointers and functions are nil.
func Zero[T any](v *T) { *v = *new(T) }

// Slice makes all elements of s the zero value, up to its capacity.
func Slice[T any](s []T) { clear(s[:cap(s)]) }

// Loans are copies of what is lent, which are overwritten at their End.
type Loans struct{ lent [][]byte }

// Lend returns a copy of b; nil stays nil.
func (l *Loans) Lend(b []byte) []byte {
	b = bytes.Clone(b)
	l.lent = append(l.lent, b)
	return b
}

// End overwrites all that was lent.
func (l *Loans) End() {
	Bytes(l.lent...)
	l.lent = nil
}
