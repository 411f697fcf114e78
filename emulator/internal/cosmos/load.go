package cosmos

import (
	"sync"
	"time"
)

// minutesKept is for how long the load of a partition is kept: three hours.
const minutesKept = 180

// load is what a physical partition did, minute by minute. The zero load is empty.
type load struct {
	mu      sync.Mutex
	minutes []minute // the oldest first; those without a request are left out
}

// minute is one minute of a partition.
type minute struct {
	at         int64 // its first second, since 1970
	units      float64
	normalized float64 // the highest of its seconds: which part of the rate was used, at most 1
	requests   int
	throttled  int
}

// note counts a request of a number of request units.
func (l *load) note(now time.Time, units, normalized float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.minute(now)
	m.units += units
	m.requests++
	m.normalized = max(m.normalized, min(1, normalized))
}

// refuse counts a request that was refused.
func (l *load) refuse(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.minute(now)
	m.throttled++
	m.normalized = 1
}

// minute is the minute of a time, a new one where it is the first of it.
func (l *load) minute(now time.Time) *minute {
	at := now.Unix() / 60 * 60
	if n := len(l.minutes); n > 0 && l.minutes[n-1].at >= at {
		return &l.minutes[n-1]
	}
	if len(l.minutes) == minutesKept {
		l.minutes = append(l.minutes[:0], l.minutes[1:]...)
	}
	l.minutes = append(l.minutes, minute{at: at})
	return &l.minutes[len(l.minutes)-1]
}

// all are the minutes that are kept.
func (l *load) all() []minute {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]minute(nil), l.minutes...)
}
