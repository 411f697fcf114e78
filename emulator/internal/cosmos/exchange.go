package cosmos

import (
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// exchange is a request over HTTP and its answer. The operation that the request names sees of it the call alone.
type exchange struct {
	operation.Call
	service *Service
	r       *http.Request
	took    time.Duration // on the machine's clock
	lose    bool          // a fault rule loses the answer of what runs
	cut     bool          // the answer is lost
}

func (s *Service) newExchange(w http.ResponseWriter, r *http.Request) *exchange {
	x := &exchange{service: s, r: r}
	x.Call = s.Start(r.Context(), operation.Request{Method: r.Method, Headers: r.Header,
		Compute: r.Context().Value(computeGateway{}) != nil}, inflight.Of(w))
	return x
}
