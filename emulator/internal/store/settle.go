package store

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// jobs counts what Pebble does in the background: flushes of memtables, and compactions.
type jobs struct {
	mu   sync.Mutex
	n    int
	room chan struct{} // closed when they leave room for others again; nil: nobody waits for that
}

// mostJobs is how many jobs leave a processor to others, besides one for whoever copies much.
var mostJobs = max(0, runtime.GOMAXPROCS(0)-2)

// count is told of the beginning of a job with 1, and of its end with -1.
func (j *jobs) count(n int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.n += n; j.n <= mostJobs && j.room != nil {
		close(j.room)
		j.room = nil
	}
}

// leaveRoom returns a channel that is closed when the jobs leave room for others; nil: they do now.
func (j *jobs) leaveRoom() <-chan struct{} {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.n <= mostJobs {
		return nil
	}
	if j.room == nil {
		j.room = make(chan struct{})
	}
	return j.room
}

// listen adds a count of the jobs to what hears from Pebble.
func (j *jobs) listen(l *pebble.EventListener) *pebble.EventListener {
	l.FlushBegin = func(pebble.FlushInfo) { j.count(1) }
	l.FlushEnd = func(pebble.FlushInfo) { j.count(-1) }
	l.CompactionBegin = func(pebble.CompactionInfo) { j.count(1) }
	l.CompactionEnd = func(pebble.CompactionInfo) { j.count(-1) }
	return l
}

// settleFor is how long Settle waits at most.
const settleFor = 200 * time.Millisecond

// Settle waits while Pebble puts in order what was written, where that and the caller's own work would leave no
// processor to anybody else: 200 ms at most, and no longer than ctx. Who copies much calls it between two updates, with
// nothing held.
func (s *Store) Settle(ctx context.Context) {
	room := s.condition.jobs.leaveRoom()
	if room == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, settleFor)
	defer cancel()
	select {
	case <-room:
	case <-ctx.Done():
	}
}
