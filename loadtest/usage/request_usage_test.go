package usage

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/result"
)

// TestWatchMeasuresTheOverhead checks that the overhead is a request's time minus the time in which at least one
// database call was in progress, however many ran concurrently, and that the first requests of a kind do not count.
func TestWatchMeasuresTheOverhead(t *testing.T) {
	t.Parallel()
	m := &Meter{}
	h := m.Watch(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		v := requestUsageOf(r.Context())
		first, second := v.begin(), v.begin()
		v.charge(true, 0.5)
		v.charge(false, 2)
		first()
		second()
		if v != nil {
			v.databaseTime += time.Hour // stands in for a slow database
		}
	}))
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	h.ServeHTTP(httptest.NewRecorder(), r) // not part of an attack
	r.Header.Set(KindHeader, "get")
	for range result.WarmUp + 5 {
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	report := &result.Report{Kinds: []result.KindStats{{Request: "get"}, {Request: "other"}}}
	used := m.Usage()
	used.AddTo(report)
	k := report.Kinds[0]
	if k.Metered != result.WarmUp+5 || k.ReadUnits != 0.5*(result.WarmUp+5) || k.WriteUnits != 2*(result.WarmUp+5) ||
		report.Kinds[1].Metered != 0 {
		t.Errorf("metered %+v", k)
	}
	if report.Overhead == nil || report.Overhead.Max != 0.001 || k.Overhead.P50 != report.Overhead.P50 {
		t.Errorf("the overhead includes database time: %+v", report.Overhead)
	}
}

// TestCallOutsideARequest checks that a database call outside a request is ignored.
func TestCallOutsideARequest(t *testing.T) {
	t.Parallel()
	v := requestUsageOf(context.Background())
	v.begin()()
	v.charge(true, 1)
	if v != nil {
		t.Error("the call has a request")
	}
}
