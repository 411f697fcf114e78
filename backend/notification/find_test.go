package notification

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"
)

// enqueueAll writes n events of a user, which are pending or claimed.
func (w *world) enqueueAll(user UserID, status Status, n int) {
	w.t.Helper()
	for i := range n {
		e := Event{ID: ID(fmt.Sprint(user, i)), UserID: user, EventType: SafetyAccountWarning, Category: Safety,
			Status: Pending, CreatedAt: w.service.now()}
		if status == Processing {
			e, _ = e.withClaim(w.db.Now())
		}
		if err := w.service.store.enqueue(w.t.Context(), e); err != nil {
			w.t.Fatal(err)
		}
	}
}

// TestBacklogsDelayNobody checks that a round finds the events of all users and of both kinds, although the first ones
// that the queries return are the backlogs of a few users.
func TestBacklogsDelayNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.enqueueAll("dead", Processing, MaxEventsPerRound+50) // their worker has died
	w.enqueueAll("late", Processing, 1)
	w.advance(leaseDuration)
	w.enqueueAll("first", Pending, MaxEventsPerRound+50)
	w.enqueueAll("second", Pending, MaxEventsPerRound+50)
	id := w.enqueue(likeEvent("ana", "p1"))
	found, err := w.service.findWork(t.Context())
	if err != nil || len(found) != MaxEventsPerRound {
		t.Fatalf("%d events, %v", len(found), err)
	}
	users := map[UserID]int{}
	for _, e := range found {
		users[e.value.UserID]++
	}
	for user, least := range map[UserID]int{"ana": 1, "late": 1, "dead": 10, "first": 10, "second": 10} {
		if users[user] < least {
			t.Errorf("%d events of %s, want at least %d", users[user], user, least)
		}
	}
	if did := w.work(); did.Claimed != MaxEventsPerRound || !did.More || !w.event(id).Final() {
		t.Errorf("%+v, and ana's event is %s", did, w.event(id).Status)
	}
}

// TestEveryUserHasABacklog checks that the number of queries is limited, and that users have equal shares.
func TestEveryUserHasABacklog(t *testing.T) {
	t.Parallel()
	queries := 0
	found, err := findFairly(func(except []UserID) ([]stored[Event], error) {
		queries++
		page := make([]stored[Event], MaxEventsPerRound)
		for i := range page {
			page[i].value.UserID = UserID(fmt.Sprint("user", len(except)))
		}
		return page, nil
	})
	users := map[UserID]int{}
	for _, e := range found {
		users[e.value.UserID]++
	}
	if err != nil || queries != 10 || len(users) != 10 || users["user0"] != 10 || len(found) != MaxEventsPerRound {
		t.Errorf("%d queries, %v, %v", queries, users, err)
	}
}

// TestUsersTakeTurns checks that the second event of a user is processed after the first one of the others.
func TestUsersTakeTurns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.disableQuietHours()
	for i := range 3 {
		w.enqueue(likeEvent("ana", fmt.Sprint("p", i)))
		w.advance(time.Millisecond)
	}
	w.enqueue(likeEvent("bob", "p"))
	events, err := w.service.findWork(t.Context())
	if err != nil || len(events) != 4 {
		t.Fatal(len(events), err)
	}
	anas := slices.DeleteFunc(slices.Clone(events), func(e stored[Event]) bool { return e.value.UserID != "ana" })
	bobs := slices.DeleteFunc(events, func(e stored[Event]) bool { return e.value.UserID != "bob" })
	var users []string // whose events are written
	w.transport.setFault(func(r *http.Request, _ string) injectedFault {
		if r.Method == http.MethodPut {
			users = append(users, r.Header.Get("x-ms-documentdb-partitionkey"))
		}
		return injectedFault{}
	})
	queue := make(chan []stored[Event], 2)
	queue <- anas
	queue <- bobs
	did := w.service.processUsers(t.Context(), queue, w.service.newRoundDeadline())
	if got := slices.Compact(users); did.Completed != 4 || !slices.Equal(got, []string{`["ana"]`, `["bob"]`, `["ana"]`}) {
		t.Errorf("%+v, in the order %v", did, got)
	}
}
