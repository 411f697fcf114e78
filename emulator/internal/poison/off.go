//go:build !poison

package poison

import "sync"

// On reports whether the tag is set. Tests that count allocations prove nothing then.
const On = false

// Pool is a sync.Pool, which under the tag keeps nothing.
type Pool = sync.Pool

// Bytes overwrites the whole of each buffer, up to its capacity, under the tag.
func Bytes(...[]byte) {}

// Zero makes *v the zero value under the tag, for what has no buffers: its pointers and functions are nil.
func Zero[T any](*T) {}

// Slice makes all elements of s the zero value under the tag, up to its capacity.
func Slice[T any]([]T) {}

// Loans are values that are lent until their End. Under the tag they are copies, which End overwrites.
type Loans struct{}

// Lend returns b for whoever borrows it; nil stays nil.
func (*Loans) Lend(b []byte) []byte { return b }

// End ends all loans.
func (*Loans) End() {}
