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

// KindHeader tells a backend that a Meter watches which kind of request of the mix it answers.
const KindHeader = "Tabletop-Load-Request"

// visit is one request in the backend: how long it had a call of the database under way, and what these were charged.
type visit struct {
	mu            sync.Mutex
	calls         int // under way
	since         time.Time
	store         time.Duration // with at least one call under way
	reads, writes float64
	requestUnits  float64        // of Cosmos DB
	paths         map[string]int // how its calls of the database reach their items
}

type visitKey struct{}

// Watch returns a handler that tells the meter what each request of an attack costs: units, and the time that the
// handler adds to that of its calls of the database. Put it around the backend whose client the meter is attached to.
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

// visitOf is the visit that a call of the database belongs to, or nil.
func visitOf(ctx context.Context) *visit {
	v, _ := ctx.Value(visitKey{}).(*visit)
	return v
}

// begin notes that a call of the database begins; it returns what notes its end.
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

// pass notes the access path of a call's input.
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

// charge notes units that a call took.
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

// take notes request units.
func (v *visit) take(units float64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.requestUnits += units
}

// visits are all visits of one kind of request.
type visits struct {
	count         int64
	reads, writes float64
	requestUnits  float64
	paths         map[string]int
	added         *hdrhistogram.Histogram // microseconds
}

// leave takes in a visit that is over.
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

// visitsOf finds the visits of a kind; the meter is locked.
func (m *Meter) visitsOf(kind string) *visits {
	if m.visits == nil {
		m.visits = map[string]*visits{}
	}
	if m.visits[kind] == nil {
		m.visits[kind] = &visits{added: result.NewHistogram(3), paths: map[string]int{}}
	}
	return m.visits[kind]
}

// AddTo puts what was measured of each kind of request into a report.
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

// calls are the access paths of a kind of request, in their order, without what begins the names of tables.
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
