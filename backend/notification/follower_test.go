package notification

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

func (w *world) follow(f *Follower) WorkResult {
	w.t.Helper()
	did, err := f.Round(w.t.Context())
	if err != nil {
		w.t.Fatalf("%v\n%s", err, w.log)
	}
	return did
}

// TestChangeFeedFindsEvents checks that new events are found without a cross-partition query, and that the periodic
// query finds what no change announces (NT-D3).
func TestChangeFeedFindsEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := NewFollower(w.service)
	w.follow(f) // creates the ranges and runs the first periodic query
	w.transport.setFault(nil)
	id := w.enqueue(likeEvent("ana", "p1")) // at 10:30 UTC there are no quiet hours
	if did := w.follow(f); did.Completed != 1 || did.RU <= 0 {
		t.Errorf("%+v\n%s", did, w.log)
	}
	for _, q := range w.transport.recorded() {
		if strings.Contains(q.body, "c.status =") {
			t.Errorf("asked by %s", q.body)
		}
	}
	if did := w.follow(f); did.Found != 0 {
		t.Errorf("its own changes: %+v", did)
	}
	if e := w.event(id); e.Status != Completed || len(w.list()) != 1 {
		t.Errorf("%+v", e)
	}
	w.advance(12 * time.Hour)
	w.enqueue(likeEvent("ana", "p2"))
	if did := w.follow(f); did.Waiting != 1 {
		t.Errorf("in the night: %+v", did)
	}
	w.advance(9 * time.Hour)
	if did := w.follow(f); did.Completed != 1 {
		t.Errorf("after the quiet, by the sweep: %+v", did)
	}
}

// TestRangesAreLeased checks that one follower at a time holds a range, and that another one continues where a dead one
// stopped.
func TestRangesAreLeased(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second := NewFollower(w.service), NewFollower(w.newService())
	w.follow(first)
	w.follow(second)
	w.enqueue(likeEvent("ana", "p1"))
	if did := w.follow(second); did.Found != 0 {
		t.Errorf("the second took what is the first's: %+v", did)
	}
	w.advance(feedLeaseDuration) // the first one is dead
	second.lastSweep = w.db.Now()
	if did := w.follow(second); did.Completed != 1 {
		t.Errorf("after the lease: %+v", did)
	}
	w.enqueue(likeEvent("ana", "p2"))
	first.lastSweep = w.db.Now()
	if did := w.follow(first); did.Found != 0 {
		t.Errorf("the first is back: %+v", did)
	}
	if did := w.follow(second); did.Completed != 1 {
		t.Errorf("the second goes on: %+v", did)
	}
}

// splitEvents splits the partitions of the container of events.
func (w *world) splitEvents() {
	w.t.Helper()
	container, err := w.config.Client.NewContainer(Database, EventsContainer)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := container.ReplaceThroughput(w.t.Context(), azcosmos.NewManualThroughputProperties(30_000),
		nil); err != nil {
		w.t.Fatal(err)
	}
}

// TestFollowersSurviveASplit checks that no event is lost when the container's partitions split.
func TestFollowersSurviveASplit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := NewFollower(w.service)
	for i := range 5 {
		w.enqueue(likeEvent(fmt.Sprint("user", i), "p"))
	}
	if did := w.follow(f); did.Completed != 5 {
		t.Errorf("before: %+v", did)
	}
	w.splitEvents()
	for i := range 20 {
		w.enqueue(likeEvent(fmt.Sprint("user", i), "q"))
	}
	f.lastSweep = w.db.Now()
	if did := w.follow(f); did.Completed != 20 {
		t.Errorf("after the split: %+v\n%s", did, w.log)
	}
}

// TestFailingRangeStopsNoOther checks that a range of the change feed that cannot be read stops neither the other
// ranges nor the periodic query, which finds its events (NT-D3).
func TestFailingRangeStopsNoOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.splitEvents()
	for i := range 20 {
		w.enqueue(likeEvent(fmt.Sprint("user", i), "p"))
	}
	failing := ""
	w.transport.setFault(func(r *http.Request, _ string) injectedFault { // one call at a time
		id := r.Header.Get("x-ms-documentdb-partitionkeyrangeid")
		if r.Header.Get("A-IM") == "" || !strings.HasSuffix(r.URL.Path, "/docs") || failing != "" && id != failing {
			return injectedFault{}
		}
		failing = id
		return injectedFault{status: http.StatusBadRequest}
	})
	f := NewFollower(w.service)
	f.lastSweep = w.db.Now()
	others, err := f.Round(t.Context())
	if err == nil || others.Completed == 0 || others.Completed == 20 {
		t.Errorf("%+v, %v", others, err)
	}
	w.advance(sweepInterval)
	if rest, err := f.Round(t.Context()); err == nil || others.Completed+rest.Completed != 20 {
		t.Errorf("%+v, then %+v, %v", others, rest, err)
	}
}

// TestForeignDocumentsAreSkipped checks that documents that are no events, which another program wrote, are logged and
// skipped by the worker and by the change feed, even if they fill its pages.
func TestForeignDocumentsAreSkipped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := NewFollower(w.service)
	w.follow(f) // creates the ranges and runs the first periodic query
	container, err := w.config.Client.NewContainer(Database, EventsContainer)
	if err != nil {
		t.Fatal(err)
	}
	for i := range feedPageSize {
		text := fmt.Sprintf(`{"id":"foreign-%d","userId":"ana","status":"PENDING","createdAt":5}`, i)
		if _, err := container.UpsertItem(t.Context(), azcosmos.NewPartitionKeyString("ana"), []byte(text),
			nil); err != nil {
			t.Fatal(err)
		}
	}
	id := w.enqueue(likeEvent("ana", "p1"))
	if did := w.work(); did.Completed != 1 || w.event(id).Status != Completed {
		t.Errorf("by the query: %+v\n%s", did, w.log)
	}
	id = w.enqueue(likeEvent("ana", "p2"))
	if did := w.follow(f); did.Completed != 1 || w.event(id).Status != Completed {
		t.Errorf("by the change feed: %+v\n%s", did, w.log)
	}
	if text := w.log.String(); !strings.Contains(text, `"container":"notification_events","id":"foreign-7"`) {
		t.Errorf("not logged:\n%s", text)
	}
}

// TestFollowerCrashAtAnyRequest cuts the connection at each request of a round: in the end each event was notified
// once.
func TestFollowerCrashAtAnyRequest(t *testing.T) {
	t.Parallel()
	for at := 0; ; at++ {
		w := newWorld(t)
		w.follow(NewFollower(w.service))
		w.enqueue(with(likeEvent("ana", "p1"), "dedupeKey", "k"))
		w.advance(feedLeaseDuration)
		var mu sync.Mutex
		requests := 0
		w.transport.setFault(func(*http.Request, string) injectedFault {
			mu.Lock()
			defer mu.Unlock()
			requests++
			return injectedFault{lostRequest: requests > at}
		})
		dying := NewFollower(w.service)
		dying.lastSweep = w.db.Now()
		_, err := dying.Round(t.Context())
		w.transport.setFault(nil)
		mu.Lock()
		done := requests <= at
		mu.Unlock()
		for range 4 {
			w.advance(leaseDuration)
			w.follow(NewFollower(w.service))
		}
		if len(w.list()) != 1 {
			t.Fatalf("crash at request %d: %d notifications\n%s", at, len(w.list()), w.log)
		}
		if done && err == nil {
			return
		}
	}
}

// TestConcurrentFollowersAndWorkers checks that followers and workers together process each event once.
func TestConcurrentFollowersAndWorkers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.disableQuietHours()
	w.register("phone")
	var all sync.WaitGroup
	for i := range 3 {
		f := NewFollower(w.newService())
		all.Go(func() {
			for range 4 {
				if _, err := f.Round(context.Background()); err != nil {
					t.Error(err)
				}
			}
		})
		all.Go(func() { w.admin("POST", "/events", likeEvent("ana", fmt.Sprint(i))) })
	}
	all.Wait()
	w.workers(2)
	if len(w.push.messages()) != 3 || len(w.list()) != 3 {
		t.Errorf("%d pushes, %d notifications\n%s", len(w.push.messages()), len(w.list()), w.log)
	}
}
