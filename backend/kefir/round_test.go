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
