package notification

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestEventReachesPhone enqueues an event, processes it, and reads the notification (NT-P1, NT-P4, NT-P6, NT-P5).
func TestEventReachesPhone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.register("phone")
	created := w.want(201, w.admin("POST", "/events", likeEvent("ana", "p1")))
	if created.Text("status") != "PENDING" || created.Text("category") != "SOCIAL" || created.Body["dedupeKey"] != nil ||
		created.Body["retryCount"] != 0.0 {
		t.Errorf("%s", created.Raw)
	}
	did := w.work()
	if did.Claimed != 1 || did.Completed != 1 || did.Pushed != 1 || did.RU <= 0 {
		t.Errorf("%+v\n%s", did, w.log)
	}
	e := w.want(200, w.admin("GET", "/events/"+created.Text("id")+"?userId=ana", nil))
	if e.Text("status") != "COMPLETED" || e.Text("processedAt") != string(moment(w.db.Now())) ||
		e.Body["nextRetryAt"] != nil {
		t.Errorf("%s", e.Raw)
	}
	page := w.want(200, w.ana("GET", "/notifications", nil))
	list := page.Body["notifications"].([]any)
	if len(list) != 1 || list[0].(object)["body"] != "Bob liked your post" ||
		list[0].(object)["deeplink"] != "asora://post/p1" {
		t.Errorf("%s", page.Raw)
	}
	if got := w.want(200, w.ana("GET", "/notifications/unread", nil)); got.Body["unread"] != 1.0 {
		t.Errorf("%s", got.Raw)
	}
	received := w.push.messages()
	if len(received) != 1 || received[0].To != "token-phone" || received[0].Body != "Bob liked your post" ||
		received[0].Data["notificationId"] != created.Text("id") {
		t.Errorf("%+v", received)
	}
	if again := w.work(); again.Found != 0 {
		t.Errorf("the next round: %+v", again)
	}
	w.want(200, w.admin("GET", "/healthz", nil))
	stats := w.want(200, w.admin("GET", "/stats", nil))
	if stats.Body["completed"] != 1.0 || stats.Body["costs"].(object)["process"] == nil {
		t.Errorf("%s", stats.Raw)
	}
}

// TestInvalidEvents checks that invalid events are refused and nothing is written (NT-R11).
func TestInvalidEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	valid := likeEvent("ana", "p1")
	for name, body := range map[string]any{
		"unknown type":     with(valid, "eventType", "POST_BURNED"),
		"no type":          with(valid, "eventType", nil),
		"lower case":       with(valid, "eventType", "post_like"),
		"no user":          with(valid, "userId", nil),
		"user a path":      with(valid, "userId", ".."),
		"user a separator": with(valid, "userId", "ana#1"),
		"no payload":       with(valid, "payload", nil),
		"payload a list":   with(valid, "payload", []int{1}),
		"no target":        with(valid, "payload", object{"actorName": "Bob"}),
		"target type":      with(valid, "payload", object{"targetId": "p1", "targetType": "planet"}),
		"key too long":     with(valid, "dedupeKey", strings.Repeat("k", 256)),
		"key with a space": with(valid, "dedupeKey", "a b"),
		"a field too many": with(valid, "status", "COMPLETED"),
	} {
		if got := w.admin("POST", "/events", body); got.Status != 422 ||
			got.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s", name, got.Status, got.Raw)
		}
	}
	w.want(400, w.admin("POST", "/events", `{"userId":`))
	w.want(401, w.ana("POST", "/events", valid))
	w.want(404, w.admin("GET", "/events/none?userId=ana", nil))
	if did := w.work(); did.Found != 0 {
		t.Errorf("something was written: %+v", did)
	}
}

// TestQueriesMatchTheDocument checks the text and partition of each query on the wire (NT-D4).
func TestQueriesMatchTheDocument(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.disableQuietHours()
	w.register("phone")
	w.enqueue(with(likeEvent("ana", "p1"), "dedupeKey", "k"))
	w.transport.setFault(nil)
	w.work()
	w.ana("GET", "/notifications", nil)
	w.ana("GET", "/notifications?category=NEWS", nil)
	w.ana("GET", "/notifications/unread", nil)
	w.ana("PUT", "/devices/phone", object{"pushToken": "t"})
	recorded := map[string]recordedQuery{}
	for _, q := range w.transport.recorded() {
		for _, text := range []string{queryWork, queryOverdue, querySameKey, queryRate, queryActive, queryList, queryListOf,
			queryUnread, queryDevice} {
			if strings.Contains(q.body, fmt.Sprintf(`"query":%q`, text)) || strings.Contains(q.body,
				strings.NewReplacer("<", `\u003c`, ">", `\u003e`).Replace(text)) {
				recorded[text] = q
			}
		}
	}
	for text, want := range map[string][2]string{
		queryWork: {EventsContainer, ""}, queryOverdue: {EventsContainer, ""}, querySameKey: {EventsContainer, `["ana"]`},
		queryRate: {NotificationsContainer, `["ana"]`}, queryList: {NotificationsContainer, `["ana"]`},
		queryListOf: {NotificationsContainer, `["ana"]`},
		queryUnread: {NotificationsContainer, `["ana"]`}, queryActive: {DevicesContainer, `["ana"]`},
		queryDevice: {DevicesContainer, `["ana"]`},
	} {
		if got := recorded[text]; got.path != "/dbs/asora/colls/"+want[0]+"/docs" || got.key != want[1] {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// TestProcessedEventsLiveThirtyDays checks that events live thirty days from their last write, not from their first
// (NT-D5, NT-R9).
func TestProcessedEventsLiveThirtyDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.enqueue(likeEvent("ana", "p1"))
	w.advance(29 * 24 * time.Hour)
	w.work()
	w.advance(29 * 24 * time.Hour)
	if e := w.event(id); e.Status != Completed || len(w.list()) != 1 {
		t.Errorf("after 58 days: %+v", e)
	}
	w.disableQuietHours()
	w.register("phone")
	w.advance(24*time.Hour + time.Second)
	w.want(404, w.admin("GET", "/events/"+string(id)+"?userId=ana", nil))
	if len(w.list()) != 0 {
		t.Error("the notification is there after thirty days")
	}
	w.advance(1000 * 24 * time.Hour)
	if got := w.ana("GET", "/devices", nil); !strings.Contains(got.Raw, "token-phone") {
		t.Errorf("devices expire: %s", got.Raw)
	}
	if got := w.ana("GET", "/preferences", nil); got.Body["updatedAt"] == nil {
		t.Errorf("preferences expire: %s", got.Raw)
	}
}
