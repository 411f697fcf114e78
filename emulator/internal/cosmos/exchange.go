package cosmos

import (
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// exchange is a request over HTTP and its answer. The operation that the request names sees of it the call alone.
type exchange struct {
	operation.Call
	service *Service
	r       *http.Request
	took    time.Duration // on the machine's clock
	verdict faults.Verdict
	cut     bool // the answer is lost
}

func (s *Service) newExchange(w http.ResponseWriter, r *http.Request) *exchange {
	x := &exchange{service: s, r: r}
	x.Call = operation.Call{Account: s.Account, Began: s.Clock.Machine(), Buffers: operation.BorrowBuffers(), Memory: inflight.Of(w)}
	x.Request = operation.Request{Ctx: r.Context(), Method: r.Method, Headers: r.Header, Turns: s.Pool,
		Compute: r.Context().Value(computeGateway{}) != nil}
	return x
}
