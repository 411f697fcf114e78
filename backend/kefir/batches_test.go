package kefir

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestBatchLifecycle takes a batch from the jar to the archive (KF-R1, KF-R2, KF-R3), and repeats each step.
func TestBatchLifecycle(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := "/batches/" + w.batch("ana")
	first := w.want(200, w.ana("GET", path, nil)).body
	if first["stage"] != 1.0 || first["status"] != "active" || first["createdAt"] != "2026-02-03T10:30:00Z" ||
		first["startTime"] != first["createdAt"] {
		t.Errorf("a new batch is %v", first)
	}
	w.advance(time.Hour)
	moved := w.want(200, w.ana("POST", path+"/stage", newStage()))
	if again := w.want(200, w.ana("POST", path+"/stage", with(newStage(), "bottleCount", 9))); again.raw != moved.raw {
		t.Errorf("a repeat answers %s after %s", again.raw, moved.raw)
	}
	if b := moved.body; b["stage"] != 2.0 || b["temperatureCStage2"] != 0.0 ||
		b["startTimeStage2"] != "2026-02-03T11:30:00Z" {
		t.Errorf("in stage 2: %v", b)
	}
	for _, status := range []string{"in_fridge", "in_fridge", "ready", "archived"} {
		if b := w.want(200, w.ana("POST", path+"/status", object{"status": status})).body; b["status"] != status {
			t.Errorf("%v, want %s", b, status)
		}
	}
	archived := w.want(200, w.ana("GET", path, nil)).body
	if archived["archivedAt"] != "2026-02-03T11:30:00Z" {
		t.Errorf("archived: %v", archived)
	}
	back := w.want(200, w.ana("POST", path+"/status", object{"status": "active"})).body
	if _, still := back["archivedAt"]; still {
		t.Errorf("brought back: %v", back)
	}
	types := w.pages("ana", path+"/events?limit=2", "events", "type")
	if want := []string{"stage_transition", "status_change", "status_change", "status_change",
		"status_change"}; !slices.Equal(slices.Sorted(slices.Values(types)), want) {
		t.Errorf("events %v", types)
	}
}

// TestStatusRace checks that of concurrent requests for the same status one changes the batch and writes the event, and
// that requests for different statuses are applied one after another.
func TestStatusRace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := "/batches/" + w.batch("ana")
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			if got := w.ana("POST", path+"/status", object{"status": "ready"}); got.status != 200 {
				t.Errorf("%d %s", got.status, got.raw)
			}
		})
		all.Go(func() {
			if got := w.ana("POST", path+"/stage", newStage()); got.status != 200 {
				t.Errorf("%d %s", got.status, got.raw)
			}
		})
	}
	all.Wait()
	types := w.pages("ana", path+"/events?limit=9", "events", "type")
	slices.Sort(types)
	if !slices.Equal(types, []string{"stage_transition", "status_change"}) {
		t.Errorf("events %v", types)
	}
}

// TestChangeBatch sets, changes and removes what a user may change (KF-R7).
func TestChangeBatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := "/batches/" + w.batch("ana")
	changed := w.want(200, w.ana("PATCH", path, object{"fruits": "figs", "isPublic": true, "publicNote": "try it",
		"sugarGrams": 0.05})).body
	if changed["fruits"] != "figs" || changed["isPublic"] != true || changed["sugarGrams"] != 0.05 ||
		changed["name"] != "Ginger" {
		t.Errorf("changed: %v", changed)
	}
	taken := w.want(200, w.ana("PATCH", path, object{"fruits": "", "isPublic": false, "publicNote": ""})).body
	for _, name := range []string{"fruits", "isPublic", "publicNote"} {
		if v, exists := taken[name]; exists {
			t.Errorf("%s is still %v", name, v)
		}
	}
	w.want(422, w.ana("PATCH", path, object{}))
	early := w.want(422, w.ana("PATCH", path, object{"bottleCount": 3}))
	if !strings.Contains(early.raw, `"body.bottleCount"`) {
		t.Error(early.raw)
	}
	w.want(200, w.ana("POST", path+"/stage", newStage()))
	if late := w.want(200, w.ana("PATCH", path, object{"bottleCount": 4})).body; late["bottleCount"] != 4.0 {
		t.Errorf("in stage 2: %v", late)
	}
}

// TestOtherUsersBatchesAreNotFound checks that another user's batch gets the same response as a batch that does not
// exist.
func TestOtherUsersBatchesAreNotFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.batch("ana")
	reminder := w.reminder("ana", id, time.Hour)
	none := "550e8400-e29b-41d4-a716-446655440000"
	for _, c := range []struct {
		method, path string
		body         any
	}{
		{"GET", "", nil}, {"PATCH", "", object{"name": "mine"}}, {"POST", "/stage", newStage()},
		{"POST", "/status", object{"status": "ready"}},
		{"GET", "/timeline", nil}, {"GET", "/events", nil}, {"POST", "/events", object{"type": "note", "note": "hi"}},
		{"GET", "/reminders", nil}, {"POST", "/reminders", object{"message": "hi", "dueAt": "2026-02-04T00:00:00Z"}},
		{"POST", "/reminders/" + reminder + "/cancel", nil},
	} {
		theirs := w.want(404, w.as("eve", c.method, "/batches/"+id+c.path, c.body))
		absent := w.want(404, w.as("eve", c.method, "/batches/"+none+c.path, c.body))
		if theirs.raw != absent.raw {
			t.Errorf("%s %s: %s, and %s", c.method, c.path, theirs.raw, absent.raw)
		}
	}
	private := w.want(404, w.call("", "GET", "/public/batches/"+id, nil))
	absent := w.want(404, w.call("", "GET", "/public/batches/"+none, nil))
	if private.raw != absent.raw {
		t.Errorf("public: %s, and %s", private.raw, absent.raw)
	}
}

// TestPublic checks that a public batch shows how it is brewed and nothing about its owner (KF-R8).
func TestPublic(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.batch("ana")
	w.want(200, w.ana("PATCH", "/batches/"+id, object{"isPublic": true, "publicNote": "try it"}))
	got := w.want(200, w.call("", "GET", "/public/batches/"+id, nil))
	if got.body["publicNote"] != "try it" || strings.Contains(got.raw, "ana") || strings.Contains(got.raw, "userId") ||
		strings.Contains(got.raw, "updatedAt") {
		t.Error(got.raw)
	}
	w.want(200, w.ana("PATCH", "/batches/"+id, object{"isPublic": false}))
	w.want(404, w.call("", "GET", "/public/batches/"+id, nil))
}

// TestByStatus checks KF-P13 for one user and for all.
func TestByStatus(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var ready []string
	for i := range 6 {
		id := w.batch([]string{"ana", "bob"}[i%2])
		w.advance(time.Second)
		if i >= 3 {
			w.want(200, w.as([]string{"ana", "bob"}[i%2], "POST", "/batches/"+id+"/status", object{"status": "ready"}))
			ready = append(ready, id)
		}
	}
	slices.Reverse(ready)
	var got []string
	for cursor := ""; ; {
		page := w.want(200, w.admin("/admin/batches?status=ready&limit=2"+cursor)).body
		for _, b := range page["batches"].([]any) {
			got = append(got, b.(object)["batchId"].(string))
		}
		next, more := page["nextCursor"].(string)
		if !more {
			break
		}
		cursor = "&cursor=" + next
	}
	if !slices.Equal(got, ready) {
		t.Errorf("ready of all: %v, want %v", got, ready)
	}
	if own := w.pages("ana", "/batches?status=active&limit=1", "batches", "batchId"); len(own) != 2 {
		t.Errorf("active of ana: %v", own)
	}
}

// A number has at most two decimals, however small the remainder.
func TestDecimals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, sugar := range []float64{62.555, 0.001, 1e-7, 1.04e-162} {
		if got := w.want(422, w.ana("POST", "/batches", with(newBatch(), "sugarGrams", sugar))); !strings.Contains(got.raw,
			"two decimals") {
			t.Errorf("%g: %s", sugar, got.raw)
		}
	}
	for _, sugar := range []float64{0, 0.01, 62.55, 99999.99} {
		if got := w.want(201, w.ana("POST", "/batches", with(newBatch(), "sugarGrams",
			sugar))); got.body["sugarGrams"] != sugar {
			t.Errorf("%g became %s", sugar, got.raw)
		}
	}
}
