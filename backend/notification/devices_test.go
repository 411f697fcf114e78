package notification

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
)

// devices returns the ids of ana's active devices, as the API lists them.
func (w *world) devices() (ids []string) {
	w.t.Helper()
	for _, d := range w.want(200, w.ana("GET", "/devices", nil)).Body["devices"].([]any) {
		ids = append(ids, d.(object)["deviceId"].(string))
	}
	return ids
}

// TestFourthDeviceReplacesOldest checks that a fourth device replaces the one that was seen longest ago (NT-P12,
// NT-P10, NT-P11).
func TestFourthDeviceReplacesOldest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, id := range []string{"a", "b", "c"} {
		w.register(id)
		w.advance(time.Minute)
	}
	refreshed := w.want(200, w.ana("PUT", "/devices/a", object{"pushToken": "newer"}))
	if refreshed.Text("pushToken") != "newer" || refreshed.Text("lastSeenAt") != string(moment(w.db.Now())) ||
		refreshed.Body["revokedAt"] != nil {
		t.Errorf("%s", refreshed.Raw)
	}
	w.advance(time.Minute)
	w.register("d")
	if got := fmt.Sprint(w.devices()); got != "[d a c]" {
		t.Errorf("active: %s", got)
	}
	w.want(404, w.ana("PUT", "/devices/b", object{"pushToken": "t"}))
	again := w.want(200, w.ana("POST", "/devices", with(newDevice("c"), "label", "Tablet")))
	if again.Text("label") != "Tablet" || fmt.Sprint(w.devices()) != "[c d a]" && fmt.Sprint(w.devices()) != "[d c a]" {
		t.Errorf("renewed: %s %v", again.Raw, w.devices())
	}
	w.want(204, w.ana("DELETE", "/devices/a", nil))
	w.want(204, w.ana("DELETE", "/devices/a", nil))
	w.want(204, w.ana("DELETE", "/devices/never", nil))
	w.register("b")
	if got := w.devices(); len(got) != 3 || got[0] != "b" {
		t.Errorf("after one was revoked: %v", got)
	}
	if got := w.as("bob", "GET", "/devices", nil); strings.Contains(got.Raw, "token") {
		t.Errorf("bob sees %s", got.Raw)
	}
}

// TestAtMostThreeActiveDevices registers many devices concurrently, some of them twice, revokes some, and reads
// throughout (NT-R8).
func TestAtMostThreeActiveDevices(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var all sync.WaitGroup
	registered := make(chan struct{})
	for i := range 8 {
		s := w.newService()
		all.Go(func() {
			id := DeviceID(fmt.Sprint("phone", i%6))
			if _, _, err := s.register(context.Background(), "ana", deviceRequest{DeviceID: id, PushToken: PushToken(id),
				Platform: FCM}); err != nil {
				t.Error(err)
			}
			if i == 5 {
				if err := s.unregister(context.Background(), "ana", id); err != nil {
					t.Error(err)
				}
			}
		})
	}
	go func() { all.Wait(); close(registered) }()
	for busy := true; busy; {
		select {
		case <-registered:
			busy = false
		default:
		}
		active, err := w.service.activeDevices(t.Context(), "ana")
		if err != nil || len(active) > maxActiveDevices {
			t.Fatalf("%d active devices %v", len(active), err)
		}
		seen := map[DeviceID]bool{}
		for _, d := range active {
			if seen[d.DeviceID] {
				t.Errorf("%s is active twice", d.DeviceID)
			}
			seen[d.DeviceID] = true
		}
	}
	if active, err := w.service.activeDevices(t.Context(), "ana"); err != nil || len(active) < 2 {
		t.Errorf("in the end %d active, %v", len(active), err)
	}
}

// TestRegistrationWithLostResponse checks that a registration is applied once, whichever of its requests lost its
// response.
func TestRegistrationWithLostResponse(t *testing.T) {
	t.Parallel()
	for lost := range 3 { // guard, query, batch
		w := newWorld(t)
		w.register("old")
		requests := 0
		w.transport.setFault(func(*http.Request, string) injectedFault {
			requests++
			return injectedFault{lostResponse: requests == lost+1}
		})
		w.want(201, w.ana("POST", "/devices", newDevice("new")))
		w.transport.setFault(nil)
		all, err := w.service.store.devicesByID(t.Context(), "ana", "new")
		if err != nil || len(all) != 1 || len(w.devices()) != 2 {
			t.Errorf("answer %d lost: %d documents, %v %v", lost, len(all), w.devices(), err)
		}
	}
}

// TestRevokedAtIsWrittenAsNull checks that revokedAt is written as null, and that a document without it is active too
// (NT-D2).
func TestRevokedAtIsWrittenAsNull(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.register("null")
	raw, err := cosmosdb.QueryAll[object](t.Context(), w.service.store.devices, cosmosdb.Query{
		PartitionKey: "ana", Text: "SELECT * FROM c WHERE c.deviceId = 'null' AND IS_NULL(c.revokedAt)",
	}, 0)
	if err != nil || len(raw) != 1 {
		t.Errorf("%v %v", raw, err)
	}
	err = w.service.store.devices.Create(t.Context(), "ana", object{"id": "old", "userId": "ana", "deviceId": "undefined",
		"lastSeenAt": "2020-01-01T00:00:00.000Z"})
	if err != nil || fmt.Sprint(w.devices()) != "[null undefined]" {
		t.Errorf("%v %v", w.devices(), err)
	}
}

// TestInvalidDevices checks that invalid devices are refused and nothing is written (NT-R11).
func TestInvalidDevices(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, body := range map[string]object{
		"platform":        with(newDevice("a"), "platform", "wns"),
		"no platform":     with(newDevice("a"), "platform", nil),
		"no token":        with(newDevice("a"), "pushToken", nil),
		"empty token":     with(newDevice("a"), "pushToken", ""),
		"token too long":  with(newDevice("a"), "pushToken", strings.Repeat("t", 1001)),
		"id a path":       with(newDevice("a"), "deviceId", ".."),
		"label of lines":  with(newDevice("a"), "label", "a\nb"),
		"a field to many": with(newDevice("a"), "revokedAt", nil),
	} {
		if name == "a field to many" {
			body["revokedAt"] = "2020-01-01T00:00:00.000Z"
		}
		if got := w.ana("POST", "/devices", body); got.Status != 422 {
			t.Errorf("%s: %d %s", name, got.Status, got.Raw)
		}
	}
	w.want(401, w.call("", "GET", "/devices", nil))
	if got := w.devices(); len(got) != 0 {
		t.Errorf("written: %v", got)
	}
}

// TestCleanup checks that the cleanup deletes what was revoked a quarter ago, and nothing else (NT-O3).
func TestCleanup(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 5 {
		w.register(fmt.Sprint("old", i)) // two are revoked
	}
	w.want(204, w.as("bob", "DELETE", "/devices/none", nil))
	w.advance(RevokedRetention)
	w.register("young")
	w.advance(time.Second)
	if did, err := w.service.CleanUpDevices(t.Context(), RevokedRetention, true); err != nil || did.Seen != 2 ||
		did.Deleted != 0 {
		t.Errorf("dry: %+v %v", did, err)
	}
	if did, err := w.service.CleanUpDevices(t.Context(), RevokedRetention, false); err != nil ||
		did.Deleted != 2 || did.RU <= 0 {
		t.Errorf("%+v %v", did, err)
	}
	if did, err := w.service.CleanUpDevices(t.Context(), RevokedRetention, false); err != nil || did.Seen != 0 {
		t.Errorf("again: %+v %v", did, err)
	}
	remaining, err := cosmosdb.QueryAll[ID](t.Context(), w.service.store.devices, cosmosdb.Query{PartitionKey: "ana",
		Text: "SELECT VALUE c.id FROM c"}, 0)
	if err != nil || len(remaining) != 5 || len(w.devices()) != 3 { // three active, one just revoked, and the guard
		t.Errorf("left: %v %v", remaining, err)
	}
}
