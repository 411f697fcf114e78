package operation

import (
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

// Buffers holds reusable memory for the bodies of a request and its response, and for the response's headers. Values
// parsed from a request's body do not alias it.
type Buffers struct {
	In, Out []byte
	Fields  []string
}

var bufferPool = poison.Pool{New: func() any { return &Buffers{Fields: make([]string, 0, usualFields)} }}

// usualFields is the number of names and values, together, of the responses to most requests.
const usualFields = 2 * 16

// maxBuffers is the size in bytes above which buffers are not reused.
const maxBuffers = 512 << 10

// borrowBuffers returns buffers for exclusive use, whose size the memory of the request allows. The caller releases
// them.
func borrowBuffers(memory *budget.Account) *Buffers {
	b := bufferPool.Get().(*Buffers)
	b.fit(memory)
	return b
}

// fit frees the buffers if earlier requests made them so large that this request would be refused for their size.
func (b *Buffers) fit(memory *budget.Account) {
	if !memory.Fits(int64(cap(b.In) + cap(b.Out))) {
		*b = Buffers{}
	}
}

// Release makes the buffers available to other requests.
func (b *Buffers) Release() {
	poison.Bytes(b.In, b.Out)
	poison.Slice(b.Fields)
	clear(b.Fields)
	if cap(b.In)+cap(b.Out) <= maxBuffers {
		bufferPool.Put(b)
	}
}
