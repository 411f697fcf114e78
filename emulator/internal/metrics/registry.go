package metrics

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
)

// maxSeries limits the series of a registry. Beyond it, those without observations for the longest time are dropped.
const maxSeries = 20_000

// Registry holds the series and gauges of an emulator. It is safe for concurrent use.
type Registry struct {
	clock    *clock.Clock
	refresh  atomic.Pointer[func()] // updates the gauges
	notifier changeNotifier
	tables   atomic.Pointer[tables] // as of the last refresh; nil: unknown

	mu     sync.RWMutex
	series map[string]*metric
	// forgotten counts how often series were dropped: a holder of one must look it up again.
	forgotten atomic.Uint64
}

// metric is the registry's entry for one ID: a series for each unit, or a gauge.
type metric struct {
	id     ID
	series []*Series
	gauge  *Gauge
}

// New returns an empty registry on an emulator's clock.
func New(c *clock.Clock) *Registry {
	return &Registry{clock: c, series: map[string]*metric{}}
}

// OnRead sets the function that updates the gauges before they are read.
func (r *Registry) OnRead(refresh func()) { r.refresh.Store(&refresh) }

// changeNotifier calls a function when a metric has a new latest point or setting. A nil one calls nothing.
type changeNotifier struct{ fn atomic.Pointer[func(ID)] }

func (n *changeNotifier) notify(id ID) {
	if n == nil {
		return
	}
	if fn := n.fn.Load(); fn != nil {
		(*fn)(id)
	}
}

// OnChange makes fn be called with the ID of each metric that has a new latest point or another setting. fn must not
// use the registry, and must be fast. Nil ends the calls.
func (r *Registry) OnChange(fn func(ID)) {
	if fn == nil {
		r.notifier.fn.Store(nil)
		return
	}
	r.notifier.fn.Store(&fn)
}

func (r *Registry) refreshGauges() {
	if refresh := r.refresh.Load(); refresh != nil {
		(*refresh)()
	}
}

// Series returns the series of a metric and unit, creating it if needed.
func (r *Registry) Series(id ID, unit string) *Series { return r.seriesOf(id, unit, 60) }

// HighResolution is Series with a point for each second.
func (r *Registry) HighResolution(id ID, unit string) *Series { return r.seriesOf(id, unit, 1) }

func (r *Registry) seriesOf(id ID, unit string, resolution int64) *Series {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.metric(id)
	for _, s := range m.series {
		if s.unit == unit && s.resolution == resolution {
			return s
		}
	}
	s := newSeries(m.id, unit, resolution, &r.notifier)
	m.series = append(m.series, s)
	return s
}

// Gauge returns the gauge of a metric, creating it if needed.
func (r *Registry) Gauge(id ID, unit string) *Gauge {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.metric(id)
	if m.gauge == nil {
		m.gauge = &Gauge{id: m.id, unit: unit, notifier: &r.notifier}
	}
	return m.gauge
}

// metric returns the metric of an ID. r.mu must be held.
func (r *Registry) metric(id ID) *metric {
	key := id.key()
	m, ok := r.series[key]
	if !ok {
		if len(r.series) >= maxSeries {
			r.evict()
		}
		m = &metric{id: id}
		r.series[key] = m
	}
	return m
}

// evict drops the quarter of the series that had no observations for the longest time. r.mu must be held.
func (r *Registry) evict() {
	now := r.clock.Now().Unix()
	all := slices.SortedFunc(maps.Values(r.series), func(a, b *metric) int { return int(a.last(now) - b.last(now)) })
	for _, m := range all[:len(all)/4] {
		delete(r.series, m.id.key())
	}
	r.forgotten.Add(1)
}

// maxDeleted limits the metrics of deleted tables and indexes that a registry keeps, of about 100 tables.
const maxDeleted = 2000

// evictDeleted drops the metrics of deleted tables and indexes that had no observations for the longest time, if there
// are more than maxDeleted, and then half of them.
func (r *Registry) evictDeleted(there *tables) {
	now := r.clock.Now().Unix()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.series) <= maxDeleted {
		return
	}
	var deleted []*metric
	for _, m := range r.series {
		if m.id.Namespace == Namespace && !there.has(m.id) {
			deleted = append(deleted, m)
		}
	}
	if len(deleted) <= maxDeleted {
		return
	}
	slices.SortFunc(deleted, func(a, b *metric) int { return cmp.Compare(a.last(now), b.last(now)) })
	for _, m := range deleted[:len(deleted)-maxDeleted/2] {
		delete(r.series, m.id.key())
	}
	r.forgotten.Add(1)
}

// Forget drops everything.
func (r *Registry) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.series)
	r.forgotten.Add(1)
}

// last returns the second of the newest observation; for a setting in force, now. The registry's lock must be held.
func (m *metric) last(now int64) int64 {
	var last int64
	for _, s := range m.series {
		last = max(last, s.last())
	}
	if m.gauge != nil {
		last = max(last, m.gauge.last(now))
	}
	return last
}

// Points returns the observations of a metric in [from, to) by period, counted from from, in order of time. A unit that
// is not empty excludes other units. unitSeen is the unit that was found.
func (r *Registry) Points(id ID, unit string, from, to time.Time, period time.Duration) (points []Point,
	unitSeen string) {
	r.refreshGauges()
	r.mu.RLock()
	m := r.series[id.key()]
	var series []*Series
	var g *Gauge
	if m != nil {
		series, g = slices.Clone(m.series), m.gauge
	}
	r.mu.RUnlock()
	if m == nil {
		return nil, ""
	}
	found := map[int64]*Point{}
	for _, s := range series {
		if unit == "" || unit == s.unit {
			s.points(found, from.Unix(), to.Unix(), int64(period/time.Second))
			unitSeen = s.unit
		}
	}
	if g != nil && (unit == "" || unit == g.unit) {
		g.points(found, from.Unix(), to.Unix(), int64(period/time.Second), r.clock.Now().Unix())
		unitSeen = g.unit
	}
	for _, at := range slices.Sorted(maps.Keys(found)) {
		points = append(points, *found[at])
	}
	return points, unitSeen
}

// Last returns the time of a metric's newest observation, or 1970 for an unknown metric.
func (r *Registry) Last(id ID) time.Time {
	key := id.key()
	r.mu.RLock()
	defer r.mu.RUnlock()
	m, ok := r.series[key]
	if !ok {
		return time.Unix(0, 0)
	}
	return time.Unix(m.last(r.clock.Now().Unix()), 0)
}

// Since returns the second of a metric's newest point, or of the latest change of its setting, or 0 if it has neither;
// and whether a setting has been in force since then.
func (r *Registry) Since(id ID) (second int64, inForce bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	m, ok := r.series[id.key()]
	if !ok {
		return 0, false
	}
	for _, s := range m.series {
		second = max(second, s.last())
	}
	if m.gauge != nil {
		at, set := m.gauge.since()
		second, inForce = max(second, at), set
	}
	return second, inForce
}

// List returns the IDs for which match is true, in order. match gets the time of the newest observation and must not
// use the registry.
func (r *Registry) List(match func(id ID, last time.Time) bool) []ID {
	r.refreshGauges()
	now := r.clock.Now().Unix()
	r.mu.RLock()
	defer r.mu.RUnlock()
	var ids []ID
	for _, m := range r.series {
		if match(m.id, time.Unix(m.last(now), 0)) {
			ids = append(ids, m.id)
		}
	}
	slices.SortFunc(ids, compareIDs)
	return ids
}
