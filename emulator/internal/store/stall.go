package store

import (
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
	// sublevels counts the overlapping tables; nil until the database has opened. It may wait until a manifest is synced.
	sublevels atomic.Pointer[func() int32]
}

// changed notes the end of a flush or a compaction. It waits for nothing: Pebble calls it with its mutexes held.
func (o *overlap) changed() { o.measured.Store(false) }

// measure sets full. It waits as sublevels does, so no writer calls it.
func (o *overlap) measure() {
	if sublevels := o.sublevels.Load(); sublevels != nil && o.measured.CompareAndSwap(false, true) {
		o.full.Store((*sublevels)() >= maxOverlapping)
	}
}

// awaitCompactions waits while the first level is full. In Pebble's own such wait an update would stay for good if no
// compaction can run any more; here it ends with the reason.
func (s *Store) awaitCompactions() error {
	for s.condition.overlap.full.Load() {
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
