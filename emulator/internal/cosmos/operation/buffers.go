package operation

import "github.com/tabletop-db/tabletop/emulator/internal/poison"

// Buffers is memory for the bodies of a request and its answer, used again and again: what is read of the one keeps
// nothing of it.
type Buffers struct{ In, Out []byte }

var bufferPool = poison.Pool{New: func() any { return new(Buffers) }}

// maxBuffers is the size in bytes of buffers beyond which they are not kept for the next request.
const maxBuffers = 512 << 10

// borrowBuffers returns buffers of nobody else, to be released.
func borrowBuffers() *Buffers { return bufferPool.Get().(*Buffers) }

// Release gives the memory to the next answer.
func (b *Buffers) Release() {
	poison.Bytes(b.In, b.Out)
	if cap(b.In)+cap(b.Out) <= maxBuffers {
		bufferPool.Put(b)
	}
}
