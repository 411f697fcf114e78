package notification

import (
	"net/http"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/webtest"
	"github.com/tabletop-db/tabletop/emulator"
)

// TestExplore enqueues an event and its duplicate, and runs the worker, while one request or another to the database
// fails, and checks that there is one notification, and one push to each device (NT-R1, NT-R3).
func TestExplore(t *testing.T) {
	t.Parallel()
	emulator.Explore(t, func(t *testing.T, e *emulator.Emulator) {
		w := newWorldOn(t, e)
		w.repeat(func() webtest.Response {
			return w.ana("PUT", "/preferences", object{"quietHours": make([]bool, 24)})
		})
		for _, id := range []string{"phone", "tablet"} {
			w.repeat(func() webtest.Response { return w.ana("POST", "/devices", newDevice(id)) })
		}
		for range 2 {
			w.repeat(func() webtest.Response {
				return w.admin("POST", "/events", with(likeEvent("ana", "p1"), "dedupeKey", "like:p1"))
			})
		}
		for range 4 { // a later round finishes what an earlier one could not
			w.advance(10 * time.Minute)
			_, _ = w.service.Work(t.Context())
		}
		got := w.repeat(func() webtest.Response { return w.ana("GET", "/notifications?limit=9", nil) })
		if n := len(got.Body["notifications"].([]any)); n != 1 || len(w.push.messages()) != 2 {
			t.Errorf("%d notifications and %d pushes, want one, to two devices\n%s", n, len(w.push.messages()), w.log)
		}
	}, emulator.ExploreRuns(200), emulator.ExploreFor(0), emulator.ExploreWith(dbtest.CosmosOptions()...))
}

// repeat sends a request again while it fails for a passing reason, at most three times, as the apps do.
func (w *world) repeat(send func() webtest.Response) webtest.Response {
	w.t.Helper()
	var got webtest.Response
	for range 3 {
		got = send()
		if got.Status < http.StatusInternalServerError && got.Status != http.StatusTooManyRequests {
			break
		}
	}
	if got.Status/100 != 2 {
		w.t.Fatalf("status %d: %s\n%s", got.Status, got.Raw, w.log)
	}
	return got
}
