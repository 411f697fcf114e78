package store

import (
	"sync"
	"sync/atomic"
	"time"
)

// maxOverlapping is the number of overlapping tables in the first level at which writers wait for compactions. On a
// developer's machine a slow read is better than such a wait.
const maxOverlapping = 64

// overlap holds whether the first level of a folder's tables is full. It is safe for concurrent use.
type overlap struct {
	full     atomic.Bool
	measured atomic.Bool // no flush or compaction has ended since full was set
	mu       sync.Mutex  // held during a measurement
}

// changed notes the end of a flush or a compaction. It waits for nothing: Pebble calls it with its mutexes held.
func (o *overlap) changed() { o.measured.Store(false) }

// measure reports whether the first level is full. sublevels returns how many of its tables overlap. It does not wait
// for another measurement.
func (o *overlap) measure(sublevels func() int32) bool {
	if !o.measured.Load() && o.mu.TryLock() {
		defer o.mu.Unlock()
		o.measured.Store(true)
		o.full.Store(sublevels() >= maxOverlapping)
	}
	return o.full.Load()
}

// awaitCompactions waits while the first level is full. In Pebble's own such wait an update would stay for good if no
// compaction can run any more; here it ends with the reason.
func (s *Store) awaitCompactions() error {
	sublevels := func() int32 { return pebbleOf(s).Metrics().Levels[0].Sublevels }
	for s.condition.overlap.measure(sublevels) {
		if err := s.checkWritable(); err != nil {
			return err
		}
		select {
		case <-s.condition.failed:
		case <-time.After(grantInterval):
		}
	}
	return nil
}
