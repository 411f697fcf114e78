package telemetry

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestRegisterAgain checks TL-P1: one update keeps what is assigned once and renews what a boot reports.
func TestRegisterAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.want(201, w.call("POST", "/telemetry/devices", registrationOf(hardwareID(1)))).body
	if at := first["first_registered_at"]; at != "2026-02-03T10:30:00Z" || first["last_seen_at"] != at {
		t.Errorf("first registered %v, last seen %v", at, first["last_seen_at"])
	}
	w.advance(time.Hour)
	again := with(registrationOf(hardwareID(1)), "firmware_version", "1.1.0")
	again["boot_id"] = "550e8400-e29b-41d4-a716-446655440000"
	again["capabilities"] = map[string]any{"sensors": []string{"bme280", "ds18b20"}}
	w.transport.setFault(nil)
	second := w.want(200, w.call("POST", "/telemetry/devices", again)).body
	if got := w.transport.recorded(); !slices.Equal(got, []string{"Query", "GetItem", "UpdateItem", "UpdateItem"}) {
		t.Errorf("the key's two reads, its last use, one update of the device; got %v", got)
	}
	for name, want := range map[string]any{
		"confirmation_id": first["confirmation_id"], "first_registered_at": first["first_registered_at"],
		"last_seen_at": "2026-02-03T11:30:00Z", "last_boot_id": again["boot_id"], "firmware_version": "1.1.0",
	} {
		if second[name] != want {
			t.Errorf("%s is %v, want %v", name, second[name], want)
		}
	}
	if got := second["capabilities"].(map[string]any)["sensors"].([]any); len(got) != 2 {
		t.Errorf("sensors %v", got)
	}
}

// TestRegisterLostResponse loses the first response: the SDK's retry recognizes the registration that it made.
func TestRegisterLostResponse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.want(200, w.call("GET", "/telemetry/api-keys/self", nil)) // so that its last use is already recorded
	w.transport.setFault(firstCalls(1, "UpdateItem", injectedFault{lostResponse: true}))
	w.want(201, w.call("POST", "/telemetry/devices", registrationOf(hardwareID(1))))
}

// TestListDevices checks TL-P2: latest activity first, page by page.
func TestListDevices(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var want []string
	for n := range 5 {
		w.advance(time.Second)
		want = append(want, w.register(n))
	}
	w.advance(time.Second)
	want = append(want[1:], w.register(0)) // seen again, so the latest
	slices.Reverse(want)
	got := w.pages("/telemetry/devices?limit=2", "devices", "hardware_id")
	if !slices.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
}

// pages follows next_cursor to the end and returns one field of every entry.
func (w *world) pages(path, list, field string) (out []string) {
	w.t.Helper()
	for cursor := ""; ; {
		page := w.want(200, w.call("GET", path+cursor, nil)).body
		for _, entry := range page[list].([]any) {
			out = append(out, entry.(map[string]any)[field].(string))
		}
		next, more := page["next_cursor"].(string)
		if !more {
			return out
		}
		cursor = "&cursor=" + next
	}
}

// TestNameDevice checks TL-P3 and TL-P4.
func TestNameDevice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := "/telemetry/devices/" + w.register(1)
	named := w.want(200, w.call("PUT", path+"/name", `{"friendly_name":"Gewächshaus 1"}`)).body
	read := w.want(200, w.call("GET", path, nil)).body
	w.register(1)
	kept := w.want(200, w.call("GET", path, nil)).body
	for _, got := range []map[string]any{named, read, kept} {
		if got["friendly_name"] != "Gewächshaus 1" {
			t.Errorf("name %v", got["friendly_name"])
		}
	}
	for _, bad := range []string{"", "   ", "a\tb", strings.Repeat("x", 101)} {
		w.want(422, w.call("PUT", path+"/name", map[string]any{"friendly_name": bad}))
	}
	w.want(404, w.call("GET", "/telemetry/devices/"+hardwareID(2), nil))
	w.want(404, w.call("PUT", "/telemetry/devices/"+hardwareID(2)+"/name", `{"friendly_name":"x"}`))
	w.want(404, w.call("GET", "/telemetry/devices/"+hardwareID(2), nil)) // naming created no device
}

// TestRegisterRefused checks that the error of each violated rule names the field (TL-R1, TL-R2).
func TestRegisterRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	valid := registrationOf(hardwareID(1))
	for _, c := range []struct {
		body     any
		status   int
		location string
	}{
		{with(valid, "hardware_id", "aa:bb:cc:dd:ee:ff"), 422, "body.hardware_id"},
		{with(valid, "hardware_id", "AA:BB:CC:DD:EE"), 422, "body.hardware_id"},
		{with(valid, "hardware_id", 7), 422, "body.hardware_id"},
		{with(valid, "boot_id", "550e8400-e29b-11d4-a716-446655440000"), 422, "body.boot_id"}, // version 1
		{with(valid, "boot_id", "550e8400-e29b-41d4-c716-446655440000"), 422, "body.boot_id"}, // another variant
		{with(valid, "firmware_version", ""), 422, "body.firmware_version"},
		{with(valid, "firmware_version", nil), 422, "body.firmware_version"},
		{with(valid, "colour", "red"), 422, "body.colour"},
		{with(valid, "capabilities", map[string]any{"sensors": []string{"BME 280"}}), 422, "body.capabilities.sensors[0]"},
		{with(valid, "capabilities", map[string]any{"features": map[string]any{"tft": "yes"}}), 422,
			"body.capabilities.features.tft"},
		{`{"hardware_id":`, 400, "body"},
		{`[]`, 422, "body"},
	} {
		got := w.want(c.status, w.call("POST", "/telemetry/devices", c.body))
		if !strings.Contains(got.raw, `"location":"`+c.location+`"`) ||
			got.header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%v: want a problem at %s, got %s", c.body, c.location, got.raw)
		}
	}
	if devices := w.pages("/telemetry/devices?limit=9", "devices", "hardware_id"); len(devices) != 0 {
		t.Errorf("refused, yet there: %v", devices)
	}
}
