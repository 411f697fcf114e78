package usage

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

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

// kindUsage is the sum over all requests of one kind.
type kindUsage struct {
	count         int64
	reads, writes float64
	requestUnits  float64
	paths         map[string]int
	overhead      *hdrhistogram.Histogram // microseconds
}

// finish adds a completed request to the sum of its kind.
func (m *Meter) finish(kind string, v *requestUsage, took time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	all := m.kindUsage(kind)
	all.count++
	all.reads, all.writes, all.requestUnits = all.reads+v.reads, all.writes+v.writes, all.requestUnits+v.requestUnits
	for path, n := range v.paths {
		all.paths[path] += n
	}
	if all.count <= result.WarmUp {
		return
	}
	added := max((took - v.databaseTime).Microseconds(), 1)
	_ = all.overhead.RecordValue(min(added, all.overhead.HighestTrackableValue()))
}

// kindUsage returns the sum of a kind. m.mu must be held.
func (m *Meter) kindUsage(kind string) *kindUsage {
	if m.kinds == nil {
		m.kinds = map[string]*kindUsage{}
	}
	if m.kinds[kind] == nil {
		m.kinds[kind] = &kindUsage{overhead: result.NewHistogram(3), paths: map[string]int{}}
	}
	return m.kinds[kind]
}

// AddTo adds the measurements of each kind of request to a report.
func (m *Meter) AddTo(r *result.Report) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := result.NewHistogram(3)
	for i := range r.Kinds {
		k := &r.Kinds[i]
		v := m.kinds[k.Request]
		if v == nil {
			continue
		}
		k.Metered, k.ReadUnits, k.WriteUnits, k.RequestUnits = v.count, v.reads, v.writes, v.requestUnits
		k.Calls = v.calls(m.prefix)
		if v.overhead.TotalCount() > 0 {
			added := result.LatencyOf(v.overhead)
			k.Overhead = &added
			all.Merge(v.overhead)
		}
	}
	if all.TotalCount() > 0 {
		added := result.LatencyOf(all)
		r.Overhead = &added
	}
}

// calls returns the access paths of a kind of request in order, without the prefix of table names.
func (v *kindUsage) calls(prefix string) []result.Call {
	var list []result.Call
	for path, n := range v.paths {
		if prefix != "" {
			path = strings.ReplaceAll(path, prefix, "")
		}
		list = append(list, result.Call{Path: path, Times: float64(n) / float64(v.count)})
	}
	slices.SortFunc(list, func(a, b result.Call) int { return strings.Compare(a.Path, b.Path) })
	return list
}
