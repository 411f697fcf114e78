package notification

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/push"
)

// workers runs rounds of several services concurrently until none finds anything, and sums the results.
func (w *world) workers(n int) (sum WorkResult) {
	w.t.Helper()
	var mu sync.Mutex
	var wait sync.WaitGroup
	for range n {
		s := w.newService()
		wait.Go(func() {
			for {
				did, err := s.Work(context.Background())
				if err != nil {
					w.t.Error(err)
					return
				}
				mu.Lock()
				sum = sum.add(did)
				mu.Unlock()
				if did.Found == 0 {
					return
				}
			}
		})
	}
	wait.Wait()
	return sum
}

// TestOnlyOneWorkerDispatches lets four workers compete for the same events: each is claimed and pushed once
// (NT-R1).
func TestOnlyOneWorkerDispatches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.disableQuietHours()
	w.register("phone")
	var ids []ID
	for i := range 12 {
		ids = append(ids, w.enqueue(likeEvent("ana", fmt.Sprint("p", i))))
	}
	did := w.workers(4)
	if did.Claimed != 12 || did.Completed != 12 || did.Pushed != 12 || len(w.push.messages()) != 12 ||
		len(w.list()) != 12 {
		t.Errorf("%+v, %d pushes, %d notifications\n%s", did, len(w.push.messages()), len(w.list()), w.log)
	}
	for _, id := range ids {
		if e := w.event(id); e.Status != Completed || e.RetryCount != 0 {
			t.Errorf("%+v", e)
		}
	}
}

// TestConcurrentDuplicatesNotifyOnce enqueues duplicates while workers are running: there is one notification, and all
// others are DEDUPLICATED (NT-R3).
func TestConcurrentDuplicatesNotifyOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var wait sync.WaitGroup
	for range 10 {
		wait.Go(func() { w.admin("POST", "/events", with(likeEvent("ana", "p1"), "dedupeKey", "like:p1")) })
		wait.Go(func() {
			if _, err := w.newService().Work(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	did := w.workers(2)
	stats := w.service.Stats()
	if len(w.list()) != 1 || stats.Enqueued != 10 {
		t.Errorf("%d notifications of %d events; at last %+v\n%s", len(w.list()), stats.Enqueued, did, w.log)
	}
	events, err := w.service.store.eventsWithKey(t.Context(), "ana", "like:p1", moment(start()))
	if err != nil || len(events) != 10 {
		t.Fatal(len(events), err)
	}
	slices.SortFunc(events, func(a, b Event) int { return strings.Compare(string(a.Status), string(b.Status)) })
	if events[0].Status != Completed || events[1].Status != Deduplicated || events[9].Status != Deduplicated {
		t.Errorf("%+v", events)
	}
}

// TestDedupeWindowEnds checks that the same is notified again after the window, though duplicates kept coming (NT-R3).
func TestDedupeWindowEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 7 { // every 25 minutes, with a window of an hour
		w.enqueue(with(likeEvent("ana", "p1"), "dedupeKey", "k"))
		w.enqueue(with(likeEvent("bob", "p1"), "dedupeKey", "k"))
		w.work()
		w.advance(25 * time.Minute)
	}
	if n := len(w.list()); n != 3 {
		t.Errorf("%d notifications in two hours and a half, want 3", n)
	}
}

// TestMutedEventIsNoDuplicate checks that an event of a category that was off, which notified nobody, does not make the
// next one with its key a duplicate (NT-R3, NT-R7).
func TestMutedEventIsNoDuplicate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var got []Status
	for _, social := range []bool{false, true, true} {
		w.want(200, w.ana("PUT", "/preferences", object{"categories": object{"social": social}}))
		id := w.enqueue(with(likeEvent("ana", "p1"), "dedupeKey", "k"))
		w.work()
		got = append(got, w.event(id).Status)
		w.advance(10 * time.Minute)
	}
	if n := len(w.list()); n != 1 || !slices.Equal(got, []Status{Completed, Completed, Deduplicated}) {
		t.Errorf("%d notifications of events that are %v", n, got)
	}
}

// TestRateLimit checks that there is no notification over the rate limit (NT-R4), in any race.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.config.Rates = map[Category]Rate{Social: {Max: 5, Window: time.Hour}}
	for i := range 12 {
		w.enqueue(likeEvent("ana", fmt.Sprint("p", i)))
	}
	w.enqueue(object{"userId": "ana", "eventType": "SECURITY_PASSWORD_CHANGED"})
	did := w.workers(4)
	if did.Completed != 6 || did.RateLimited != 7 || len(w.list()) != 6 {
		t.Errorf("%+v, %d notifications\n%s", did, len(w.list()), w.log)
	}
	w.advance(time.Hour + time.Millisecond)
	w.enqueue(likeEvent("ana", "late"))
	if did := w.workers(1); did.Completed != 1 {
		t.Errorf("after the window: %+v", did)
	}
}

// TestPreferencesAreApplied checks that a switched-off category leaves no trace; that in quiet hours the notification
// is in the app at once and on the phone when they end; and that safety and security ignore both (NT-R6, NT-R7).
func TestPreferencesAreApplied(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.register("phone")
	w.want(200, w.ana("PUT", "/preferences", object{"timezone": "Europe/Berlin", "categories": object{"news": false}}))
	w.advance(12 * time.Hour) // 23:30 in Berlin
	w.enqueue(object{"userId": "ana", "eventType": "NEWS_SYSTEM_UPDATE"})
	w.enqueue(object{"userId": "ana", "eventType": "SAFETY_ACCOUNT_WARNING"})
	id := w.enqueue(likeEvent("ana", "p1"))
	did := w.work()
	if did.Completed != 2 || did.Muted != 1 || did.Waiting != 1 || did.Pushed != 1 || len(w.list()) != 2 {
		t.Errorf("in the night: %+v, %d notifications\n%s", did, len(w.list()), w.log)
	}
	if e := w.event(id); e.Status != Processing || e.PushAfter != "2026-02-04T06:00:00.000Z" {
		t.Errorf("waiting: %+v", e)
	}
	for _, hours := range []float64{2, 5.49} { // until just before 7:00
		w.advance(time.Duration(hours * float64(time.Hour)))
		if did := w.work(); did.Found != 0 {
			t.Errorf("after %v hours: %+v", hours, did)
		}
	}
	w.advance(time.Minute)
	if did := w.work(); did.Completed != 1 || did.Pushed != 1 {
		t.Errorf("in the morning: %+v\n%s", did, w.log)
	}
	if e := w.event(id); e.Status != Completed || e.RetryCount != 0 || len(w.list()) != 2 ||
		len(w.push.messages()) != 2 {
		t.Errorf("in the end: %+v", e)
	}
}

// TestFailedPushes checks that failed pushes are retried with growing pauses, and that the sixth failure is final
// (NT-R2).
func TestFailedPushes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.disableQuietHours()
	w.register("phone")
	w.push.failWith(func(push.Message) error { return push.ErrUnavailable })
	id := w.enqueue(likeEvent("ana", "p1"))
	for _, minutes := range []int{0, 1, 2, 4, 8, 16} {
		w.advance(time.Duration(minutes) * time.Minute)
		if did := w.work(); did.Failed != 1 {
			t.Errorf("after %d minutes: %+v", minutes, did)
		}
		if did := w.work(); did.Found != 0 {
			t.Errorf("at once again: %+v", did)
		}
	}
	e := w.event(id)
	if !e.Final() || e.Status != Failed || e.RetryCount != 5 || e.LastError == "" || e.ProcessedAt == "" ||
		len(w.list()) != 1 {
		t.Errorf("%+v, %d notifications", e, len(w.list()))
	}
	w.push.failWith(nil)
	id = w.enqueue(likeEvent("ana", "p2"))
	w.push.failWith(func(push.Message) error { return errors.New("a cable") })
	w.work()
	w.push.failWith(nil)
	w.advance(time.Minute)
	w.work()
	if e := w.event(id); e.Status != Completed || e.RetryCount != 1 || e.LastError != "a cable" || len(w.list()) != 2 {
		t.Errorf("in the second try: %+v", e)
	}
}

// TestPushReachesOneOfTwoPhones checks that a push that fails on one phone, with another one reached, is not retried,
// but recorded and logged (NT-R2).
func TestPushReachesOneOfTwoPhones(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.disableQuietHours()
	w.register("android")
	w.registerIPhone("iphone")
	w.push.failTo("token-iphone", push.ErrUnavailable)
	id := w.enqueue(likeEvent("ana", "p1"))
	if did := w.work(); did.Pushed != 1 || did.Completed != 1 {
		t.Errorf("%+v", did)
	}
	if e := w.event(id); e.Status != Completed || e.LastError != Text(push.ErrUnavailable.Error()) {
		t.Errorf("%+v", e)
	}
	if text := w.log.String(); !strings.Contains(text, "push failed on some devices") {
		t.Errorf("not logged:\n%s", text)
	}
}

// TestUnregisteredTokens checks that a device with a dead token is revoked, and that a permanent problem is recorded
// (NT-R2).
func TestUnregisteredTokens(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.disableQuietHours()
	w.register("dead")
	w.registerIPhone("alive")
	w.push.failTo("token-dead", push.ErrUnregistered)
	w.enqueue(likeEvent("ana", "p1"))
	if did := w.work(); did.Revoked != 1 || did.Pushed != 1 || did.Completed != 1 {
		t.Errorf("%+v\n%s", did, w.log)
	}
	if got := w.ana("GET", "/devices", nil); strings.Contains(got.Raw, "token-dead") || !strings.Contains(got.Raw,
		"token-alive") {
		t.Errorf("%s", got.Raw)
	}
	w.push.failWith(func(push.Message) error { return push.ErrInvalid })
	id := w.enqueue(likeEvent("ana", "p2"))
	w.work()
	if e := w.event(id); e.Status != Completed || e.LastError != Text(push.ErrInvalid.Error()) {
		t.Errorf("%+v", e)
	}
}

// TestCrashAtAnyRequest cuts the connection at each request of a round in turn, before and after the database has
// applied it: in the end there is one notification, one final status and at least one push (NT-R1, NT-R2).
func TestCrashAtAnyRequest(t *testing.T) {
	t.Parallel()
	for _, answerLost := range []bool{false, true} {
		for at := 0; ; at++ {
			w := newWorld(t)
			w.disableQuietHours()
			w.register("phone")
			id := w.enqueue(with(likeEvent("ana", "p1"), "dedupeKey", "k"))
			requests := 0
			var mu sync.Mutex
			w.transport.setFault(func(*http.Request, string) injectedFault {
				mu.Lock()
				defer mu.Unlock()
				if requests++; requests <= at {
					return injectedFault{}
				}
				if requests == at+1 {
					return injectedFault{lostRequest: !answerLost, lostResponse: answerLost}
				}
				return injectedFault{lostRequest: true} // the process is gone
			})
			_, err := w.service.Work(t.Context())
			w.transport.setFault(nil)
			mu.Lock()
			done := requests <= at
			mu.Unlock()
			if done && err == nil {
				break
			}
			for range 8 {
				w.advance(leaseDuration)
				w.workers(1)
			}
			if e := w.event(id); e.Status != Completed || len(w.list()) != 1 || len(w.push.messages()) == 0 {
				t.Errorf("crash at request %d: %+v, %d notifications, %d pushes", at, e, len(w.list()), len(w.push.messages()))
			}
		}
	}
}
