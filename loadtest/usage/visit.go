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

// visit is one request in the backend: how long it had database calls under way, and what they were charged.
type visit struct {
	mu            sync.Mutex
	calls         int // number of calls under way
	since         time.Time
	store         time.Duration // time with at least one call under way
	reads, writes float64
	requestUnits  float64        // Cosmos DB
	paths         map[string]int // access paths of its database calls
}

type visitKey struct{}

// Watch returns a handler that records what each request of an attack costs: units, and the time that the handler adds
// to that of its database calls. Wrap the backend whose client the meter is attached to.
func (m *Meter) Watch(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind := r.Header.Get(KindHeader)
		if kind == "" {
			h.ServeHTTP(w, r)
			return
		}
		v := &visit{}
		began := time.Now()
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), visitKey{}, v)))
		m.leave(kind, v, time.Since(began))
	})
}

// visitOf returns the visit that a database call belongs to, or nil.
func visitOf(ctx context.Context) *visit {
	v, _ := ctx.Value(visitKey{}).(*visit)
	return v
}

// begin records the start of a database call. end records its end.
func (v *visit) begin() (end func()) {
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
			v.store += time.Since(v.since)
		}
	}
}

// pass records the access path of a call's input.
func (v *visit) pass(input any) {
	if v != nil {
		v.passBy(accessPath(input))
	}
}

func (v *visit) passBy(path string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.paths == nil {
		v.paths = map[string]int{}
	}
	v.paths[path]++
}

// charge records units that a call consumed.
func (v *visit) charge(reads bool, units float64) {
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

// take records request units.
func (v *visit) take(units float64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.requestUnits += units
}

// visits are the sums over all visits of one kind of request.
type visits struct {
	count         int64
	reads, writes float64
	requestUnits  float64
	paths         map[string]int
	added         *hdrhistogram.Histogram // microseconds
}

// leave adds a completed visit to the sums of its kind.
func (m *Meter) leave(kind string, v *visit, took time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	all := m.visitsOf(kind)
	all.count++
	all.reads, all.writes, all.requestUnits = all.reads+v.reads, all.writes+v.writes, all.requestUnits+v.requestUnits
	for path, n := range v.paths {
		all.paths[path] += n
	}
	if all.count <= result.WarmUp {
		return
	}
	added := max((took - v.store).Microseconds(), 1)
	_ = all.added.RecordValue(min(added, all.added.HighestTrackableValue()))
}

// visitsOf returns the visits of a kind. m.mu must be held.
func (m *Meter) visitsOf(kind string) *visits {
	if m.visits == nil {
		m.visits = map[string]*visits{}
	}
	if m.visits[kind] == nil {
		m.visits[kind] = &visits{added: result.NewHistogram(3), paths: map[string]int{}}
	}
	return m.visits[kind]
}

// AddTo adds the measurements of each kind of request to a report.
func (m *Meter) AddTo(r *result.Report) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := result.NewHistogram(3)
	for i := range r.Kinds {
		k := &r.Kinds[i]
		v := m.visits[k.Request]
		if v == nil {
			continue
		}
		k.Metered, k.ReadUnits, k.WriteUnits, k.RequestUnits = v.count, v.reads, v.writes, v.requestUnits
		k.Calls = v.calls(m.prefix)
		if v.added.TotalCount() > 0 {
			added := result.LatencyOf(v.added)
			k.Added = &added
			all.Merge(v.added)
		}
	}
	if all.TotalCount() > 0 {
		added := result.LatencyOf(all)
		r.Added = &added
	}
}

// calls returns the access paths of a kind of request in order, without the prefix of table names.
func (v *visits) calls(prefix string) []result.Call {
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
