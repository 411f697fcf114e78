package kefir

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/emulator"
)

// TestExplore takes a batch from the jar to its reminder while one request or another to the database fails, and checks
// that each change is made once and each reminder is sent once (KF-R1, KF-R3, KF-R5).
func TestExplore(t *testing.T) {
	t.Parallel()
	emulator.Explore(t, func(t *testing.T, e *emulator.Emulator) {
		w := newWorldOn(t, e.AWSConfig(), "explored-")
		w.repeat(func() testResponse {
			return w.as("ana", "PUT", "/devices/phone", object{"platform": "ios", "pushToken": "ExponentPushToken[phone]"})
		})
		batch := w.repeat(func() testResponse { return w.ana("POST", "/batches", newBatch()) }).body["batchId"].(string)
		path := "/batches/" + batch
		w.repeat(func() testResponse { return w.ana("POST", path+"/stage", newStage()) })
		w.repeat(func() testResponse { return w.ana("POST", path+"/status", object{"status": "ready"}) })
		due := w.now().Add(time.Minute).UTC().Format(timestampLayout)
		reminder := w.repeat(func() testResponse {
			return w.ana("POST", path+"/reminders", object{"message": "Bottle it", "dueAt": due})
		}).body["reminderId"].(string)
		var phones phones
		for range 3 { // a later round finds what an earlier one could not finish
			w.pass(e, time.Hour)
			_, _ = NewScheduler(w.service, &phones).RunOnce(t.Context())
		}
		if !slices.Equal(phones.got, []string{reminder}) {
			t.Errorf("sent %v, want only %s", phones.got, reminder)
		}
		w.pass(e, time.Hour)
		types := w.pages("ana", path+"/events?limit=9", "events", "type")
		slices.Sort(types)
		if want := []string{"stage_transition", "status_change"}; !slices.Equal(types, want) {
			t.Errorf("events %v, want %v", types, want)
		}
	}, emulator.ExploreRuns(100), emulator.ExploreFor(0), emulator.ExploreWith(emulator.WithManualClock(dbtest.Start())))
}

// pass moves the clocks of the service and of its database.
func (w *world) pass(e *emulator.Emulator, d time.Duration) {
	w.t.Helper()
	w.advance(d)
	if err := e.Advance(d); err != nil {
		w.t.Fatal(err)
	}
}

// repeat sends a request again while it fails for a passing reason, at most three times, as the apps do.
func (w *world) repeat(send func() testResponse) testResponse {
	w.t.Helper()
	var got testResponse
	for range 3 {
		got = send()
		if got.status < http.StatusInternalServerError && got.status != http.StatusTooManyRequests {
			break
		}
	}
	if got.status/100 != 2 {
		w.t.Fatalf("status %d: %s %v", got.status, got.raw, got.err)
	}
	return got
}
