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

// TestBacklogsDelayNobody checks that rounds find the events of all users and of both kinds, although the first ones
// that the queries return are the backlogs of a few users: those behind two backlogs in the second round.
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
	for user, least := range map[UserID]int{"late": 1, "dead": 10, "first": 10, "second": 10} {
		if users[user] < least {
			t.Errorf("%d events of %s, want at least %d", users[user], user, least)
		}
	}
	if did := w.work(); did.Claimed != MaxEventsPerRound || !did.More || !w.event(id).Final() {
		t.Errorf("%+v, and ana's event is %s", did, w.event(id).Status)
	}
}

// eventsOf returns events of a user, with ids of their own.
func eventsOf(user UserID, n int) []stored[Event] {
	events := make([]stored[Event], n)
	for i := range events {
		events[i].value.UserID, events[i].value.ID = user, ID(fmt.Sprint(user, i))
	}
	return events
}

// queryOf returns a query of these events and counts its calls.
func queryOf(all []stored[Event], calls *int) func([]UserID) ([]stored[Event], error) {
	return func(except []UserID) ([]stored[Event], error) {
		*calls++
		found := slices.DeleteFunc(slices.Clone(all), func(e stored[Event]) bool {
			return slices.Contains(except, e.value.UserID)
		})
		return found[:min(len(found), MaxEventsPerRound)], nil
	}
}

// TestEventsAreFoundOnce checks that a round contains each event once, although both queries return those of users
// with few events.
func TestEventsAreFoundOnce(t *testing.T) {
	t.Parallel()
	all := slices.Concat(eventsOf("few", 5), eventsOf("many", 200), eventsOf("late", 1))
	var calls int
	found, err := new(fairFinder).find(queryOf(all, &calls))
	ids, users := map[ID]bool{}, map[UserID]int{}
	for _, e := range found {
		ids[e.value.ID] = true
		users[e.value.UserID]++
	}
	if err != nil || len(ids) != len(found) || users["few"] != 5 || users["late"] != 1 || users["many"] != 94 {
		t.Errorf("%d events, %d different, %v, %v", len(found), len(ids), users, err)
	}
}

// TestManyBacklogs checks that each round makes two queries at most, that every user's events are found after as many
// rounds as there are backlogs, and that a user whose backlog has become small is not excluded for good.
func TestManyBacklogs(t *testing.T) {
	t.Parallel()
	const users = 12
	var all []stored[Event]
	for i := range users {
		all = append(all, eventsOf(UserID(fmt.Sprint("user", i)), MaxEventsPerRound)...)
	}
	all = append(all, eventsOf("last", 1)...)
	var finder fairFinder
	findIn := func(rounds int, all []stored[Event]) map[UserID]bool {
		found := map[UserID]bool{}
		for range rounds {
			var calls int
			events, err := finder.find(queryOf(all, &calls))
			if err != nil || calls > 2 || len(events) != MaxEventsPerRound {
				t.Fatalf("%d queries, %d events, %v", calls, len(events), err)
			}
			for _, e := range events {
				found[e.value.UserID] = true
			}
		}
		return found
	}
	if found := findIn(users, all); len(found) != users+1 {
		t.Errorf("found events of %v", found)
	}
	findIn(users/2, all) // excludes user1 again
	if found := findIn(users, slices.Concat(eventsOf("user0", 200), eventsOf("user1", 1))); !found["user1"] {
		t.Errorf("found events of %v", found)
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
