package metrics

import (
	"sort"
	"sync"
)

// How many points a series keeps: by minute (in high resolution by second), then by five minutes, then by hour. There
// is a point only for a period with observations.
const (
	maxMinutes     = 180
	maxSeconds     = 3600
	maxFiveMinutes = 3 * 24 * 12
	maxHours       = 15 * 24

	fiveMinutes = 300
	hour        = 3600
)

// Series is one metric with its dimensions and unit. It is safe for concurrent use.
type Series struct {
	id         ID
	unit       string
	resolution int64 // seconds of a point: 60, or 1
	notifier   *changeNotifier

	mu     sync.Mutex
	now    Point // the newest period; Count 0 before the first observation
	levels [3]level
	total  Point // everything before now since the process started
}

// level is points of one length in order of time.
type level struct {
	period int64
	limit  int
	points []Point
}

func newSeries(id ID, unit string, resolution int64, n *changeNotifier) *Series {
	kept := maxMinutes
	if resolution == 1 {
		kept = maxSeconds
	}
	return &Series{id: id, unit: unit, resolution: resolution, notifier: n, levels: [3]level{
		{period: resolution, limit: kept},
		{period: fiveMinutes, limit: maxFiveMinutes},
		{period: hour, limit: maxHours},
	}}
}

// Unit returns CloudWatch's unit of the series' values.
func (s *Series) Unit() string { return s.unit }

// Observe adds one value, observed at a second since 1970.
func (s *Series) Observe(at int64, v float64) { s.ObserveN(at, v, 1) }

// ObserveN adds n observations of one value.
func (s *Series) ObserveN(at int64, v, n float64) {
	s.mu.Lock()
	latest := s.latest()
	p, late := s.pointOf(at)
	p.add(v, n)
	if late {
		s.total.add(v, n)
	}
	isNew := s.latest() != latest
	s.mu.Unlock()
	if isNew {
		s.notifier.notify(s.id)
	}
}

// ObserveSet adds count observations of which only their sum and range are known.
func (s *Series) ObserveSet(at int64, count, sum, low, high float64) {
	seen := set(count, sum, low, high)
	s.mu.Lock()
	latest := s.latest()
	p, late := s.pointOf(at)
	p.merge(&seen)
	if late {
		s.total.merge(&seen)
	}
	isNew := s.latest() != latest
	s.mu.Unlock()
	if isNew {
		s.notifier.notify(s.id)
	}
}

// latest returns the second of the newest point, or -1 before the first. s.mu must be held.
func (s *Series) latest() int64 {
	if s.now.Count == 0 {
		return -1
	}
	return s.now.At
}

// pointOf returns the point of a second: nearly always the newest one, otherwise the observation is late.
func (s *Series) pointOf(at int64) (p *Point, late bool) {
	at -= at % s.resolution
	switch {
	case s.now.Count == 0:
	case at == s.now.At:
		return &s.now, false
	case at < s.now.At:
		s.makeRoom()
		return s.levels[0].at(at), true
	default:
		s.total.merge(&s.now)
		s.makeRoom()
		s.levels[0].points = append(s.levels[0].points, s.now.copied())
	}
	s.now = Point{At: at, bins: s.now.bins[:0]}
	return &s.now, false
}

// makeRoom moves the oldest points of a full level to the next coarser one; those of the last level are dropped.
func (s *Series) makeRoom() {
	for i := range s.levels {
		l := &s.levels[i]
		if len(l.points) < l.limit {
			return
		}
		moved := l.points[:l.limit/4]
		if i+1 < len(s.levels) {
			s.levels[i+1].merge(moved)
		}
		l.points = l.points[:copy(l.points, l.points[len(moved):])]
	}
}

// merge merges finer points into the level.
func (l *level) merge(points []Point) {
	for i := range points {
		l.at(points[i].At - points[i].At%l.period).merge(&points[i])
	}
}

// at returns the point of a time, creating it if needed.
func (l *level) at(at int64) *Point {
	i := sort.Search(len(l.points), func(i int) bool { return l.points[i].At >= at })
	if i == len(l.points) || l.points[i].At != at {
		l.points = append(l.points, Point{})
		copy(l.points[i+1:], l.points[i:])
		l.points[i] = Point{At: at}
	}
	return &l.points[i]
}

// points adds to dst the observations in [from, to) by period, counted from from. A period without observations has no
// point.
func (s *Series) points(dst map[int64]*Point, from, to, period int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.levels {
		points := s.levels[i].points
		first := sort.Search(len(points), func(i int) bool { return points[i].At >= from })
		for ; first < len(points) && points[first].At < to; first++ {
			mergeInto(dst, from, period, &points[first])
		}
	}
	if s.now.Count > 0 && s.now.At >= from && s.now.At < to {
		mergeInto(dst, from, period, &s.now)
	}
}

func mergeInto(dst map[int64]*Point, from, period int64, p *Point) {
	at := from + (p.At-from)/period*period
	sum, ok := dst[at]
	if !ok {
		sum = &Point{At: at}
		dst[at] = sum
	}
	sum.merge(p)
}

// last returns the second since 1970 of the newest point, or 0 if there is none.
func (s *Series) last() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now.At
}

// lifetime returns all observations since the process started.
func (s *Series) lifetime() Point {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.total.copied()
	all.merge(&s.now)
	return all
}
