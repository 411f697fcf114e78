package usage

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/result"
)

// KindHeader is the header that tells a Meter which kind of request of the mix a backend is handling.
const KindHeader = "Tabletop-Load-Request"

// requestUsage is the database use of one request in the backend: the time of its calls, and what they were charged.
type requestUsage struct {
	mu            sync.Mutex
	calls         int // number of calls under way
	since         time.Time
	databaseTime  time.Duration // time with at least one call under way
	reads, writes float64
	requestUnits  float64        // Cosmos DB
	paths         map[string]int // access paths of its database calls
}

type requestUsageKey struct{}

// Watch returns a handler that records what each request of an attack costs: units, and the time that the handler adds
// to that of its database calls. Wrap the backend whose client the meter is attached to.
func (m *Meter) Watch(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind := r.Header.Get(KindHeader)
		if kind == "" {
			h.ServeHTTP(w, r)
			return
		}
		v := &requestUsage{}
		began := time.Now()
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestUsageKey{}, v)))
		m.finish(kind, v, time.Since(began))
	})
}

// requestUsageOf returns the use of the request that a database call belongs to, or nil.
func requestUsageOf(ctx context.Context) *requestUsage {
	v, _ := ctx.Value(requestUsageKey{}).(*requestUsage)
	return v
}

// begin records the start of a database call. end records its end.
func (v *requestUsage) begin() (end func()) {
	if v == nil {
		return func() {}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.calls == 0 {
		v.since = time.Now()
	}
	v.calls++
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		if v.calls--; v.calls == 0 {
			v.databaseTime += time.Since(v.since)
		}
	}
}

// recordCall records the access path of a call's input.
func (v *requestUsage) recordCall(input any) {
	if v != nil {
		v.recordPath(accessPath(input))
	}
}

func (v *requestUsage) recordPath(path string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.paths == nil {
		v.paths = map[string]int{}
	}
	v.paths[path]++
}

// charge records units that a call consumed.
func (v *requestUsage) charge(reads bool, units float64) {
	if v == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if reads {
		v.reads += units
	} else {
		v.writes += units
	}
}

// addRequestUnits records request units.
func (v *requestUsage) addRequestUnits(units float64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.requestUnits += units
}

// finish adds a completed request to the sum of its kind.
func (m *Meter) finish(kind string, v *requestUsage, took time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	all := m.used.kind(kind)
	all.Requests++
	all.Reads, all.Writes, all.RequestUnits = all.Reads+v.reads, all.Writes+v.writes, all.RequestUnits+v.requestUnits
	for path, n := range v.paths {
		all.Paths[path] += int64(n)
	}
	if all.Requests > result.WarmUp {
		all.Overhead.Record(max((took - v.databaseTime).Microseconds(), 1))
	}
}
