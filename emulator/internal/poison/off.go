//go:build !poison

package poison

import "sync"

// On reports whether the tag is set. Tests that count allocations are meaningless then.
const On = false

// Pool is a sync.Pool; with the tag it keeps nothing.
type Pool = sync.Pool

// Bytes overwrites the whole of each buffer, up to its capacity, with the tag.
func Bytes(...[]byte) {}

// Zero sets *v to the zero value, with nil pointers and functions, with the tag. It is for values without buffers.
func Zero[T any](*T) {}

// Slice zeroes all elements of s, up to its capacity, with the tag.
func Slice[T any]([]T) {}

// Loans are values that are lent until End. With the tag they are copies, which End overwrites.
type Loans struct{}

// Lend returns b to the borrower; nil stays nil.
func (*Loans) Lend(b []byte) []byte { return b }

// End ends all loans.
func (*Loans) End() {}
