// Package chunked copies and hashes large memory in chunks.
//
// Copying, clearing and hashing are loops in assembly, during which a goroutine cannot be preempted. The garbage
// collector has to stop every goroutine for a moment, again and again, and until then no other goroutine runs: for a
// copy of 16 MB into memory that is touched for the first time that took up to 60 ms.
package chunked

import (
	"io"
	"slices"
)

// ChunkSize is the size of a chunk in bytes: copied in about 10 µs, and hashed in about 50.
const ChunkSize = 64 << 10

// Grow returns b with capacity for at least n more bytes, as slices.Grow does, and some more, so that appending a
// bracket does not copy all of it.
func Grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n || len(b)+n <= ChunkSize {
		return slices.Grow(b, n)
	}
	grown := make([]byte, len(b), max(len(b)+n+ChunkSize/16, len(b)+len(b)/2)) // the runtime clears it in chunks itself
	copyAll(grown, b)
	return grown
}

func copyAll(to, from []byte) {
	for at := 0; at < len(from); {
		at += copyChunk(to[at:], from[at:])
	}
}

// copyChunk copies one chunk, and returns its length. It is a call and not inlined because a call is where a goroutine
// stops that was asked to, and copying in a loop leaves hardly another moment.
//
//go:noinline
func copyChunk(to, from []byte) int { return copy(to[:min(ChunkSize, len(to))], from) }

// Append returns b with more appended, as append does.
func Append(b, more []byte) []byte {
	if b = Grow(b, len(more)); len(more) <= ChunkSize {
		return append(b, more...)
	}
	all := b[:len(b)+len(more)]
	copyAll(all[len(b):], more)
	return all
}

// Clone returns a copy of b, nil for nil.
func Clone(b []byte) []byte {
	if b == nil {
		return nil
	}
	return Append([]byte{}, b)
}

// Write writes b to a hash or another writer that never fails.
func Write(to io.Writer, b []byte) {
	for len(b) > ChunkSize {
		_, _ = to.Write(b[:ChunkSize])
		b = b[ChunkSize:]
	}
	_, _ = to.Write(b)
}

// ReadAll reads until EOF or an error, which it returns with what was read, as io.ReadAll does.
func ReadAll(r io.Reader) ([]byte, error) {
	var b []byte
	for {
		if cap(b) == len(b) {
			b = Grow(b, max(512, len(b)/2))
		}
		n, err := r.Read(b[len(b):cap(b)])
		switch b = b[:len(b)+n]; err {
		case nil:
		case io.EOF:
			return b, nil
		default:
			return b, err
		}
	}
}
