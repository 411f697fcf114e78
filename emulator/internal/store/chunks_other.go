//go:build !unix

package store

// newChunk takes memory from the heap where there is no anonymous mapping.
func newChunk() ([]byte, error) { return make([]byte, chunkSize), nil }

func freeChunk([]byte) {}
