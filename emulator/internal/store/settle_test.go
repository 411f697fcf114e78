package store

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

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
// The first flush waits for the disk until it has been counted: otherwise it could begin and end between two counts.
func TestJobsAreCountedOut(t *testing.T) {
	t.Parallel()
	flushing, answers := make(chan struct{}), make(chan struct{})
	begin := sync.OnceFunc(func() { close(flushing) })
	disk := errorfs.Wrap(vfs.NewMem(), errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind == errorfs.OpCreate && strings.HasSuffix(op.Path, ".sst") {
			begin()
			<-answers
		}
		return nil
	}))
	s, err := Open(Options{Dir: "/data", Disk: disk})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := range 64 {
			set(t, s, fmt.Sprint("key ", i%8), string(bytes.Repeat([]byte{byte(i)}, 1<<20)))
		}
	})
	await.Return(t, "the wait for a flush of 64 MB", func() { <-flushing })
	jobs := &s.condition.jobs
	if n := jobs.running(); n == 0 {
		t.Error("no job is counted during a flush")
	}
	close(answers)
	await.Return(t, "the writer", writing.Wait)
	await.True(t, "all jobs have ended", func() bool { return jobs.running() == 0 })
}

func (j *jobs) running() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.n
}
