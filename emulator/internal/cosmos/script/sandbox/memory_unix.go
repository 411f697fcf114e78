//go:build unix

package sandbox

import (
	"fmt"
	"syscall"
)

// reserve maps memory outside Go's heap: it is returned to the system at once, and does not affect the pacing of the
// garbage collector.
func reserve(size int) ([]byte, func(), error) {
	mapped, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot reserve the memory of a script: %w", err)
	}
	return mapped, func() { _ = syscall.Munmap(mapped) }, nil
}
