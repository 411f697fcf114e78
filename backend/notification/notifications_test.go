package notification

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
)

// createNotifications writes notifications of ana, one second apart.
func (w *world) createNotifications(category Category, n int) (ids []ID) {
	w.t.Helper()
	for i := range n {
		w.advance(time.Second)
		id, err := newID()
		if err != nil {
			w.t.Fatal(err)
		}
		_, err = w.service.store.createNotification(w.t.Context(), Notification{
			ID: id, UserID: "ana", Category: category, EventType: PostLike, Title: "New like", Body: fmt.Sprint(i),
			CreatedAt: w.service.now(),
		}, nil, "")
		if err != nil {
			w.t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

// pages follows the cursor to the end and returns the ids of every page.
func (w *world) pages(path string) (pages [][]string) {
	w.t.Helper()
	for cursor := ""; ; {
		got := w.want(200, w.ana("GET", path+cursor, nil))
		var ids []string
		for _, n := range got.Body["notifications"].([]any) {
			ids = append(ids, n.(object)["id"].(string))
		}
		pages = append(pages, ids)
		next := got.Text("cursor")
		if next == "" {
			return pages
		}
		if cursor = "&cursor=" + url.QueryEscape(next); !strings.Contains(path, "?") {
			cursor = "?" + cursor[1:]
		}
	}
}

// TestPages checks that pages have 20 entries, newest first, up to the end, without dismissed ones (NT-P6).
func TestPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if got := w.want(200, w.ana("GET", "/notifications", nil)); !strings.Contains(got.Raw, `"notifications":[]`) {
		t.Errorf("before the first one: %s", got.Raw)
	}
	ids := w.createNotifications(Social, 45)
	listed := w.createNotifications(News, 3)
	w.want(200, w.ana("POST", "/notifications/"+string(ids[44])+"/dismiss", nil))
	pages := w.pages("/notifications")
	var all []string
	for i, page := range pages {
		if len(page) != 20 && i < 2 {
			t.Errorf("page %d has %d", i, len(page))
		}
		all = append(all, page...)
	}
	if len(all) != 47 || all[0] != string(listed[2]) || all[3] != string(ids[43]) || all[46] != string(ids[0]) {
		t.Errorf("%d notifications in pages %v", len(all), pages)
	}
	if got := w.pages("/notifications?category=NEWS&limit=2"); len(got) < 2 || got[0][0] != string(listed[2]) ||
		len(got[0]) != 2 || len(got[1]) != 1 {
		t.Errorf("news: %v", got)
	}
}

// TestCursors checks that forged cursors and those of other users and listings are refused.
func TestCursors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.createNotifications(Social, 5)
	valid := w.want(200, w.ana("GET", "/notifications?limit=2", nil)).Text("cursor")
	if valid == "" {
		t.Fatal("no cursor")
	}
	invented := base64.RawURLEncoding.EncodeToString([]byte(`{"user":"ana","category":"","token":"tomorrow"}`))
	for name, cursor := range map[string]string{
		"nonsense": "!", "cut": valid[:len(valid)/2], "invented": invented, "longer": valid + "AAAA",
	} {
		w.wantCursorRefused(name, w.ana("GET", "/notifications?limit=2&cursor="+url.QueryEscape(cursor), nil))
	}
	w.wantCursorRefused("bob's", w.as("bob", "GET", "/notifications?limit=2&cursor="+valid, nil))
	w.wantCursorRefused("another listing's", w.ana("GET", "/notifications?limit=2&category=NEWS&cursor="+valid, nil))
	w.want(200, w.ana("GET", "/notifications?limit=2&cursor="+valid, nil))
	for _, query := range []string{"limit=0", "limit=101", "category=social", "category=", "more=1"} {
		w.want(422, w.ana("GET", "/notifications?"+query, nil))
	}
}

func (w *world) wantCursorRefused(name string, got interface{ Text(string) string }) {
	w.t.Helper()
	if got.Text("detail") == "" || !strings.Contains(fmt.Sprint(got), "query.cursor") ||
		!strings.Contains(fmt.Sprint(got), "400") {
		w.t.Errorf("%s: %v", name, got)
	}
}

// TestReadAndDismiss checks that notifications are marked once, and counted (NT-P8, NT-P5).
func TestReadAndDismiss(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := w.createNotifications(Social, 4)
	at := func(n int) string { return "/notifications/" + string(ids[n]) }
	first := w.want(200, w.ana("POST", at(0)+"/read", nil))
	w.advance(time.Minute)
	again := w.want(200, w.ana("POST", at(0)+"/read", nil))
	if first.Body["read"] != true || first.Text("readAt") == "" || first.Raw != again.Raw ||
		first.Body["dismissed"] != false {
		t.Errorf("%s\n%s", first.Raw, again.Raw)
	}
	gone := w.want(200, w.ana("POST", at(1)+"/dismiss", nil))
	if gone.Body["dismissed"] != true || gone.Body["read"] != false || gone.Text("dismissedAt") == "" {
		t.Errorf("%s", gone.Raw)
	}
	if got := w.ana("GET", "/notifications/unread", nil); got.Body["unread"] != 2.0 || len(w.list()) != 3 {
		t.Errorf("%s", got.Raw)
	}
	w.want(404, w.as("bob", "POST", at(2)+"/read", nil))
	w.want(404, w.ana("POST", "/notifications/none/dismiss", nil))
	if got := w.want(200, w.ana("POST", "/notifications/read", nil)); got.Body["read"] != 2.0 {
		t.Errorf("%s", got.Raw)
	}
	if got := w.want(200, w.ana("POST", "/notifications/read", nil)); got.Body["read"] != 0.0 {
		t.Errorf("again: %s", got.Raw)
	}
	w.want(200, w.ana("GET", "/notifications/unread", nil))
}

// TestGuardIsNoNotification checks that the guard, a document beside a user's notifications, is not one (NT-P8).
func TestGuardIsNoNotification(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.enqueue(with(likeEvent("ana", "p1"), "dedupeKey", "k"))
	w.work()
	for _, action := range []string{"read", "dismiss"} {
		w.want(404, w.ana("POST", "/notifications/"+string(guardID)+"/"+action, nil))
	}
}

// TestReadAll marks more notifications than fit into a batch, while others mark some too.
func TestReadAll(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := w.createNotifications(Social, 130)
	var all sync.WaitGroup
	all.Go(func() { w.ana("POST", "/notifications/read", nil) })
	for _, id := range ids[:10] {
		all.Go(func() { w.ana("POST", "/notifications/"+string(id)+"/read", nil) })
	}
	all.Wait()
	if got := w.ana("GET", "/notifications/unread", nil); got.Body["unread"] != 0.0 {
		t.Errorf("%s", got.Raw)
	}
}

// TestPreferences checks the defaults, then what was set; invalid preferences are refused and nothing is written
// (NT-P9, NT-R11).
func TestPreferences(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := w.want(200, w.ana("GET", "/preferences", nil))
	if got.Text("timezone") != "UTC" || got.Body["updatedAt"] != nil || got.Body["quietHours"].([]any)[22] != true ||
		got.Body["quietHours"].([]any)[7] != false {
		t.Errorf("%s", got.Raw)
	}
	set := w.want(200, w.ana("PUT", "/preferences", object{"timezone": "Asia/Kolkata",
		"categories": object{"marketing": false}}))
	if got := w.ana("GET", "/preferences", nil); got.Raw != set.Raw || got.Body["categories"].(object)["social"] != true ||
		got.Body["categories"].(object)["marketing"] != false {
		t.Errorf("%s", got.Raw)
	}
	for name, body := range map[string]any{
		"unknown zone": object{"timezone": "Mars/Olympus"}, "Local": object{"timezone": "Local"},
		"leap seconds": object{"timezone": "right/UTC"},
		"23 hours":     object{"quietHours": make([]bool, 23)}, "25 hours": object{"quietHours": make([]bool, 25)},
		"numbers": object{"quietHours": make([]int, 24)}, "safety": object{"categories": object{"safety": false}},
		"text": object{"categories": object{"social": "no"}},
	} {
		if got := w.ana("PUT", "/preferences", body); got.Status != 422 {
			t.Errorf("%s: %d %s", name, got.Status, got.Raw)
		}
	}
	if got := w.ana("GET", "/preferences", nil); got.Raw != set.Raw {
		t.Errorf("changed: %s", got.Raw)
	}
	const odd = "auth0|Ana.B_c:d@e+f=g-9"
	w.want(200, w.as(odd, "PUT", "/preferences", object{"timezone": "Europe/Berlin"}))
	if got := w.as(odd, "GET", "/preferences", nil); got.Text("timezone") != "Europe/Berlin" || got.Text("userId") != odd {
		t.Errorf("%s", got.Raw)
	}
}

// TestDeletion checks that everything of a user is deleted from the four containers and counted, even after an
// interruption at any point (NT-R10).
func TestDeletion(t *testing.T) {
	t.Parallel()
	for cut := range 8 {
		w := newWorld(t)
		w.disableQuietHours()
		w.register("phone")
		w.as("bob", "POST", "/devices", newDevice("bobs"))
		w.enqueue(likeEvent("ana", "p1"))
		w.enqueue(likeEvent("bob", "p1"))
		w.work()
		w.enqueue(likeEvent("ana", "p2"))
		requests := 0
		w.transport.setFault(func(*http.Request, string) injectedFault {
			requests++
			return injectedFault{lostRequest: requests > cut}
		})
		sum := map[string]float64{}
		for try := range 2 {
			got := w.admin("DELETE", "/users/ana", nil)
			if try == 0 && cut > 0 && got.Status != 503 {
				t.Fatalf("cut at %d: %d %s", cut, got.Status, got.Raw)
			}
			w.transport.setFault(nil)
			if got.Status == 200 {
				for name, n := range got.Body {
					sum[name] = n.(float64)
				}
			}
		}
		if cut == 0 &&
			fmt.Sprint(sum) != "map[device_tokens:1 notification_events:2 notification_preferences:1 notifications:1]" {
			t.Errorf("removed %v", sum)
		}
		w.wantNoDocuments("ana")
		if got := w.as("bob", "GET", "/notifications", nil); !strings.Contains(got.Raw, "liked") {
			t.Errorf("bob's: %s", got.Raw)
		}
	}
}

// wantNoDocuments checks that no container has a document of a user.
func (w *world) wantNoDocuments(user string) {
	w.t.Helper()
	s := w.service.store
	for _, c := range []*cosmosdb.Container{s.events, s.notifications, s.preferences, s.devices} {
		left, err := cosmosdb.QueryAll[object](w.t.Context(), c, cosmosdb.Query{PartitionKey: user, Text: "SELECT * FROM c"},
			0)
		if err != nil || len(left) > 0 {
			w.t.Errorf("left: %v %v", left, err)
		}
	}
}

// TestDeletionDuringProcessing checks that a worker deletes what it wrote for an event that is gone (NT-R10).
func TestDeletionDuringProcessing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.enqueue(likeEvent("ana", "p1"))
	reached := false
	w.transport.setFault(func(r *http.Request, body string) injectedFault {
		if r.Method == http.MethodPut && strings.Contains(body, `"COMPLETED"`) && !reached {
			reached = true
			w.transport.mu.Unlock() // the deletion uses the same wire
			defer w.transport.mu.Lock()
			w.want(200, w.admin("DELETE", "/users/ana", nil))
		}
		return injectedFault{}
	})
	w.disableQuietHours()
	if did := w.work(); !reached || did.Claimed != 1 || did.Completed != 0 {
		t.Errorf("%v %+v\n%s", reached, did, w.log)
	}
	w.transport.setFault(nil)
	w.wantNoDocuments("ana")
}

// TestThrottling checks that requests that get a 429 are retried after the pause that the database asks for, and that
// nothing is lost (NT-L7).
func TestThrottling(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var mu sync.Mutex
	n := 0
	w.transport.setFault(func(*http.Request, string) injectedFault {
		mu.Lock()
		defer mu.Unlock()
		if n++; n%3 != 0 {
			return injectedFault{status: 429, retryAfter: 1500}
		}
		return injectedFault{}
	})
	began := w.db.Now()
	for i := range 5 {
		w.enqueue(likeEvent("ana", fmt.Sprint(i)))
	}
	did := w.work()
	for rounds := 0; did.Busy() && rounds < 5; rounds++ { // the pauses use up a round's time
		next := w.work()
		did, did.More = did.add(next), next.More
	}
	if did.Completed+did.Waiting != 5 || len(w.list()) != 5 || w.db.Now().Sub(began) < 15*time.Second {
		t.Errorf("%+v after %s", did, w.db.Now().Sub(began))
	}
	w.transport.setFault(func(*http.Request, string) injectedFault { return injectedFault{status: 429, retryAfter: 5} })
	got := w.admin("POST", "/events", likeEvent("ana", "p1"))
	if got.Status != 503 || got.Header.Get("Retry-After") == "" || !strings.Contains(got.Raw, "too busy") {
		t.Errorf("%d %s", got.Status, got.Raw)
	}
}
