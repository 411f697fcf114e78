package devicetoken

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/push"
	"github.com/tabletop-db/tabletop/emulator"
)

// TestExplore registers, refreshes, logs out and deletes devices while one request or another to the database fails,
// and checks after each answer that it holds: a push reaches each active device once, by its newest token, and a
// deletion leaves nothing (PE-P1 to PE-P6, PE-R1, PE-R7).
func TestExplore(t *testing.T) {
	t.Parallel()
	emulator.Explore(t, func(t *testing.T, e *emulator.Emulator) {
		w := newWorldOn(t, e.AWSConfig())
		ana, bob := w.as("ana"), w.as("bob")
		bob.repeat("POST", "/devices", phone("bobs"))
		first := ana.repeat("POST", "/devices", phone("one")).body["registeredAt"]
		ana.repeat("POST", "/devices", phone("two"))
		w.pass(e, time.Minute)
		w.pushes(tokenOf("one"), tokenOf("two"))
		ana.repeat("POST", "/devices", map[string]any{"deviceId": "one", "platform": "ios",
			"expoPushToken": tokenOf("renewed")})
		if got := ana.repeat("GET", "/devices/one", nil).body; got["registeredAt"] != first ||
			got["updatedAt"] != string(timestamp(w.now())) {
			t.Errorf("a device that registers again is %v, want it registered at %v and updated now", got, first)
		}
		w.pass(e, time.Minute)
		w.pushes(tokenOf("renewed"), tokenOf("two"))
		w.buries(e, "two")
		w.pushes(tokenOf("renewed"))
		ana.repeat("PUT", "/devices/two", map[string]any{"expoPushToken": tokenOf("back")})
		w.pass(e, time.Minute)
		w.pushes(tokenOf("back"), tokenOf("renewed"))
		ana.repeat("POST", "/devices/two/deactivate", nil)
		w.pass(e, time.Minute)
		w.pushes(tokenOf("renewed"))
		ana.repeat("DELETE", "/devices/one", nil)
		w.pass(e, time.Minute)
		w.pushes()
		ana.repeat("POST", "/devices", phone("three"))
		ana.repeat("DELETE", "/devices", nil)
		eve := w.as("eve")
		eve.repeat("POST", "/devices", phone("four"))
		eve.repeat("DELETE", "/devices", nil)
		e.StopExploring()
		dbtest.CheckInvariants(t, Invariants(), dbtest.Databases{DynamoDB: w.client, Prefix: w.prefix})
		if left := w.items(); len(left) != 1 || ddb.Text(left[0]["userId"]) != "bob" {
			t.Errorf("after the deletions, these are left: %v; want only bob's phone", left)
		}
	}, emulator.ExploreRuns(100), emulator.ExploreFor(0), emulator.ExploreWith(emulator.WithManualClock(dbtest.Start())))
}

// pass moves the clocks of the service and of its database, so that replicas become current.
func (w *world) pass(e *emulator.Emulator, d time.Duration) {
	w.t.Helper()
	w.advance(d)
	if err := e.Advance(d); err != nil {
		w.t.Fatal(err)
	}
}

// pushes checks which tokens a push reaches.
func (w *world) pushes(want ...string) {
	w.t.Helper()
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

// buries pushes while the push service calls the token of a device dead, until a report says that the device is
// deactivated, and checks that it is.
func (w *world) buries(e *emulator.Emulator, id string) {
	w.t.Helper()
	w.sender.errs = map[string]error{tokenOf(id): push.ErrUnregistered}
	defer func() { w.sender.errs = nil }()
	for range 4 {
		report := w.admin().repeat("POST", "/users/ana/push", notice).body
		w.pass(e, time.Minute)
		if report["deactivated"] == 1.0 {
			break
		}
	}
	if got := w.as("ana").repeat("GET", "/devices/"+id, nil).body; got["isActive"] != false {
		w.t.Errorf("the device with the dead token is %v", got)
	}
}

// repeat sends a request again while it fails for a passing reason, once more than there are mishaps. A device that is
// no longer found was deleted by an earlier attempt.
func (c apiUser) repeat(method, path string, body any) testResponse {
	c.t.Helper()
	for n := 0; ; n++ {
		got := c.call(method, path, body)
		if got.status/100 == 2 || n > 0 && method == http.MethodDelete && got.status == http.StatusNotFound {
			return got
		}
		if n == 3 || got.status != http.StatusServiceUnavailable && got.status != http.StatusTooManyRequests {
			c.t.Fatalf("%s %s: status %d: %s", method, path, got.status, got.raw)
		}
	}
}
