package cosmos

import (
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// exchange is an HTTP request and its response. An operation sees only the Call.
type exchange struct {
	operation.Call
	service         *Service
	r               *http.Request
	came            time.Time     // on the emulator's clock; zero without observers
	duration        time.Duration // on the machine's clock
	dropResponse    bool          // a fault rule drops the response after the operation ran
	restart         bool          // a fault rule restarts the emulator after the operation ran
	closeConnection bool          // the connection is closed without a response
}

// newExchange returns the exchange of a request, which may have come through the compute gateway.
func (s *Service) newExchange(w http.ResponseWriter, r *http.Request, computeGateway bool) *exchange {
	x := &exchange{service: s, r: r}
	x.Call = s.Start(r.Context(), operation.Request{Method: r.Method, Headers: r.Header,
		ComputeGateway: computeGateway}, inflight.AccountOf(w))
	if len(s.observers) > 0 {
		x.came = s.Now()
	}
	return x
}
