package cosmos

import (
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// exchange is a request over HTTP and its answer. The operation that the request names sees of it the call alone.
type exchange struct {
	call
	service *Service
	r       *http.Request
	took    time.Duration // on the machine's clock
	verdict faults.Verdict
	cut     bool // the answer is lost
}

func (s *Service) newExchange(w http.ResponseWriter, r *http.Request) *exchange {
	x := &exchange{service: s, r: r}
	x.call = call{account: s.account, began: s.clock.Machine(), buffers: borrowBuffers(), memory: inflight.Of(w)}
	x.request = request{ctx: r.Context(), method: r.Method, headers: r.Header, turns: s.pool,
		compute: r.Context().Value(computeGateway{}) != nil}
	return x
}
