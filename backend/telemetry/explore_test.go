package telemetry

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/emulator"
)

// TestExplore registers and names devices, delivers readings, some of them again, and revokes a key, while one request
// or another to the database fails. It checks that each answer holds: a reading that is stored or a duplicate is there
// once, none is rejected, a new key is known and a revoked one is not (TL-P1 to TL-P8, TL-P12, TL-R9, TL-R13).
func TestExplore(t *testing.T) {
	t.Parallel()
	emulator.Explore(t, func(t *testing.T, e *emulator.Emulator) {
		attempts := dbtest.NewAttempts(3)
		w := newWorldOn(t, attempts.Use(e.AWSConfig()), "explored-")
		attempts.Set(1) // the devices repeat what fails
		one, two := hardwareID(1), hardwareID(2)
		for _, id := range []string{one, two} {
			w.repeat(func() testResponse { return w.call("POST", "/telemetry/devices", registrationOf(id)) })
		}
		w.names(one, "greenhouse")
		readings := []map[string]any{readingOfDevice(one, noon), readingOfDevice(two, noon), readingOfDevice(one, noon+1),
			readingOfDevice(one, noon+2)}
		w.deliverAll([]map[string]any{readingOfDevice(two, noon+3)}) // alone, and thus in the same order in each run
		w.deliverAll(readings[:3])
		w.deliverAll(readings[1:])
		w.pass(e)
		w.stored(one, readings[0], readings[2], readings[3])
		w.stored(two, readings[1], readingOfDevice(two, noon+3))
		w.revokes()
		e.StopExploring()
		dbtest.CheckInvariants(t, Invariants(), dbtest.Databases{DynamoDB: w.client, Prefix: w.prefix})
	}, emulator.ExploreRuns(100), emulator.ExploreFor(0), emulator.ExploreWith(emulator.WithManualClock(dbtest.Start())))
}

// names names a device and checks that its record has the name.
func (w *world) names(id, name string) {
	w.t.Helper()
	path := "/telemetry/devices/" + id
	w.repeat(func() testResponse { return w.call("PUT", path+"/name", map[string]any{"friendly_name": name}) })
	if got := w.repeat(func() testResponse { return w.call("GET", path, nil) }); got.body["friendly_name"] != name {
		w.t.Errorf("a device that was named %s is %v", name, got.body)
	}
}

// deliverAll delivers readings until all are accepted, as devices do. They drop those that are rejected.
func (w *world) deliverAll(readings []map[string]any) {
	w.t.Helper()
	got := w.repeat(func() testResponse {
		return w.call("POST", "/telemetry/readings", map[string]any{"readings": readings})
	})
	for _, r := range got.body["results"].([]any) {
		if r := r.(map[string]any); r["status"] != "stored" && r["status"] != "duplicate" {
			w.t.Errorf("a reading is %v", r)
		}
	}
}

// stored checks which readings of a device are stored, in order.
func (w *world) stored(id string, readings ...map[string]any) {
	w.t.Helper()
	var want, got []string
	for _, r := range readings {
		want = append(want, r["batch_id"].(string))
	}
	path := "/telemetry/devices/" + id + "/readings?limit=100"
	for cursor, more := "", true; more; {
		page := w.repeat(func() testResponse { return w.call("GET", path+cursor, nil) }).body
		for _, r := range page["readings"].([]any) {
			got = append(got, r.(map[string]any)["batch_id"].(string))
		}
		next, _ := page["next_cursor"].(string)
		cursor, more = "&cursor="+next, next != ""
	}
	if !slices.Equal(got, want) {
		w.t.Errorf("stored %v, want %v", got, want)
	}
}

// revokes revokes the world's key, and checks that it is refused from now on.
func (w *world) revokes() {
	w.t.Helper()
	id := w.repeat(func() testResponse { return w.call("GET", "/telemetry/api-keys/self", nil) }).body["key_id"].(string)
	w.repeat(func() testResponse { return w.admin("DELETE", "/telemetry/api-keys/"+id, nil) })
	got := w.untilAnswered(func() testResponse { return w.call("GET", "/telemetry/api-keys/self", nil) })
	if got.status != http.StatusUnauthorized {
		w.t.Errorf("a revoked key gets status %d: %s", got.status, got.raw)
	}
}

// pass moves the clocks of the service and of its database by a minute, in which replicas and indexes become current.
func (w *world) pass(e *emulator.Emulator) {
	w.t.Helper()
	w.advance(time.Minute)
	if err := e.Advance(time.Minute); err != nil {
		w.t.Fatal(err)
	}
}
