package notification

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/webtest"
	"github.com/tabletop-db/tabletop/emulator"
)

// TestExplore enqueues an event, its duplicate and another one, runs two workers, reads the notifications and deletes a
// user, while one request or another to the database fails. It checks that each event has one notification, unless it
// is a duplicate, and one push to each device, that what is read stays read, and that a deletion leaves nothing (NT-P1,
// NT-P5, NT-P6, NT-P8, NT-R1, NT-R3, NT-R8, NT-R10).
func TestExplore(t *testing.T) {
	t.Parallel()
	emulator.Explore(t, func(t *testing.T, e *emulator.Emulator) {
		w := newWorldOn(t, e)
		w.config.DedupeWindow = 6 * time.Hour // longer than what may pass
		w.repeat("ana", "PUT", "/preferences", object{"quietHours": make([]bool, 24)})
		for _, id := range []string{"phone", "tablet"} {
			w.repeat("ana", "POST", "/devices", newDevice(id))
		}
		w.enqueues(with(likeEvent("ana", "p1"), "dedupeKey", "like:p1"), with(likeEvent("ana", "p1"), "dedupeKey", "like:p1"),
			likeEvent("ana", "p2"))
		for range 4 { // a later round finishes what an earlier one could not
			w.advance(10 * time.Minute)
			for range 2 { // two workers at the same moment
				_, _ = w.newService().Work(t.Context())
			}
		}
		var pushed []string
		for _, m := range w.push.messages() {
			pushed = append(pushed, m.To+" "+m.Data["notificationId"])
		}
		ids := w.listed()
		var want []string
		for _, id := range ids {
			want = append(want, "token-phone "+id, "token-tablet "+id)
		}
		slices.Sort(pushed)
		if slices.Sort(want); len(ids) != 2 || !slices.Equal(pushed, want) {
			t.Errorf("notifications %v, pushes %v; want two, each to both devices\n%s", ids, pushed, w.log)
		}
		w.reads(ids)
		w.forgets("eve")
		e.StopExploring()
		dbtest.CheckInvariants(t, Invariants(), dbtest.Databases{Cosmos: w.config.Client})
	}, emulator.ExploreRuns(100), emulator.ExploreFor(0), emulator.ExploreWith(dbtest.CosmosOptions()...))
}

// enqueues enqueues events, each with an Idempotency-Key of its own.
func (w *world) enqueues(events ...object) {
	w.t.Helper()
	for i, e := range events {
		header := http.Header{"Authorization": {"Bearer " + adminToken}, "Idempotency-Key": {fmt.Sprint("event-", i)}}
		w.untilDone(func() webtest.Response {
			return webtest.Call(w.t, w.server, header, "POST", "/notification/events", e)
		})
	}
}

// listed returns the ids of ana's notifications, sorted.
func (w *world) listed() (ids []string) {
	w.t.Helper()
	for cursor, more := "", true; more; {
		page := w.repeat("ana", "GET", "/notifications?limit=9"+cursor, nil)
		for _, n := range page.Body["notifications"].([]any) {
			ids = append(ids, n.(object)["id"].(string))
		}
		cursor, more = "&cursor="+page.Text("cursor"), page.Text("cursor") != ""
	}
	slices.Sort(ids)
	return ids
}

// reads marks a notification as read, then all of them, and checks how many are unread after each.
func (w *world) reads(ids []string) {
	w.t.Helper()
	for i, path := range []string{"/notifications/" + ids[0] + "/read", "/notifications/read"} {
		w.repeat("ana", "POST", path, nil)
		w.advance(time.Minute)
		if got := w.repeat("ana", "GET", "/notifications/unread", nil).Body["unread"]; got != float64(1-i) {
			w.t.Errorf("%v are unread, want %d", got, 1-i)
		}
	}
}

// forgets registers a device of a user, deletes the user, and checks that nothing is left.
func (w *world) forgets(user string) {
	w.t.Helper()
	w.repeat(user, "POST", "/devices", newDevice("phone"))
	w.untilDone(func() webtest.Response { return w.admin("DELETE", "/users/"+user, nil) })
	w.advance(time.Minute)
	if got := w.repeat(user, "GET", "/devices", nil).Body["devices"].([]any); len(got) > 0 {
		w.t.Errorf("of a deleted user, these are left: %v", got)
	}
}

// repeat sends a request of a user until it is done.
func (w *world) repeat(user, method, path string, body any) webtest.Response {
	w.t.Helper()
	return w.untilDone(func() webtest.Response { return w.as(user, method, path, body) })
}

// untilDone sends a request, and again while it fails for a passing reason, once more than there are mishaps, as the
// apps do.
func (w *world) untilDone(send func() webtest.Response) webtest.Response {
	w.t.Helper()
	var got webtest.Response
	for range 4 {
		got = send()
		if got.Status != http.StatusServiceUnavailable && got.Status != http.StatusTooManyRequests {
			break
		}
	}
	if got.Status/100 != 2 {
		w.t.Fatalf("status %d: %s\n%s", got.Status, got.Raw, w.log)
	}
	return got
}
