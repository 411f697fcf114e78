package devicetoken

import (
	"testing"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
)

// TestStoredForm stores devices that are registered, refreshed and logged out, with and without the index of active
// devices.
func TestStoredForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, ctx := w.service.store, t.Context()
	check := func(ok bool, err error) {
		t.Helper()
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
	}
	const at, later, last = "2026-02-03T10:30:00Z", "2026-02-04T10:30:00Z", "2026-02-05T10:30:00Z"
	device := Device{Platform: "ios", Token: "ExponentPushToken[1]", RegisteredAt: at, UpdatedAt: at, IsActive: true,
		ExpiresAt: 1777890600}
	for user, index := range map[UserID]bool{"ana": true, "bob": false} {
		s.activeIndex = index
		for _, id := range []DeviceID{"new", "renewed", "inactive", "dead"} {
			device.DeviceID = id
			check(s.create(ctx, user, device))
		}
		_, ok, err := s.deactivate(ctx, user, "inactive", later)
		check(ok, err)
		check(s.deactivateUnregistered(ctx, user, device, later))
		_, ok, err = s.refresh(ctx, user, "renewed", "ExponentPushToken[2]", last, 1777990600)
		check(ok, err)
	}
	dbtest.CheckStoredForm(t, w.client, s.table)
}
