// Package telemetrytest is a telemetry backend in memory for tests of its clients: it follows the API's contract, and
// can be configured to violate it.
package telemetrytest

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
)

// AdminToken and APIKey are the credentials that the backend accepts; every key that it creates is APIKey, too.
const (
	AdminToken = "admin"
	APIKey     = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
)

// Backend is a fake backend. Set its faults before the first request.
type Backend struct {
	URL string

	FailStatus     func(*http.Request) int                 // a status other than 0 becomes the response
	ShouldStore    func(telemetryapi.Reading) bool         // false acknowledges a reading as stored and drops it
	Modify         func(r *telemetryapi.Reading)           // may change a reading before it is stored
	RejectReason   func(telemetryapi.Reading) string       // a reason other than "" rejects a reading
	StoreDuplicate func(telemetryapi.Reading) (twice bool) // true stores a duplicate reading once more

	mu       sync.Mutex
	devices  map[string]telemetryapi.Device
	readings map[string][]telemetryapi.Reading // by device
	batchIDs map[string]bool                   // batch ids
	requests []string                          // methods and paths
	keys     int
	revoked  int
}

// Start serves a backend until the test ends.
func Start(t testing.TB) *Backend {
	b := &Backend{devices: map[string]telemetryapi.Device{}, readings: map[string][]telemetryapi.Reading{},
		batchIDs: map[string]bool{}}
	s := httptest.NewServer(b)
	t.Cleanup(s.Close)
	b.URL = s.URL
	return b
}

// Keys returns the number of keys that were created and not revoked.
func (b *Backend) Keys() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.keys - b.revoked
}

// Requests returns the method and path of each request so far.
func (b *Backend) Requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.requests)
}

// ServeHTTP implements http.Handler.
func (b *Backend) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.requests = append(b.requests, r.Method+" "+r.URL.Path)
	if b.FailStatus != nil {
		if status := b.FailStatus(r); status != 0 {
			writeProblem(w, status, "injected failure")
			return
		}
	}
	admin := r.Header.Get("Authorization") == "Bearer "+AdminToken
	if r.Header.Get("X-API-Key") != APIKey && !admin {
		writeProblem(w, http.StatusUnauthorized, "no such key")
		return
	}
	b.route(w, r)
}

func (b *Backend) route(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/telemetry/"), "/")
	switch route := r.Method + " " + parts[0] + strings.Repeat("/*", len(parts)-1); route {
	case "POST devices":
		b.register(w, r)
	case "POST readings":
		b.ingest(w, r)
	case "GET devices":
		writeJSON(w, 200, map[string]any{"devices": []any{}})
	case "GET devices/*/*":
		b.list(w, r, parts[1])
	case "GET devices/*":
		writeJSON(w, 200, b.devices[parts[1]])
	case "GET devices/*/*/*", "GET api-keys/*":
		writeJSON(w, 200, map[string]any{})
	case "POST api-keys":
		b.keys++
		writeJSON(w, 201, telemetryapi.Key{KeyID: strconv.Itoa(b.keys), APIKey: APIKey})
	case "DELETE api-keys/*":
		b.revoked++
		writeJSON(w, 200, map[string]any{})
	default:
		writeProblem(w, http.StatusNotFound, "no such route: "+route)
	}
}

func (b *Backend) register(w http.ResponseWriter, r *http.Request) {
	var in telemetryapi.Registration
	if json.NewDecoder(r.Body).Decode(&in) != nil {
		writeProblem(w, http.StatusBadRequest, "broken JSON")
		return
	}
	d, known := b.devices[in.HardwareID]
	if !known {
		d.HardwareID, d.ConfirmationID = in.HardwareID, "confirmed-"+in.HardwareID
	}
	d.LastBootID, d.FirmwareVersion, d.Capabilities = in.BootID, in.FirmwareVersion, in.Capabilities
	b.devices[in.HardwareID] = d
	writeJSON(w, map[bool]int{false: 201, true: 200}[known], d)
}

func (b *Backend) ingest(w http.ResponseWriter, r *http.Request) {
	var in struct{ Readings []telemetryapi.Reading }
	if json.NewDecoder(r.Body).Decode(&in) != nil || len(in.Readings) < 1 || len(in.Readings) > telemetryapi.MaxReadings {
		writeProblem(w, http.StatusUnprocessableEntity, "1 to 100 readings")
		return
	}
	var ack telemetryapi.Ack
	for _, reading := range in.Readings {
		o := b.store(reading)
		ack.Results = append(ack.Results, o)
		*map[string]*int{telemetryapi.Stored: &ack.Stored, telemetryapi.Duplicate: &ack.Duplicate,
			telemetryapi.Rejected: &ack.Rejected}[o.Status]++
	}
	writeJSON(w, 200, ack)
}

func (b *Backend) store(r telemetryapi.Reading) telemetryapi.Outcome {
	reason := ""
	if b.RejectReason != nil {
		reason = b.RejectReason(r)
	}
	if _, known := b.devices[r.HardwareID]; !known {
		reason = "not registered"
	}
	duplicate := b.batchIDs[r.BatchID]
	switch {
	case reason != "":
		return telemetryapi.Outcome{BatchID: r.BatchID, Status: telemetryapi.Rejected, Reason: reason}
	case duplicate && (b.StoreDuplicate == nil || !b.StoreDuplicate(r)):
		return telemetryapi.Outcome{BatchID: r.BatchID, Status: telemetryapi.Duplicate}
	}
	b.batchIDs[r.BatchID] = true
	if b.Modify != nil {
		b.Modify(&r)
	}
	if b.ShouldStore == nil || b.ShouldStore(r) {
		b.readings[r.HardwareID] = append(b.readings[r.HardwareID], r)
	}
	return telemetryapi.Outcome{BatchID: r.BatchID, Status: telemetryapi.Stored}
}

func (b *Backend) list(w http.ResponseWriter, r *http.Request, hardwareID string) {
	q := r.URL.Query()
	from, _ := strconv.ParseInt(q.Get("from"), 10, 64)
	to, _ := strconv.ParseInt(q.Get("to"), 10, 64)
	skip, _ := strconv.Atoi(q.Get("cursor"))
	limit, _ := strconv.Atoi(cmp.Or(q.Get("limit"), "100"))
	var page telemetryapi.Page
	for _, reading := range b.readings[hardwareID] {
		if reading.TimestampMS >= from && reading.TimestampMS <= to {
			page.Readings = append(page.Readings, reading)
		}
	}
	page.Readings = page.Readings[min(skip, len(page.Readings)):]
	if len(page.Readings) > limit {
		page.Readings, page.NextCursor = page.Readings[:limit], strconv.Itoa(skip+limit)
	}
	writeJSON(w, 200, page)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // fails only when the client has disconnected
}

func writeProblem(w http.ResponseWriter, status int, detail string) {
	writeJSON(w, status, telemetryapi.Problem{Status: status, Title: http.StatusText(status), Detail: detail})
}
