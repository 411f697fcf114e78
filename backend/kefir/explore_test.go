package kefir

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/webtest"
	"github.com/tabletop-db/tabletop/emulator"
)

// TestExplore brews: users start batches, bottle them, add notes and set reminders, while one request or another to the
// database fails. It checks that each change is made once, with its event, that each reminder is sent once to those who
// want it, and that a deleted account leaves nothing (KF-R1, KF-R2, KF-R4, KF-R5, KF-R9, KF-R12).
func TestExplore(t *testing.T) {
	t.Parallel()
	emulator.Explore(t, func(t *testing.T, e *emulator.Emulator) {
		attempts := dbtest.NewAttempts(1) // the apps repeat what fails
		w := newWorldOn(t, attempts.Use(e.AWSConfig()), "explored-")
		for _, user := range []string{"ana", "bob"} {
			w.repeat(user, "PUT", "/devices/phone", object{"platform": "ios", "pushToken": "ExponentPushToken[" + user + "]"})
		}
		w.repeat("bob", "PUT", "/profile", object{"email": "bob@example.com",
			"preferences": object{"notificationsEnabled": false, "defaultTemperatureC": 20}})
		batch, other := w.starts("ana"), w.starts("bob")
		w.repeat("ana", "POST", batch+"/stage", newStage())
		w.repeat("ana", "POST", batch+"/status", object{"status": "ready"})
		w.keyed("ana", batch+"/events", object{"type": "note", "note": "fizzy"})
		sent := w.reminds("ana", batch, time.Minute)
		cancelled := w.reminds("ana", batch, time.Minute)
		w.reminds("bob", other, 5*time.Hour)
		w.repeat("ana", "POST", batch+"/reminders/"+cancelled+"/cancel", nil)

		attempts.Set(3) // the scheduler relies on the SDK
		var phones phones
		for range 4 { // a later round finds what an earlier one could not finish
			w.pass(e, 3*time.Hour)
			_, _ = NewScheduler(w.service, &phones).RunOnce(t.Context())
		}
		if !slices.Equal(phones.got, []string{sent}) {
			t.Errorf("sent %v, want only %s", phones.got, sent)
		}
		w.pass(e, time.Hour)
		w.brewed(batch)
		attempts.Set(1)
		w.repeat("bob", "DELETE", "/profile", nil)
		e.StopExploring()
		dbtest.CheckInvariants(t, Invariants(), dbtest.Databases{DynamoDB: w.client, Prefix: w.prefix})
		if left := w.itemsOf("bob", other); len(left) > 0 {
			t.Errorf("of the deleted account, these are left: %v", left)
		}
	}, emulator.ExploreRuns(100), emulator.ExploreFor(0), emulator.ExploreWith(emulator.WithManualClock(dbtest.Start())))
}

// starts starts a batch and returns its path.
func (w *world) starts(user string) string {
	w.t.Helper()
	return "/batches/" + w.keyed(user, "/batches", newBatch()).Body["batchId"].(string)
}

// reminds sets a reminder that is due in d and returns its id.
func (w *world) reminds(user, batch string, d time.Duration) string {
	w.t.Helper()
	due := w.now().Add(d).UTC().Format(timestampLayout)
	return w.keyed(user, batch+"/reminders", object{"message": "Bottle it", "dueAt": due}).Body["reminderId"].(string)
}

// brewed checks what ana has after the test: one batch, in stage 2, ready, with the events of that.
func (w *world) brewed(batch string) {
	w.t.Helper()
	if n := len(w.pages("ana", "/batches?limit=9", "batches", "batchId")); n != 1 {
		w.t.Errorf("%d batches, want 1", n)
	}
	types := w.pages("ana", batch+"/events?limit=9", "events", "type")
	slices.Sort(types)
	if want := []string{"note", "stage_transition", "status_change"}; !slices.Equal(types, want) {
		w.t.Errorf("events %v, want %v", types, want)
	}
	if b := w.want(200, w.ana("GET", batch, nil)).body; b["status"] != "ready" || b["stage"] != 2.0 {
		w.t.Errorf("the batch is %v", b)
	}
}

// itemsOf returns what the table has of a user, whose batch has this path.
func (w *world) itemsOf(user, batch string) (all []ddb.Item) {
	w.t.Helper()
	for _, pk := range []string{userPK(user), batchPK(ID(batch[len("/batches/"):]))} {
		if err := w.service.store.readPartition(w.t.Context(), pk, func(items []ddb.Item) error {
			for _, in := range items {
				if _, marker := in["fingerprint"]; !marker { // it expires
					all = append(all, in)
				}
			}
			return nil
		}); err != nil {
			w.t.Error(err)
		}
	}
	return all
}

// pass moves the clocks of the service and of its database.
func (w *world) pass(e *emulator.Emulator, d time.Duration) {
	w.t.Helper()
	w.advance(d)
	if err := e.Advance(d); err != nil {
		w.t.Fatal(err)
	}
}

// keyed creates something with an Idempotency-Key, of which each call has its own.
func (w *world) keyed(user, path string, body any) webtest.Response {
	w.t.Helper()
	w.keys++
	return w.repeatWith(http.Header{"Idempotency-Key": {fmt.Sprint("key-", w.keys)}}, user, "POST", path, body)
}

func (w *world) repeat(user, method, path string, body any) webtest.Response {
	w.t.Helper()
	return w.repeatWith(http.Header{}, user, method, path, body)
}

// repeatWith sends a request, and again while it fails for a passing reason, once more than there are mishaps, as the
// apps do.
func (w *world) repeatWith(header http.Header, user, method, path string, body any) webtest.Response {
	w.t.Helper()
	var got webtest.Response
	for range 4 {
		token, err := w.issuer.Token(user, time.Hour)
		if err != nil {
			w.t.Fatal(err)
		}
		header.Set("Authorization", "Bearer "+token)
		got = webtest.Call(w.t, w.server, header, method, "/kefir"+path, body)
		if got.Status != http.StatusServiceUnavailable && got.Status != http.StatusTooManyRequests {
			break
		}
	}
	if got.Status/100 != 2 {
		w.t.Fatalf("%s %s: status %d: %s\n%s", method, path, got.Status, got.Raw, w.log)
	}
	return got
}
