//go:build unix

package store

import "syscall"

// newChunk maps memory outside the Go heap.
func newChunk() ([]byte, error) {
	return syscall.Mmap(-1, 0, chunkSize, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|populate)
}

func freeChunk(chunk []byte) { _ = syscall.Munmap(chunk) }
