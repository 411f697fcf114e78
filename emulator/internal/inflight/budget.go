package inflight

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// Budgeted returns a handler that gives each request a budget within the limits, in its context: see [budget.From]. Its
// memory is taken from the request's account if that is in the limits' pool. The budget ends with the request.
func Budgeted(h http.Handler, limits budget.Limits) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		limits := limits
		if account := AccountOf(w); account.Pool() == limits.Pool {
			limits.Account = account
		}
		work := budget.New(r.Context(), limits)
		defer work.Close()
		h.ServeHTTP(w, r.WithContext(budget.With(r.Context(), work)))
	})
}
