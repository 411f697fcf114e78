package throughput

import (
	"sync"
	"time"
)

// minutesKept is for how long the load of a partition is kept: three hours.
const minutesKept = 180

// Load is what a physical partition did, minute by minute. The zero load is empty.
type Load struct {
	mu      sync.Mutex
	minutes []minute // the oldest first; those without a request are left out
}

// minute is one minute of a partition.
type minute struct {
	At         int64 // its first second, since 1970
	Units      float64
	Normalized float64 // the highest of its seconds: which part of the rate was used, at most 1
	requests   int
	Throttled  int
}

// Note counts a request of a number of request units.
func (l *Load) Note(now time.Time, units, normalized float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.minute(now)
	m.Units += units
	m.requests++
	m.Normalized = max(m.Normalized, min(1, normalized))
}

// Refuse counts a request that was refused.
func (l *Load) Refuse(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.minute(now)
	m.Throttled++
	m.Normalized = 1
}

// minute is the minute of a time, a new one where it is the first of it.
func (l *Load) minute(now time.Time) *minute {
	at := now.Unix() / 60 * 60
	if n := len(l.minutes); n > 0 && l.minutes[n-1].At >= at {
		return &l.minutes[n-1]
	}
	if len(l.minutes) == minutesKept {
		l.minutes = append(l.minutes[:0], l.minutes[1:]...)
	}
	l.minutes = append(l.minutes, minute{At: at})
	return &l.minutes[len(l.minutes)-1]
}

// All are the minutes that are kept.
func (l *Load) All() []minute {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]minute(nil), l.minutes...)
}
