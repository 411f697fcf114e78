package telemetry

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/retry"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

const noon = 1_770_120_000_000 // 2026-02-03T12:00:00Z

// TestIngestOnce checks TL-P7 and TL-R9: a batch that is sent again, at once or later, in the same request or another,
// is stored once, and each reading gets its own result.
func TestIngestOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.register(1)
	a, b := readingOfDevice(id, noon), readingOfDevice(id, noon+1)
	for _, c := range []struct {
		send []map[string]any
		want []string
	}{
		{[]map[string]any{a}, []string{"stored"}},
		{[]map[string]any{a}, []string{"duplicate"}},
		{[]map[string]any{b, a, b}, []string{"stored", "duplicate", "duplicate"}},
		{[]map[string]any{with(a, "timestamp_ms", noon+9)}, []string{"duplicate"}}, // the batch_id decides
	} {
		if got := w.deliver(c.send...); !slices.Equal(got, c.want) {
			t.Errorf("answered %v, want %v", got, c.want)
		}
	}
	if got := w.pages("/telemetry/devices/"+id+"/readings?limit=9", "readings", "batch_id"); len(got) != 2 {
		t.Errorf("stored %v", got)
	}
	if got := w.service.Stats(); got.Stored != 2 || got.Duplicate != 4 {
		t.Errorf("counted %+v", got)
	}
	other := readingOfDevice(w.register(2), noon)
	other["batch_id"] = a["batch_id"]
	fresh := readingOfDevice(id, noon+2)
	if got := w.deliver(other, fresh, with(other, "batch_id", fresh["batch_id"])); !slices.Equal(got,
		[]string{"rejected", "stored", "rejected"}) {
		t.Errorf("under the batch_id of another device: %v", got)
	}
}

// TestIngestMixed checks TL-R13 and TL-R1 to TL-R4: one invalid reading does not fail the others, and its reason names
// the field.
func TestIngestMixed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.register(1)
	valid := readingOfDevice(id, noon)
	bad := func(name string, value any) map[string]any { return with(readingOfDevice(id, noon+1), name, value) }
	cases := []struct {
		reading map[string]any
		reason  string
	}{
		{valid, ""},
		{bad("hardware_id", strings.ToLower(id)), "hardware_id: must be a MAC address"},
		{readingOfDevice(hardwareID(2), noon), "hardware_id: this device is not registered"},
		{bad("batch_id", "with space"), "batch_id:"},
		{bad("batch_id", strings.Repeat("b", 257)), "batch_id:"},
		{bad("batch_id", nil), "batch_id:"},
		{bad("boot_id", "1"), "boot_id:"},
		{bad("firmware_version", "ü"), "firmware_version:"},
		{bad("timestamp_ms", minTimestampMS-1), "timestamp_ms: must be epoch milliseconds"},
		{bad("timestamp_ms", maxTimestampMS+1), "timestamp_ms:"},
		{bad("timestamp_ms", 1.5), "timestamp_ms: must be an integer"},
		{bad("timestamp_ms", "1704067800000"), "timestamp_ms: must be an integer"},
		{bad("sensors", nil), "sensors: is required"},
		{bad("sensors", map[string]any{"Temp": 1}), "sensors:"},
		{bad("sensors", map[string]any{"t": "1"}), "sensors: t must be a number"},
		{bad("sensors", map[string]any{"t": nil}), "sensors: t must be a number"},
		{bad("sensor_status", map[string]any{"bme280": "fine"}), "sensor_status: bme280 must be ok or error"},
		{bad("sensor_status", []string{}), "sensor_status: must be an object"},
		{bad("colour", "red"), "colour: unknown field"},
		{readingOfDevice(id, noon+2), ""},
	}
	var readings []map[string]any
	for _, c := range cases {
		readings = append(readings, c.reading)
	}
	got := w.want(200, w.call("POST", "/telemetry/readings", map[string]any{"readings": readings})).body
	for i, c := range cases {
		result := got["results"].([]any)[i].(map[string]any)
		reason, _ := result["reason"].(string)
		if want := map[bool]string{true: "stored", false: "rejected"}[c.reason == ""]; result["status"] != want ||
			!strings.HasPrefix(reason, c.reason) {
			t.Errorf("reading %d: %v, want %s with %q", i, result, want, c.reason)
		}
	}
	if got["stored"] != 2.0 || got["rejected"] != float64(len(cases)-2) || got["duplicate"] != 0.0 {
		t.Errorf("sums %v %v %v", got["stored"], got["rejected"], got["duplicate"])
	}
}

// TestIngestRefusesWholeRequest checks the other half of TL-R13: what fails a whole request, with nothing written.
func TestIngestRefusesWholeRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.register(1)
	many := make([]map[string]any, 101)
	for i := range many {
		many[i] = readingOfDevice(id, noon+int64(i))
	}
	w.transport.setFault(nil)
	for _, c := range []struct {
		body     any
		status   int
		location string
	}{
		{map[string]any{"readings": []any{}}, 422, "body.readings"},
		{map[string]any{"readings": many}, 422, "body.readings"},
		{map[string]any{"readings": "x"}, 422, "body.readings"},
		{map[string]any{}, 422, "body.readings"},
		{map[string]any{"readings": many[:1], "more": 1}, 422, "body.more"},
		{`[]`, 422, "body"},
		{`{"readings":[{}`, 400, "body"},
		{`{"readings":[{}]} trailing`, 400, "body"},
		{`{"readings":[{"batch_id":"` + "\xff" + `"}]}`, 400, "body"},
		{strings.Repeat(`{"readings":[`, 20_000), 400, "body"},
	} {
		got := w.want(c.status, w.call("POST", "/telemetry/readings", c.body))
		if !strings.Contains(got.raw, `"location":"`+c.location+`"`) {
			t.Errorf("want a problem at %s, got %s", c.location, got.raw)
		}
	}
	w.want(413, w.call("POST", "/telemetry/readings", `{"readings":["`+strings.Repeat("x", maxReadingsBody)+`"]}`))
	if slices.Contains(w.transport.recorded(), "TransactWriteItems") {
		t.Error("a refused request wrote")
	}
	if got := w.deliver(many[:100]...); slices.ContainsFunc(got, func(s string) bool { return s != "stored" }) {
		t.Errorf("100 readings: %v", got)
	}
}

// TestIngestRace sends one batch from 64 senders concurrently: exactly one stores it (TL-R9).
func TestIngestRace(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Wait = nil })
	reading := readingOfDevice(w.register(1), noon)
	var senders sync.WaitGroup
	outcomes := make([]string, 64)
	for i := range outcomes {
		senders.Go(func() { outcomes[i] = strings.Join(w.deliver(reading), " ") })
	}
	senders.Wait()
	count := map[string]int{}
	for _, outcome := range outcomes {
		count[outcome]++
	}
	if !maps.Equal(count, map[string]int{"stored": 1, "duplicate": 63}) {
		t.Errorf("outcomes %v", count)
	}
}

// TestIngestCancelled checks the reasons of a cancelled transaction (TL-D2): only a failed condition of the marker is a
// duplicate; transient reasons are retried; any other reason fails the request and is not counted. What an attempt
// stored whose response failed is no duplicate to the next attempt.
func TestIngestCancelled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.register(1)
	for i, c := range []struct {
		verdict injectedFault
		times   int
		status  int
		outcome string
		calls   int
	}{
		{cancelled("ConditionalCheckFailed", "None"), 1, 200, `"duplicate":1`, 1},
		{cancelled("ConditionalCheckFailed", "TransactionConflict"), 1, 200, `"duplicate":1`, 1},
		{cancelled("TransactionConflict", "None"), 3, 200, `"stored":1`, 4},
		{cancelled("None", "TransactionConflict"), 1, 200, `"stored":1`, 2},
		{cancelled("None", "ThrottlingError"), 2, 200, `"stored":1`, 3},
		{cancelled("ProvisionedThroughputExceeded", "None"), 1, 200, `"stored":1`, 2},
		{cancelled("TransactionConflict", "None"), -1, 503, "", maxAttempts},
		{cancelled("None", "ConditionalCheckFailed"), 1, 500, "", 2}, // the reading does not exist
		{cancelled("None", "ValidationError"), 1, 500, "", 1},
		{injectedFault{lostResponse: true}, 1, 200, `"stored":1`, 2}, // the SDK's retry has the same token
		{injectedFault{lostResponse: true, status: 500, body: `{"__type":"X#InternalServerError","message":"failed"}`},
			retry.DefaultMaxAttempts, 200, `"stored":1`, retry.DefaultMaxAttempts + 1}, // and so has that of the service
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			was := w.service.Stats()
			w.transport.setFault(firstCalls(c.times, "TransactWriteItems", c.verdict))
			got := w.call("POST", "/telemetry/readings", map[string]any{"readings": []any{readingOfDevice(id, noon+int64(i))}})
			calls := slices.DeleteFunc(w.transport.recorded(), func(op string) bool { return op != "TransactWriteItems" })
			if got.status != c.status || !strings.Contains(got.raw, c.outcome) || len(calls) != c.calls {
				t.Errorf("%d %s after %d calls, want %d %s after %d", got.status, got.raw, len(calls), c.status, c.outcome, c.calls)
			}
			if c.status == 503 && got.header.Get("Retry-After") == "" {
				t.Error("503 without Retry-After")
			}
			now := w.service.Stats()
			if told := now.Stored + now.Duplicate - was.Stored - was.Duplicate; told != map[bool]int64{
				true: 1}[c.status == 200] {
				t.Errorf("%d readings counted", told)
			}
		})
	}
}

// TestIngestNames checks that a reading has the device's name as of its ingestion, and that a later name changes no
// reading (TL-R7). One read serves all readings of a request.
func TestIngestNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one, two := w.register(1), w.register(2)
	w.want(200, w.call("PUT", "/telemetry/devices/"+one+"/name", `{"friendly_name":"old"}`))
	w.transport.setFault(nil)
	w.deliver(readingOfDevice(one, noon), readingOfDevice(two, noon), readingOfDevice(one, noon+1))
	if reads := strings.Count(strings.Join(w.transport.recorded(), " "), "BatchGetItem"); reads != 1 {
		t.Errorf("%d reads of names", reads)
	}
	w.want(200, w.call("PUT", "/telemetry/devices/"+one+"/name", `{"friendly_name":"new"}`))
	w.deliver(readingOfDevice(one, noon+2))
	got := w.pages("/telemetry/devices/"+one+"/readings?limit=9", "readings", "friendly_name")
	if !slices.Equal(got, []string{"old", "old", "new"}) {
		t.Errorf("names %v", got)
	}
	latest := w.want(200, w.call("GET", "/telemetry/devices/"+two+"/readings/latest", nil)).body
	if name, ok := latest["friendly_name"]; ok {
		t.Errorf("a device without a name has %v", name)
	}
}

// TestIngestUnprocessed checks that keys that the database leaves unprocessed in the read of names are requested again.
func TestIngestUnprocessed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.register(1)
	w.transport.setFault(firstCalls(2, "BatchGetItem",
		injectedFault{status: 200, body: `{"Responses":{},"UnprocessedKeys":{"` +
			w.prefix + tableDevices + `":{"Keys":[{"hardware_id":{"S":"` + id + `"}}]}}}`}))
	if got := w.deliver(readingOfDevice(id, noon)); !slices.Equal(got, []string{"stored"}) {
		t.Errorf("answered %v", got)
	}
	if retries := w.service.Stats().Retries; retries != 2 {
		t.Errorf("%d retries", retries)
	}
}

// TestIngestExpiry checks TL-R8, and TL-R10: a batch sent again after its marker has expired leaves one reading.
func TestIngestExpiry(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Retention = 10 * 24 * time.Hour })
	id := w.register(1)
	reading := readingOfDevice(id, noon)
	w.deliver(reading)
	stored := w.want(200, w.call("GET", "/telemetry/devices/"+id+"/readings/latest", nil))
	if got := stored.body["expiration_time"]; got != float64(noon/1000+10*24*3600) {
		t.Errorf("the reading expires at %v", got)
	}
	batch := reading["batch_id"].(string)
	mark := w.item(tableProcessed, "batch_id", batch)
	if got := ddb.Integer(mark["expiration_time"]); got != w.now().Unix()+30*24*3600 ||
		ddb.Text(mark["received_at"]) != "2026-02-03T10:30:00Z" {
		t.Errorf("the marker: %v, received %s", got, ddb.Text(mark["received_at"]))
	}
	w.remove(tableProcessed, "batch_id", batch) // as TTL would after 30 days
	if got := w.deliver(reading); !slices.Equal(got, []string{"stored"}) {
		t.Errorf("answered %v", got)
	}
	if got := w.call("GET", "/telemetry/devices/"+id+"/readings", nil); !strings.HasPrefix(got.raw,
		`{"readings":[`+strings.TrimSpace(stored.raw)+`]}`) {
		t.Errorf("one reading, the same: %s", got.raw)
	}
}

// TestIngestAgainKeepsReading checks that a reading that is sent again after its marker has expired stays as it was
// stored, although its device was renamed meanwhile (TL-R7, TL-R10), and that it gets a marker again.
func TestIngestAgainKeepsReading(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.register(1)
	rename := func(name string) {
		w.want(200, w.call("PUT", "/telemetry/devices/"+id+"/name", map[string]any{"friendly_name": name}))
	}
	rename("greenhouse")
	reading := readingOfDevice(id, noon)
	w.deliver(reading)
	rename("cellar")
	w.remove(tableProcessed, "batch_id", reading["batch_id"].(string)) // as TTL would after 30 days
	for _, want := range []string{"stored", "duplicate"} {
		if got := w.deliver(reading); !slices.Equal(got, []string{want}) {
			t.Errorf("answered %v, want %s", got, want)
		}
	}
	got := w.pages("/telemetry/devices/"+id+"/readings?limit=9", "readings", "friendly_name")
	if !slices.Equal(got, []string{"greenhouse"}) {
		t.Errorf("names %v", got)
	}
}

// TestExcessRequestsGet503 checks that an overloaded backend finishes the requests it processes and asks
// the others to retry.
func TestExcessRequestsGet503(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var leave func()
	for range maxRequests {
		var err error
		if leave, err = w.service.acquireRequestSlot(t.Context(), maxWait); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.service.acquireRequestSlot(t.Context(), 0); !errors.Is(err, ddb.ErrBusy) {
		t.Errorf("one too many: %v", err)
	}
	leave()
	if _, err := w.service.acquireRequestSlot(t.Context(), maxWait); err != nil {
		t.Errorf("once a place is free: %v", err)
	}
}
