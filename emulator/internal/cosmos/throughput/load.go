package throughput

import (
	"sync"
	"time"
)

// retainedMinutes is how long the load of a partition is kept: three hours.
const retainedMinutes = 180

// Load is the load on a physical partition, by minute. The zero value is empty.
type Load struct {
	mu      sync.Mutex
	minutes []minute // oldest first; minutes without requests are left out
}

// minute is one minute of a partition.
type minute struct {
	At         int64 // its first second, in Unix time
	Units      float64
	Normalized float64 // the maximum, over its seconds, of the fraction of the rate that was used; at most 1
	requests   int
	Throttled  int
}

// Record records a request and its charge in request units.
func (l *Load) Record(now time.Time, units, normalized float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.minute(now)
	m.Units += units
	m.requests++
	m.Normalized = max(m.Normalized, min(1, normalized))
}

// RecordThrottled records a throttled request.
func (l *Load) RecordThrottled(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.minute(now)
	m.Throttled++
	m.Normalized = 1
}

// minute returns the minute that contains now, and adds it if it is new.
func (l *Load) minute(now time.Time) *minute {
	at := now.Unix() / 60 * 60
	if n := len(l.minutes); n > 0 && l.minutes[n-1].At >= at {
		return &l.minutes[n-1]
	}
	if len(l.minutes) == retainedMinutes {
		l.minutes = append(l.minutes[:0], l.minutes[1:]...)
	}
	l.minutes = append(l.minutes, minute{At: at})
	return &l.minutes[len(l.minutes)-1]
}

// Minutes returns a copy of the kept minutes.
func (l *Load) Minutes() []minute {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]minute(nil), l.minutes...)
}
