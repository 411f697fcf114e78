package store

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// jobs counts Pebble's background jobs: flushes of memtables, and compactions.
type jobs struct {
	mu   sync.Mutex
	n    int
	free chan struct{} // closed when a processor is free again; nil: nobody waits for that
}

// maxJobs is how many jobs leave a processor to others, besides one for the caller of Settle. It is read before a
// program can change how many goroutines run at a time.
var maxJobs = max(0, runtime.GOMAXPROCS(0)-2)

// count counts the start of a job with n = 1, and its end with n = -1.
func (j *jobs) count(n int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.n += n; j.n <= maxJobs && j.free != nil {
		close(j.free)
		j.free = nil
	}
}

// waitFree returns a channel that is closed when the jobs leave a processor free, or nil if they do now.
func (j *jobs) waitFree() <-chan struct{} {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.n <= maxJobs {
		return nil
	}
	if j.free == nil {
		j.free = make(chan struct{})
	}
	return j.free
}

// settleFor is the longest wait of Settle.
const settleFor = 200 * time.Millisecond

// Settle waits while Pebble's background jobs and the caller's own work would leave no processor to others, but no
// longer than 200 ms or until ctx is done. Functions that copy much data call it between two updates, without holding a
// lock.
func (s *Store) Settle(ctx context.Context) {
	room := s.condition.jobs.waitFree()
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
