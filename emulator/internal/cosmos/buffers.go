package cosmos

import "github.com/tabletop-db/tabletop/emulator/internal/poison"

// buffers is memory for the bodies of a request and its answer, used again and again: what is read of the one keeps nothing of
// it.
type buffers struct{ in, out []byte }

var bufferPool = poison.Pool{New: func() any { return new(buffers) }}

// maxBuffers is the size in bytes of buffers beyond which they are not kept for the next request.
const maxBuffers = 512 << 10

// borrowBuffers returns buffers of nobody else, to be released.
func borrowBuffers() *buffers { return bufferPool.Get().(*buffers) }

// release gives the memory to the next answer.
func (b *buffers) release() {
	poison.Bytes(b.in, b.out)
	if cap(b.in)+cap(b.out) <= maxBuffers {
		bufferPool.Put(b)
	}
}
