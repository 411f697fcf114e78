package operation

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// TestBuffersFitTheMemoryThatIsFree: a request reuses large buffers only while there is memory for them.
func TestBuffersFitTheMemoryThatIsFree(t *testing.T) {
	t.Parallel()
	const size = 64 << 20
	pool := budget.NewPool(size)
	var memory budget.Account
	memory.Open(pool, nil)
	b := Buffers{In: make([]byte, 100<<10), Out: make([]byte, 100<<10)}
	if b.fit(&memory); b.In == nil || b.Out == nil {
		t.Error("they are freed although there is memory")
	}
	pool.Take(size-(64<<10), 1)
	if b.fit(&memory); b.In != nil || b.Out != nil {
		t.Error("they are kept although there is no memory for them")
	}
}
