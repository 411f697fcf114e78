package operation

import "github.com/tabletop-db/tabletop/emulator/internal/poison"

// Buffers holds reusable memory for the bodies of a request and its response. Values parsed from a request's body do
// not alias it.
type Buffers struct{ In, Out []byte }

var bufferPool = poison.Pool{New: func() any { return new(Buffers) }}

// maxBuffers is the size in bytes above which buffers are not reused.
const maxBuffers = 512 << 10

// borrowBuffers returns buffers for exclusive use. The caller releases them.
func borrowBuffers() *Buffers { return bufferPool.Get().(*Buffers) }

// Release makes the buffers available to other requests.
func (b *Buffers) Release() {
	poison.Bytes(b.In, b.Out)
	if cap(b.In)+cap(b.Out) <= maxBuffers {
		bufferPool.Put(b)
	}
}
