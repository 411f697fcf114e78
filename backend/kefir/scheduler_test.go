package kefir

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/push"
)

// phones is a push service for tests.
type phones struct {
	mu     sync.Mutex
	got    []string // bodies, in order of arrival
	fail   func(to string) error
	before func() // called before each Send
}

func (p *phones) Send(ctx context.Context, messages []push.Message) ([]push.Result, error) {
	if p.before != nil {
		p.before()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	var results []push.Result
	for _, m := range messages {
		r := push.Result{Token: m.To}
		if p.fail != nil {
			r.Err = p.fail(m.To)
		}
		if r.Err == nil {
			p.got = append(p.got, m.Data["reminderId"])
		}
		results = append(results, r)
	}
	return results, ctx.Err()
}

func (w *world) run(s *Scheduler) Run {
	w.t.Helper()
	run, err := s.RunOnce(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return run
}

func (w *world) device(user, id string) {
	w.t.Helper()
	w.as(user, "PUT", "/devices/"+id, object{"platform": "ios", "pushToken": "ExponentPushToken[" + id + "]"})
}

func (w *world) status(user, batch, id string) string {
	w.t.Helper()
	for _, m := range w.want(200, w.as(user, "GET", "/batches/"+batch+"/reminders", nil)).body["reminders"].([]any) {
		if m := m.(object); m["reminderId"] == id {
			return m["status"].(string)
		}
	}
	return "gone"
}

// TestSchedulersRace checks that concurrent schedulers send each due reminder once, and none that is not due or was
// cancelled (KF-R5).
func TestSchedulersRace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var due []string
	batch := w.batch("ana")
	w.device("ana", "phone")
	for i := range 30 {
		due = append(due, w.reminder("ana", batch, time.Duration(1+i*10)*time.Minute))
	}
	late := w.reminder("ana", batch, 30*time.Hour)
	cancelled := w.reminder("ana", batch, time.Minute)
	w.want(200, w.ana("POST", "/batches/"+batch+"/reminders/"+cancelled+"/cancel", nil))
	p := &phones{}
	if run := w.run(NewScheduler(w.service, p)); run.Due != 0 {
		t.Errorf("nothing is due yet: %+v", run)
	}
	w.advance(6 * time.Hour)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { w.run(NewScheduler(w.service, p)) })
	}
	all.Wait()
	slices.Sort(p.got)
	slices.Sort(due)
	if !slices.Equal(p.got, due) {
		t.Errorf("pushed %d of %d: %v", len(p.got), len(due), p.got)
	}
	for id, want := range map[string]string{due[0]: "sent", late: "pending", cancelled: "cancelled"} {
		if got := w.status("ana", batch, id); got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	if again := w.run(NewScheduler(w.service, p)); again.Due != 0 || again.ReadUnits > 5 {
		t.Errorf("a run with nothing due: %+v", again)
	}
	if got := w.pages("ana", "/reminders/upcoming?limit=5", "reminders", "reminderId"); !slices.Equal(got,
		[]string{late}) {
		t.Errorf("upcoming %v", got)
	}
}

// TestCancelDuringClaim checks that a reminder that is being sent cannot be cancelled until the claim of a dead
// scheduler has ended.
func TestCancelDuringClaim(t *testing.T) {
	t.Parallel()
	w, batch := newWorldWithPhone(t)
	id := w.reminder("ana", batch, time.Minute)
	cancel := "/batches/" + batch + "/reminders/" + id + "/cancel"
	w.advance(time.Hour)
	p := &phones{before: func() {
		if got := w.ana("POST", cancel, nil); got.status != 409 || !strings.Contains(got.raw, "being sent") {
			t.Errorf("while it is sent: %d %s", got.status, got.raw)
		}
		w.transport.setFault(refuseFirst("UpdateItem")) // it dies before it records the push
	}}
	if _, err := NewScheduler(w.service, p).RunOnce(t.Context()); err == nil {
		t.Error("it lives")
	}
	if len(p.got) != 1 || w.status("ana", batch, id) != "pending" {
		t.Errorf("pushed %v, status %s", p.got, w.status("ana", batch, id))
	}
	p.before = nil
	if run := w.run(NewScheduler(w.service, p)); run.Taken != 1 {
		t.Errorf("the claim still holds: %+v", run)
	}
	w.advance(leaseDuration + time.Second)
	if run := w.run(NewScheduler(w.service, p)); run.Sent != 1 || len(p.got) != 2 {
		t.Errorf("after the claim: %+v, pushed %v", run, p.got)
	}
	sent := w.want(409, w.ana("POST", cancel, nil))
	if !strings.Contains(sent.raw, "was sent") {
		t.Error(sent.raw)
	}
}

// TestPushFails checks that an unregistered device is removed, and that an unavailable service is retried for a day.
func TestPushFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	batch := w.batch("ana")
	w.device("ana", "old")
	w.device("ana", "new")
	one := w.reminder("ana", batch, time.Minute)
	p := &phones{fail: func(to string) error {
		if to == "ExponentPushToken[old]" {
			return fmt.Errorf("expo: %w", push.ErrUnregistered)
		}
		return nil
	}}
	w.advance(time.Hour)
	if run := w.run(NewScheduler(w.service, p)); run.Sent != 1 || run.Pushed != 1 || run.DevicesRemoved != 1 {
		t.Errorf("one device of two: %+v", run)
	}
	if remaining := w.pages("ana", "/devices?limit=9", "devices", "deviceId"); !slices.Equal(remaining, []string{"new"}) {
		t.Errorf("devices %v", remaining)
	}
	two := w.reminder("ana", batch, time.Minute)
	p.fail = func(string) error { return push.ErrUnavailable }
	w.advance(time.Hour)
	if run := w.run(NewScheduler(w.service, p)); run.Failed != 1 || w.status("ana", batch, two) != "pending" {
		t.Errorf("the service is away: %+v", run)
	}
	w.advance(26 * time.Hour)
	if run := w.run(NewScheduler(w.service, p)); run.GivenUp != 1 || w.status("ana", batch, two) != "cancelled" {
		t.Errorf("a day later: %+v", run)
	}
	if w.status("ana", batch, one) != "sent" || strings.Contains(w.log.String(), "token-of") {
		t.Errorf("the first is %s, or the log shows a token", w.status("ana", batch, one))
	}
}

// TestOneRecordFails checks that reminders that were pushed are recorded although the database refuses to record one of
// them, or to remove a device.
func TestOneRecordFails(t *testing.T) {
	t.Parallel()
	const reminders = 40 // more than are recorded concurrently
	for operation, recorded := range map[string]int{"UpdateItem": reminders - 1, "DeleteItem": reminders} {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			batch := w.batch("ana")
			w.device("ana", "old")
			w.device("ana", "new")
			for range reminders {
				w.reminder("ana", batch, time.Minute)
			}
			w.advance(time.Hour)
			p := &phones{fail: func(to string) error {
				if to == "ExponentPushToken[old]" {
					return push.ErrUnregistered
				}
				return nil
			}}
			p.before = func() { w.transport.setFault(refuseFirst(operation)) }
			run, err := NewScheduler(w.service, p).RunOnce(t.Context())
			if err == nil || run.Sent != recorded || len(p.got) != reminders {
				t.Errorf("%+v, pushed %d, error %v", run, len(p.got), err)
			}
		})
	}
}

// slowPhones is a push service that is so slow that sending times out after the first messages.
type slowPhones struct {
	phones
	first int // number of messages before the time is over
}

func (p *slowPhones) Send(ctx context.Context, messages []push.Message) ([]push.Result, error) {
	known := min(p.first, len(messages))
	results, _ := p.phones.Send(ctx, messages[:known])
	for _, m := range messages[known:] {
		results = append(results, push.Result{Token: m.To, Err: push.ErrUnavailable})
	}
	return results, context.DeadlineExceeded
}

// TestUserWithManyDevices checks that a user with very many devices gets a limited number of pushes for a reminder, on
// the devices that were seen last, and that the reminders of other users are neither delayed nor repeated.
func TestUserWithManyDevices(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range maxDevices + 5 {
		w.device("ana", fmt.Sprint("phone", i))
		w.advance(time.Second)
	}
	w.device("bob", "bobs")
	anas := w.reminder("ana", w.batch("ana"), time.Minute)
	w.advance(time.Second)
	batch := w.batch("bob")
	bobs := w.reminder("bob", batch, time.Minute)
	w.run(NewScheduler(w.service, &phones{}))
	w.advance(time.Hour)
	var tokens []string
	p := &slowPhones{first: 2, phones: phones{fail: func(to string) error { tokens = append(tokens, to); return nil }}}
	if run := w.run(NewScheduler(w.service, p)); run.Sent != 2 || run.Pushed != 2 {
		t.Errorf("%+v", run)
	}
	newest := fmt.Sprintf("ExponentPushToken[phone%d]", maxDevices+4)
	if !slices.Contains(p.got, bobs) || !slices.Contains(p.got, anas) || !slices.Contains(tokens, newest) {
		t.Errorf("pushed %v to %v", p.got, tokens)
	}
	logged := w.log.String()
	if n := strings.Count(logged, `"level":"WARN"`); n != 1 || !strings.Contains(logged, `"unsent":99`) {
		t.Errorf("logged %d warnings for one timeout: %.500s", n, logged)
	}
	w.advance(leaseDuration + time.Second)
	if run := w.run(NewScheduler(w.service, p)); run.Due != 0 || w.status("bob", batch, bobs) != "sent" {
		t.Errorf("repeated: %+v", run)
	}
	w.reminder("ana", w.batch("ana"), time.Minute)
	w.advance(time.Hour)
	if run := w.run(NewScheduler(w.service, &phones{})); run.Pushed != maxDevices {
		t.Errorf("%d pushes for a reminder: %+v", run.Pushed, run)
	}
}

// TestManyUnregisteredDevices checks that reminders are recorded before the devices that no longer exist are removed,
// each once.
func TestManyUnregisteredDevices(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 3 {
		w.device("ana", fmt.Sprint("phone", i))
	}
	batch := w.batch("ana")
	for range 4 {
		w.reminder("ana", batch, time.Minute)
	}
	w.run(NewScheduler(w.service, &phones{}))
	w.advance(time.Hour)
	var operations []string
	var mu sync.Mutex
	p := &phones{fail: func(string) error { return push.ErrUnregistered }, before: func() {
		w.transport.setFault(func(operation, _ string) (string, int, bool) {
			mu.Lock()
			defer mu.Unlock()
			operations = append(operations, operation)
			return "", 0, false
		})
	}}
	run := w.run(NewScheduler(w.service, p))
	w.transport.setFault(nil)
	want := append(slices.Repeat([]string{"UpdateItem"}, 4), slices.Repeat([]string{"DeleteItem"}, 3)...)
	if run.Sent != 4 || run.DevicesRemoved != 3 || !slices.Equal(operations[:min(7, len(operations))], want) {
		t.Errorf("%+v, operations %v", run, operations)
	}
}

// TestStoppedRun checks that a run that is stopped while it pushes records what it pushed, and pushes nothing more.
func TestStoppedRun(t *testing.T) {
	t.Parallel()
	w, batch := newWorldWithPhone(t)
	for range roundSize + 1 {
		w.reminder("ana", batch, time.Minute)
	}
	w.run(NewScheduler(w.service, &phones{})) // later ones read the index
	w.advance(time.Hour)
	ctx, stop := context.WithCancel(t.Context())
	p := &phones{before: stop}
	run, err := NewScheduler(w.service, p).RunOnce(ctx)
	if !errors.Is(err, context.Canceled) || run.Sent != roundSize || len(p.got) != roundSize {
		t.Errorf("%+v, pushed %d, error %v", run, len(p.got), err)
	}
	if run := w.run(NewScheduler(w.service, p)); run.Sent != 1 {
		t.Errorf("the next run: %+v", run)
	}
}

// refuseFirst returns a fault that refuses the first request of an operation.
func refuseFirst(operation string) func(string, string) (string, int, bool) {
	refused := false
	return func(got, _ string) (string, int, bool) {
		if refused || got != operation {
			return "", 0, false
		}
		refused = true
		return `{"__type":"com.amazon.coral.validate#ValidationException","message":"refused"}`, 400, false
	}
}

// TestUsersWithoutPushes checks that users without a device, or with notifications off, get no push, and that their
// reminders are recorded as sent.
func TestUsersWithoutPushes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.want(201, w.ana("PUT", "/profile", object{"email": "a@example.com",
		"preferences": object{"notificationsEnabled": false}}))
	w.device("ana", "phone")
	anas, bobs := w.batch("ana"), w.batch("bob")
	w.reminder("ana", anas, time.Minute)
	w.reminder("bob", bobs, time.Minute)
	w.advance(time.Hour)
	p := &phones{}
	if run := w.run(NewScheduler(w.service, p)); run.Sent != 2 || len(p.got) != 0 {
		t.Errorf("%+v, pushed %v", run, p.got)
	}
}

// TestDue checks that the index and the scan count the same (KF-D3).
func TestDue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	batch := w.batch("ana")
	for i := range 5 {
		w.reminder("ana", batch, time.Duration(i+1)*time.Hour)
	}
	w.advance(3 * time.Hour)
	for _, by := range []string{"index", "scan"} {
		got := w.want(200, w.admin("/admin/reminders/due?limit=2&by="+by)).body
		if got["count"] != 3.0 || len(got["reminders"].([]any)) != 2 || got["readUnits"].(float64) <= 0 {
			t.Errorf("%s: %v", by, got)
		}
	}
}

// TestClockAhead checks that the checkpoint of a scheduler with a fast clock hides no due reminder.
func TestClockAhead(t *testing.T) {
	t.Parallel()
	w, batch := newWorldWithPhone(t)
	if err := w.service.store.moveCheckpoint(t.Context(), "", bucketAt(w.now().Add(48*time.Hour)),
		w.service.now()); err != nil {
		t.Fatal(err)
	}
	id := w.reminder("ana", batch, 30*time.Minute)
	w.advance(time.Hour)
	if run := w.run(NewScheduler(w.service, &phones{})); run.Sent != 1 || w.status("ana", batch, id) != "sent" {
		t.Errorf("%+v, and the reminder is %s", run, w.status("ana", batch, id))
	}
}

// TestRetryConflictsGivesUp checks that constant concurrent changes end as a conflict, and a database that stays busy
// does not.
func TestRetryConflictsGivesUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for want, got := range map[error]error{errConflict: nil, ddb.ErrBusy: fmt.Errorf("throttled: %w", ddb.ErrBusy)} {
		if err := w.service.retryConflicts(t.Context(), func() (bool, error) { return false, got }); !errors.Is(err, want) {
			t.Errorf("after %v: %v", got, err)
		}
	}
}
