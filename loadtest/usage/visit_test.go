package usage

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/result"
)

// TestWatchTellsWhatABackendAdds checks that what a backend adds is a request's time minus the time in which at least
// one database call was under way, however many there were at once, and that the first requests of a kind do not count.
func TestWatchTellsWhatABackendAdds(t *testing.T) {
	t.Parallel()
	m := &Meter{}
	h := m.Watch(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		v := visitOf(r.Context())
		first, second := v.begin(), v.begin()
		v.charge(true, 0.5)
		v.charge(false, 2)
		first()
		second()
		if v != nil {
			v.store += time.Hour // stands in for a slow database
		}
	}))
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	h.ServeHTTP(httptest.NewRecorder(), r) // not part of an attack
	r.Header.Set(KindHeader, "get")
	for range result.WarmUp + 5 {
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	report := &result.Report{Kinds: []result.KindStats{{Request: "get"}, {Request: "other"}}}
	m.AddTo(report)
	k := report.Kinds[0]
	if k.Metered != result.WarmUp+5 || k.ReadUnits != 0.5*(result.WarmUp+5) || k.WriteUnits != 2*(result.WarmUp+5) || report.Kinds[1].Metered != 0 {
		t.Errorf("metered %+v", k)
	}
	if report.Added == nil || report.Added.Max != 0.001 || k.Added.P50 != report.Added.P50 {
		t.Errorf("the database's own time was added: %+v", report.Added)
	}
}

// TestNoVisit checks that a database call outside a visit is ignored.
func TestNoVisit(t *testing.T) {
	t.Parallel()
	v := visitOf(context.Background())
	v.begin()()
	v.charge(true, 1)
	if v != nil {
		t.Error("a visit of nobody")
	}
}
