package sandbox

import (
	"github.com/tetratelabs/wazero/experimental"
)

// memory is the linear memory of a VM. It grows within a mapping of its maximum size, so growing copies nothing, and
// unused pages take no memory.
type memory struct {
	mapped   []byte
	unmap    func()
	exceeded bool
}

// newMemory reserves limit bytes of address space.
func newMemory(limit uint64) (*memory, error) {
	mapped, unmap, err := reserve(int(limit))
	if err != nil {
		return nil, err
	}
	return &memory{mapped: mapped, unmap: unmap}, nil
}

// Allocate implements experimental.MemoryAllocator.
func (m *memory) Allocate(_, _ uint64) experimental.LinearMemory { return m }

// Reallocate implements experimental.LinearMemory. Beyond the limit it panics with ErrMemory, which ends the run: a
// failed allocation would be an error that a script can catch.
func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(len(m.mapped)) {
		m.exceeded = true
		panic(ErrMemory)
	}
	return m.mapped[:size:size]
}

// Free implements experimental.LinearMemory.
func (m *memory) Free() {
	if m.unmap != nil {
		m.unmap()
	}
	m.mapped, m.unmap = nil, nil
}
