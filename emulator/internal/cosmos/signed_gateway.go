package cosmos

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/auth"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// SignedGateway returns a handler that signs each request with the account's first key and passes it to the compute
// gateway, through which every id can be addressed. It changes the request's headers.
func (s *Service) SignedGateway() http.Handler {
	gateway := s.ComputeGateway()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.sign(r)
		gateway.ServeHTTP(w, r)
	})
}

// sign signs a request as a client of the compute gateway does. A path without a resource is refused before its
// signature is checked, and is not signed.
func (s *Service) sign(r *http.Request) {
	route, err := wire.ParseRoute(RequestPath(r.URL))
	if err != nil {
		return
	}
	date := s.Clock.Machine().UTC().Format(http.TimeFormat)
	r.Header.Set("X-Ms-Date", date)
	call := operation.Call{Request: operation.Request{Method: r.Method, Route: route, ComputeGateway: true}}
	r.Header.Set("Authorization", auth.Sign(&call, s.Keys[0], date))
}
