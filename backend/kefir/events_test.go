package kefir

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestEvents lists events in both orders, page by page, and from a time on, without the reminders in the same partition
// (KF-P5 to KF-P7, KF-R10, KF-D4).
func TestEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.batch("ana")
	w.reminder("ana", id, time.Hour)
	var all []string
	for i := range 7 {
		if i != 3 { // two in the same millisecond
			w.advance(250 * time.Millisecond)
		}
		note := object{"type": "note", "note": strings.Repeat("x", i+1)}
		all = append(all, w.want(201, w.ana("POST", "/batches/"+id+"/events", note)).body["eventId"].(string))
	}
	path := "/batches/" + id + "/events?"
	for _, query := range []string{"limit=20", "limit=3", "limit=1"} {
		up, down := w.pages("ana", path+query, "events", "eventId"), w.pages("ana", path+query+"&order=desc",
			"events", "eventId")
		slices.Reverse(down)
		if !slices.Equal(up, down) || len(up) != 7 || up[0] != all[0] || up[6] != all[6] {
			t.Errorf("%s: %v and %v, want %v", query, up, down, all)
		}
	}
	for after, want := range map[string]int{
		"2026-02-03T10:30:01.250Z": 2, "2026-02-03T10:30:01.251Z": 1, "2026-02-03T10:30:01Z": 3, "2026-02-03T10:30:00.5Z": 6,
		"2027-01-01T00:00:00Z": 0,
	} {
		if got := w.pages("ana", path+"limit=2&after="+after, "events", "eventId"); len(got) != want {
			t.Errorf("after %s: %d events, want %d", after, len(got), want)
		}
	}
}

// TestTimeline checks that a timeline has the batch, its newest 20 events and its reminders, by three queries (KF-P14).
func TestTimeline(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.batch("ana")
	w.reminder("ana", id, time.Hour)
	for range 21 {
		w.advance(time.Second)
		w.want(201, w.ana("POST", "/batches/"+id+"/events", object{"type": "note", "note": "n"}))
	}
	w.transport.setFault(nil)
	got := w.want(200, w.ana("GET", "/batches/"+id+"/timeline", nil)).body
	if recorded := w.transport.recorded(); !slices.Equal(recorded, []string{"Query", "Query", "Query"}) {
		t.Errorf("asked for %v", recorded)
	}
	if got["batch"].(object)["batchId"] != id || len(got["events"].([]any)) != 20 || len(got["reminders"].([]any)) != 1 ||
		got["eventsCursor"] == nil {
		t.Errorf("%v", got)
	}
	rest := w.want(200, w.ana("GET", "/batches/"+id+"/events?order=desc&cursor="+got["eventsCursor"].(string), nil)).body
	if len(rest["events"].([]any)) != 1 {
		t.Errorf("the rest: %v", rest)
	}
}

// TestBadInput checks that the error of each violated rule names the field, and that nothing is written.
func TestBadInput(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.batch("ana")
	b := "/batches/" + id
	reminder := object{"message": "m", "dueAt": "2026-02-04T00:00:00Z"}
	device := object{"platform": "ios", "pushToken": "ExponentPushToken[t]"}
	for _, c := range []struct {
		method, path string
		body         any
		location     string
	}{
		{"PUT", "/profile", object{"email": "nobody"}, "body.email"},
		{"PUT", "/profile", object{"email": "a@example.com", "name": "a\u0007"}, "body.name"},
		{"PUT", "/profile", object{"email": "a@example.com", "preferences": object{"defaultTemperatureC": "warm"}},
			"body.preferences.defaultTemperatureC"},
		{"PUT", "/profile", object{"email": "a@example.com", "preferences": object{"defaultTemperatureC": 20.123}},
			"body.preferences.defaultTemperatureC"},
		{"POST", "/batches", with(newBatch(), "name", "  "), "body.name"},
		{"POST", "/batches", with(newBatch(), "waterVolumeMl", 0), "body.waterVolumeMl"},
		{"POST", "/batches", with(newBatch(), "waterVolumeMl", 1.5), "body.waterVolumeMl"},
		{"POST", "/batches", with(newBatch(), "sugarGrams", 0.001), "body.sugarGrams"},
		{"POST", "/batches", with(newBatch(), "startTime", "2026-02-30T00:00:00Z"), "body.startTime"},
		{"POST", "/batches", with(newBatch(), "status", "ready"), "body.status"},
		{"POST", "/batches", with(newBatch(), "temperatureC", nil), ""},
		{"PATCH", b, object{"publicNote": strings.Repeat("x", 1001)}, "body.publicNote"},
		{"PATCH", b, object{"stage": 2}, "body.stage"},
		{"POST", b + "/stage", with(newStage(), "stage", 1), "body.stage"},
		{"POST", b + "/stage", with(newStage(), "bottleCount", -1), "body.bottleCount"},
		{"POST", b + "/status", object{"status": "drunk"}, "body.status"},
		{"POST", b + "/events", object{"type": "stage_transition", "note": "x"}, "body.type"},
		{"POST", b + "/events", object{"type": "note"}, "body.note"},
		{"POST", b + "/events", object{"type": "note", "note": "x", "photoKey": "k"}, "body.photoKey"},
		{"POST", b + "/events", object{"type": "photo", "photoKey": "k"}, "body.photoUrl"},
		{"POST", b + "/events", object{"type": "photo", "photoUrl": "javascript:alert(1)"}, "body.photoUrl"},
		{"POST", b + "/reminders", with(reminder, "dueAt", "2026-02-03T10:30:00Z"), "body.dueAt"},
		{"POST", b + "/reminders", with(reminder, "dueAt", "soon"), "body.dueAt"},
		{"POST", b + "/reminders", with(reminder, "message", ""), "body.message"},
		{"PUT", "/devices/a", with(device, "platform", "palm"), "body.platform"},
		{"PUT", "/devices/a", with(device, "pushToken", "a b"), "body.pushToken"},
		{"PUT", "/devices/a", with(device, "deviceInfo", object{"model": strings.Repeat("x", 101)}), "body.deviceInfo.model"},
		{"PUT", "/devices/a%23b", device, "path.deviceId"},
		{"GET", "/batches/a%23b", nil, "path.batchId"},
		{"GET", "/batches?status=drunk", nil, "query.status"},
		{"GET", "/batches?limit=0", nil, "query.limit"},
		{"GET", b + "/events?after=yesterday", nil, "query.after"},
		{"GET", "/reminders/upcoming?days=0", nil, "query.days"},
	} {
		got := w.ana(c.method, c.path, c.body)
		if c.location == "" {
			w.want(201, got)
		} else if got.status != 422 || !strings.Contains(got.raw, `"location":"`+c.location+`"`) {
			t.Errorf("%s %s %v: want a problem at %s, got %d %s", c.method, c.path, c.body, c.location, got.status, got.raw)
		}
	}
}

// TestBadCursors checks that a cursor that is forged, or belongs to another listing or user, does not reach the
// database; nor does a caller without a valid token.
func TestBadCursors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := "/batches/" + w.batch("ana")
	w.batch("ana")
	cursor := w.want(200, w.ana("GET", "/batches?limit=1", nil)).body["nextCursor"].(string)
	for _, path := range []string{"/batches?cursor=e30", "/batches?cursor=!", "/devices?cursor=" + cursor,
		b + "/events?cursor=" + cursor, "/reminders/upcoming?cursor=" + cursor} {
		if got := w.want(400, w.ana("GET", path, nil)); !strings.Contains(got.raw, `"location":"query.cursor"`) {
			t.Errorf("%s: %s", path, got.raw)
		}
	}
	w.want(400, w.as("eve", "GET", "/batches?cursor="+cursor, nil))
	for _, token := range []string{"", "nonsense", adminToken} {
		w.want(401, w.call(token, "GET", "/batches", nil))
	}
	w.want(401, w.call("", "GET", "/admin/batches?status=ready", nil))
}
