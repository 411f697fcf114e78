package cosmos

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

// TestBuffersAreReleasedWithoutABody checks that the memory of a request whose response has no body is reused. It does
// not run in parallel with tests that borrow buffers.
func TestBuffersAreReleasedWithoutABody(t *testing.T) {
	if poison.On {
		t.Skip("under the tag poison no memory is used again")
	}
	d := newTestService(t)
	const requests, size = 200, 64 << 10
	for _, status := range []int{http.StatusNoContent, http.StatusNotModified} {
		allocated := 0
		for range requests {
			w := httptest.NewRecorder()
			x := d.newExchange(w, httptest.NewRequest(http.MethodDelete, "/dbs/a", nil), false)
			if cap(x.Buffers.In) < size {
				allocated++
				x.Buffers.In = make([]byte, size)
			}
			x.Out.Status = status
			x.write(w, nil)
		}
		if allocated > requests/2 { // the garbage collector takes some, and the race detector drops some at random
			t.Errorf("%d: %d of %d requests allocated a buffer", status, allocated, requests)
		}
	}
}
