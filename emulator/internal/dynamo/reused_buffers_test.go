package dynamo

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// TestSmallRequestsAreNotRefusedForReusedBuffers: a small request is served while large ones hold most memory, even if
// the buffers that it reuses are large.
func TestSmallRequestsAreNotRefusedForReusedBuffers(t *testing.T) {
	t.Parallel()
	s := withOrders(t, openMemory(t), 1)
	defer s.Close()
	const size, free = 64 << 20, 64 << 10
	pool := budget.NewPool(size)
	pool.Take(size-free, 1)
	h := inflight.New(inflight.Limits{Pool: pool, MaxWait: time.Nanosecond}).Wrap(s, nil)
	for range 50 { // another goroutine may take the exchange
		exchanges.Put(&exchange{in: make([]byte, 100<<10), out: make([]byte, 100<<10)})
		w := httptest.NewRecorder()
		h.ServeHTTP(w, getOrder("0"))
		if w.Code != http.StatusOK {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
}
