package inflight

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// Budgeted returns a handler that gives each request a budget of its own, within the limits, which the request's
// context carries: see [budget.From]. Its memory is of the request's account where that is of the limits' pool. The
// budget ends with the request.
func Budgeted(h http.Handler, limits budget.Limits) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		limits := limits
		if account := Of(w); account.Pool() == limits.Pool {
			limits.Account = account
		}
		work := budget.New(r.Context(), limits)
		defer work.Close()
		h.ServeHTTP(w, r.WithContext(budget.With(r.Context(), work)))
	})
}
