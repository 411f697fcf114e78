package devicetoken

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/emulator"
)

// TestExplore registers, refreshes, deactivates and deletes devices while one request or another to the database fails,
// and checks that a push reaches each active device once and that a deletion leaves nothing (PE-P1 to PE-P6, PE-R7).
func TestExplore(t *testing.T) {
	t.Parallel()
	emulator.Explore(t, func(t *testing.T, e *emulator.Emulator) {
		w := newWorldOn(t, e.AWSConfig())
		ana := w.as("ana")
		for _, id := range []string{"one", "two", "one"} {
			ana.repeat("POST", "/devices", phone(id))
		}
		w.pushes(e, tokenOf("one"), tokenOf("two"))
		ana.repeat("POST", "/devices/two/deactivate", nil)
		w.pushes(e, tokenOf("one"))
		ana.repeat("DELETE", "/devices/one", nil)
		ana.repeat("DELETE", "/devices", nil)
		w.pushes(e)
		if left := len(w.items()); left != 0 {
			t.Errorf("%d items are left", left)
		}
	}, emulator.ExploreRuns(100), emulator.ExploreFor(0), emulator.ExploreWith(emulator.WithManualClock(dbtest.Start())))
}

// pushes lets a minute pass, in which replicas become current, and checks which tokens a push reaches.
func (w *world) pushes(e *emulator.Emulator, want ...string) {
	w.t.Helper()
	w.advance(time.Minute)
	if err := e.Advance(time.Minute); err != nil {
		w.t.Fatal(err)
	}
	w.sender.sent = nil
	w.admin().repeat("POST", "/users/ana/push", notice)
	var got []string
	for _, m := range w.sender.sent {
		got = append(got, m.To)
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		w.t.Errorf("pushed to %v, want %v", got, want)
	}
}

// repeat sends a request again while it fails for a passing reason, at most three times, as the app does. A device that
// is no longer found was deleted by an earlier attempt.
func (c apiUser) repeat(method, path string, body any) {
	c.t.Helper()
	for n := range 3 {
		switch got := c.call(method, path, body); {
		case got.status/100 == 2, n > 0 && method == http.MethodDelete && got.status == http.StatusNotFound:
			return
		case n == 2, got.status < http.StatusInternalServerError && got.status != http.StatusTooManyRequests:
			c.t.Fatalf("%s %s: status %d: %s", method, path, got.status, got.raw)
		}
	}
}
