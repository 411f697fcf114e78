package kefir

import (
	"slices"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/push"
)

// TestDeviceRegistersAgain checks that a device that registers while the push service rejects its token is kept, also
// with the same token: an app that was removed from an iPhone and installed again has the same one (KF-R5).
func TestDeviceRegistersAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, id := range []string{"deleted", "dead", "again"} {
		w.device("ana", id)
	}
	w.reminder("ana", w.batch("ana"), time.Minute)
	w.advance(time.Hour)
	p := &phones{fail: func(string) error { return push.ErrUnregistered }, before: func() {
		w.device("ana", "again")
		w.want(204, w.ana("DELETE", "/devices/deleted", nil))
	}}
	if run := w.run(NewScheduler(w.service, p)); run.Sent != 1 || run.DevicesRemoved != 1 {
		t.Errorf("%+v", run)
	}
	if left := w.pages("ana", "/devices?limit=9", "devices", "deviceId"); !slices.Equal(left, []string{"again"}) {
		t.Errorf("devices %v", left)
	}
}

// TestCancelAfterFailedPush checks that a reminder that the push service did not accept can be cancelled at once, and
// that it is not retried before the claim would have ended (KF-R5).
func TestCancelAfterFailedPush(t *testing.T) {
	t.Parallel()
	w, batch := newWorldWithPhone(t)
	cancelled, retried := w.reminder("ana", batch, time.Minute), w.reminder("ana", batch, time.Minute)
	w.advance(time.Hour)
	p := &phones{fail: func(string) error { return push.ErrUnavailable }}
	if run := w.run(NewScheduler(w.service, p)); run.Failed != 2 {
		t.Errorf("the service is unavailable: %+v", run)
	}
	w.want(200, w.ana("POST", "/batches/"+batch+"/reminders/"+cancelled+"/cancel", nil))
	p.fail = nil
	w.advance(leaseDuration - time.Second)
	if run := w.run(NewScheduler(w.service, p)); run.Taken != 1 || len(p.got) != 0 {
		t.Errorf("before the next attempt: %+v, pushed %v", run, p.got)
	}
	w.advance(2 * time.Second)
	if run := w.run(NewScheduler(w.service, p)); run.Sent != 1 || !slices.Equal(p.got, []string{retried}) {
		t.Errorf("the next attempt: %+v, pushed %v", run, p.got)
	}
}

// TestCancelAfterTimeout checks that a reminder whose push may still be on its way cannot be cancelled.
func TestCancelAfterTimeout(t *testing.T) {
	t.Parallel()
	w, batch := newWorldWithPhone(t)
	id := w.reminder("ana", batch, time.Minute)
	w.advance(time.Hour)
	if run := w.run(NewScheduler(w.service, &slowPhones{})); run.Failed != 1 {
		t.Errorf("%+v", run)
	}
	w.want(409, w.ana("POST", "/batches/"+batch+"/reminders/"+id+"/cancel", nil))
	w.advance(leaseDuration + time.Second)
	w.want(200, w.ana("POST", "/batches/"+batch+"/reminders/"+id+"/cancel", nil))
}
