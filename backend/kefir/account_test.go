package kefir

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// TestProfile checks that createdAt is kept, and that settings that were never set show their defaults (KF-P1, KF-R11).
func TestProfile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.want(404, w.ana("GET", "/profile", nil))
	first := w.want(201, w.ana("PUT", "/profile", object{"email": "a@example.com", "name": "Ana",
		"preferences": object{"defaultTemperatureC": 25.5}})).body
	if p := first["preferences"].(object); p["notificationsEnabled"] != true || p["defaultTemperatureC"] != 25.5 {
		t.Errorf("preferences %v", p)
	}
	if b := w.want(201, w.ana("POST", "/batches", with(newBatch(), "temperatureC", nil))).body; b["temperatureC"] != 25.5 {
		t.Errorf("a batch without a temperature has %v", b["temperatureC"])
	}
	w.advance(time.Hour)
	w.want(200, w.ana("PUT", "/profile", object{"email": "b@example.com"}))
	got := w.want(200, w.ana("GET", "/profile", nil)).body
	if got["createdAt"] != first["createdAt"] || got["updatedAt"] != "2026-02-03T11:30:00Z" || got["name"] != nil ||
		got["preferences"].(object)["defaultTemperatureC"] != 22.0 {
		t.Errorf("replaced: %v", got)
	}
}

// TestDevices registers, renews, lists and removes devices (KF-P11, KF-P12).
func TestDevices(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.want(201, w.ana("PUT", "/devices/b", object{"platform": "web", "pushToken": "ExponentPushToken[1]",
		"deviceInfo": object{"model": "X"}})).body
	w.advance(time.Hour)
	again := w.want(200, w.ana("PUT", "/devices/b", object{"platform": "web", "pushToken": "ExponentPushToken[2]"})).body
	if again["createdAt"] != first["createdAt"] || again["lastSeenAt"] == first["lastSeenAt"] ||
		again["deviceInfo"] != nil {
		t.Errorf("%v, then %v", first, again)
	}
	w.device("ana", "a")
	if got := w.pages("ana", "/devices?limit=1", "devices", "deviceId"); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("devices %v", got)
	}
	w.want(404, w.as("eve", "GET", "/devices/b", nil))
	w.want(204, w.as("eve", "DELETE", "/devices/b", nil))
	w.want(200, w.ana("GET", "/devices/b", nil))
	for range 2 {
		w.want(204, w.ana("DELETE", "/devices/b", nil))
	}
	w.want(404, w.ana("GET", "/devices/b", nil))
}

// seedUser gives a user three batches with 30 events each, and returns the number of items.
func (w *world) seedUser(user string) (items int) {
	w.want(201, w.as(user, "PUT", "/profile", object{"email": user + "@example.com", "name": "=cmd|' /C calc'!A0"}))
	w.device(user, "phone")
	for range 3 {
		id := w.batch(user)
		w.reminder(user, id, time.Hour)
		for i := range 30 {
			w.want(201, w.as(user, "POST", "/batches/"+id+"/events",
				object{"type": "note", "note": fmt.Sprint("@note, \"", i, "\"")}))
		}
	}
	return 2 + 3*32
}

// TestDeleteAccount checks that everything of one user is deleted, also when the database processes only a part of each
// request (KF-R9).
func TestDeleteAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := w.seedUser("ana")
	bobs := w.seedUser("bob")
	if stored := w.stored(); stored != all+bobs {
		t.Fatalf("%d items of %d", stored, all+bobs)
	}
	refusals := 0
	w.transport.setFault(func(operation, body string) (string, int, bool) {
		if operation != "BatchWriteItem" || refusals == 3 {
			return "", 0, false
		}
		refusals++
		requests := strings.Replace(body, `"RequestItems"`, `"UnprocessedItems"`, 1)
		return requests, 200, false
	})
	w.want(204, w.ana("DELETE", "/profile", nil))
	if got := w.stored(); got != bobs || refusals != 3 {
		t.Errorf("%d items are left of bob's %d after %d refusals", got, bobs, refusals)
	}
	w.want(204, w.ana("DELETE", "/profile", nil))
}

func (w *world) stored() int {
	w.t.Helper()
	out, err := w.client.Scan(w.t.Context(), &dynamodb.ScanInput{TableName: w.service.store.table})
	if err != nil {
		w.t.Fatal(err)
	}
	return len(out.Items)
}

// TestLostResponses checks that a write whose response was lost is applied once and reported as a success.
func TestLostResponses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lose := func(operation string) {
		remaining := 1
		w.transport.setFault(func(asked, _ string) (string, int, bool) {
			if asked != operation || remaining == 0 {
				return "", 0, false
			}
			remaining--
			return "", 0, true
		})
	}
	lose("PutItem")
	id := w.batch("ana")
	reminder := w.reminder("ana", id, time.Minute)
	lose("TransactWriteItems")
	w.want(200, w.ana("POST", "/batches/"+id+"/status", object{"status": "ready"}))
	w.advance(time.Hour)
	lose("UpdateItem")
	if run := w.run(NewScheduler(w.service, &phones{})); run.Sent != 1 || w.status("ana", id, reminder) != "sent" {
		t.Errorf("a claim whose answer was lost: %+v", run)
	}
	other := w.reminder("ana", id, time.Minute)
	lose("UpdateItem")
	w.want(200, w.ana("POST", "/batches/"+id+"/reminders/"+other+"/cancel", nil))
	if stored := w.stored(); stored != 5 { // batch, event, two reminders, the scheduler's checkpoint
		t.Errorf("%d items", stored)
	}
}

// TestExport checks that an export has every item of the user once, and no formulas (KF-P15).
func TestExport(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := w.seedUser("ana")
	w.seedUser("bob")
	got := w.want(200, w.ana("GET", "/export.csv", nil))
	if kind := got.header.Get("Content-Type"); !strings.HasPrefix(kind, "text/csv") {
		t.Error(kind)
	}
	rows, err := csv.NewReader(strings.NewReader(got.raw)).ReadAll()
	if err != nil || len(rows) != all+1 {
		t.Fatalf("%d rows of %d, %v", len(rows), all+1, err)
	}
	counts := map[string]int{}
	for _, row := range rows[1:] {
		counts[row[0]]++
		for i, cell := range row {
			if cell != "" && strings.ContainsAny(cell[:1], "=@+\t\r") {
				t.Errorf("%s is %q", rows[0][i], cell)
			}
		}
	}
	if fmt.Sprint(counts) != "map[batch:3 device:1 event:90 profile:1 reminder:3]" {
		t.Error(counts)
	}
	if empty := w.want(200, w.as("eve", "GET", "/export.csv", nil)); strings.Count(empty.raw, "\n") != 1 {
		t.Errorf("of nobody: %s", empty.raw)
	}
}

// TestAbortedExport checks that an export that fails halfway cuts the connection, and that one that fails before its
// first row is a problem response.
func TestAbortedExport(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.seedUser("ana")
	for _, passing := range []int{0, 2} {
		remaining := passing
		w.transport.setFault(func(operation, _ string) (string, int, bool) {
			if remaining--; operation != "Query" || remaining >= 0 {
				return "", 0, false
			}
			return `{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"gone"}`, 400, false
		})
		got := w.ana("GET", "/export.csv", nil)
		if passing == 0 && got.status != 503 || passing > 0 && got.err == nil {
			t.Errorf("after %d queries: %d %v %s", passing, got.status, got.err, got.raw)
		}
	}
}
