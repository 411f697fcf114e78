package store

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// Settle waits until enough background jobs end, and no longer than its own context.
func TestSettleWaitsForAFreeProcessor(t *testing.T) {
	t.Parallel()
	s := mustOpenMemory(t)
	jobs := &s.condition.jobs
	await.Return(t, "settling without jobs", func() { s.Settle(t.Context()) })
	for range maxJobs + 1 {
		jobs.count(1)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	await.Return(t, "settling for a client that has left", func() { s.Settle(left) })
	room := jobs.waitFree()
	select {
	case <-room:
		t.Fatal("there is room before a job has ended")
	default:
	}
	jobs.count(-1)
	await.Return(t, "the wait for room", func() { <-room })
	if jobs.waitFree() != nil {
		t.Error("there is no room after a job has ended")
	}
}

// Each flush and compaction that begins is counted until it ends: Settle waits for the running ones, and not forever.
func TestJobsAreCountedOut(t *testing.T) {
	t.Parallel()
	s := mustOpenMemory(t)
	jobs := &s.condition.jobs
	seen := false
	for i := range 64 {
		value := bytes.Repeat([]byte{byte(i)}, 1<<20)
		set(t, s, fmt.Sprint("key ", i%8), string(value))
		seen = seen || jobs.running() > 0
	}
	if !seen {
		t.Error("64 MB were written and nothing was flushed")
	}
	await.True(t, "all jobs have ended", func() bool { return jobs.running() == 0 })
}

func (j *jobs) running() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.n
}
