package telemetry

import (
	"slices"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/emulator"
)

// TestExplore registers a device and delivers readings, some of them again, while one request or another to the
// database fails, and checks that each reading is stored once (TL-P7, TL-R9).
func TestExplore(t *testing.T) {
	t.Parallel()
	emulator.Explore(t, func(t *testing.T, e *emulator.Emulator) {
		w := newWorldOn(t, e.AWSConfig(), "explored-")
		id := hardwareID(1)
		w.pass(e)
		w.repeat(func() testResponse { return w.call("POST", "/telemetry/devices", registrationOf(id)) })
		var want []string
		var readings []map[string]any
		for i := range int64(4) {
			r := readingOfDevice(id, noon+i)
			readings, want = append(readings, r), append(want, r["batch_id"].(string))
		}
		w.pass(e)
		w.deliverAll(readings[:3])
		w.deliverAll(readings[1:])
		w.pass(e)
		path := "/telemetry/devices/" + id + "/readings?limit=100"
		w.repeat(func() testResponse { return w.call("GET", path, nil) })
		if got := w.pages(path, "readings", "batch_id"); !slices.Equal(got, want) {
			t.Errorf("stored %v, want %v", got, want)
		}
	}, emulator.ExploreRuns(100), emulator.ExploreFor(0), emulator.ExploreWith(emulator.WithManualClock(dbtest.Start())))
}

// deliverAll delivers readings, and those that the service does not accept again, as devices do.
func (w *world) deliverAll(readings []map[string]any) {
	w.t.Helper()
	for range 3 {
		got := w.repeat(func() testResponse {
			return w.call("POST", "/telemetry/readings", map[string]any{"readings": readings})
		})
		var left []map[string]any
		for i, r := range got.body["results"].([]any) {
			if s := r.(map[string]any)["status"]; s != "stored" && s != "duplicate" {
				left = append(left, readings[i])
			}
		}
		if readings = left; len(readings) == 0 {
			return
		}
	}
	w.t.Errorf("not accepted: %v", readings)
}

// pass moves the clocks of the service and of its database by a minute, in which replicas and indexes become current.
func (w *world) pass(e *emulator.Emulator) {
	w.t.Helper()
	w.advance(time.Minute)
	if err := e.Advance(time.Minute); err != nil {
		w.t.Fatal(err)
	}
}
