//go:build !unix

package store

// newChunk allocates on the heap, on systems without anonymous mappings.
func newChunk() ([]byte, error) { return make([]byte, chunkSize), nil }

func freeChunk([]byte) {}
