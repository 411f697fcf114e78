package telemetry

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/webtest"
	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/internal/testutil/textlog"
)

const adminToken = "an-admin-token-for-tests"

// world is a telemetry service of its own, with its own tables, clock and log, on a real socket.
type world struct {
	t         *testing.T
	service   *Service
	client    *dynamodb.Client
	prefix    string
	server    *httptest.Server
	log       *textlog.Log
	transport faultyTransport
	clock     atomic.Pointer[time.Time]
	key       string // a valid API key
}

// newWorld creates the tables and one API key in a database of the test's own.
func newWorld(t *testing.T, options ...func(*Config)) *world {
	t.Helper()
	return newWorldOn(t, dbtest.Config(t), uuid.NewString()[:8]+"-", options...)
}

// newWorldOn creates the tables and one API key in a database. Pauses take no time: they advance the world's clock.
func newWorldOn(t *testing.T, db aws.Config, prefix string, options ...func(*Config)) *world {
	t.Helper()
	w := &world{t: t, prefix: prefix, log: &textlog.Log{}}
	w.client = testClient(db, &w.transport)
	start := dbtest.Start()
	w.clock.Store(&start)
	if err := tables.Create(t.Context(), w.client, Schema(w.prefix).Tables); err != nil {
		t.Fatal(err)
	}
	cfg := Config{
		Client: w.client, TablePrefix: w.prefix, AdminToken: adminToken, Pepper: "pepper", Now: w.now,
		Logger: slog.New(slog.NewJSONHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Wait:   func(ctx context.Context, d time.Duration) error { w.advance(d); return ctx.Err() },
	}
	for _, option := range options {
		option(&cfg)
	}
	var err error
	if w.service, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	if err := w.service.Mount(mux); err != nil {
		t.Fatal(err)
	}
	w.server = httptest.NewServer(mux)
	t.Cleanup(w.server.Close)
	w.key = w.repeat(func() testResponse {
		return w.admin("POST", "/telemetry/api-keys", map[string]any{"description": "tests"})
	}).body["api_key"].(string)
	return w
}

func (w *world) now() time.Time { return *w.clock.Load() }

func (w *world) advance(d time.Duration) {
	for {
		was := w.clock.Load()
		now := was.Add(d)
		if w.clock.CompareAndSwap(was, &now) {
			return
		}
	}
}

// testResponse is an HTTP response with its JSON decoded.
type testResponse struct {
	status int
	header http.Header
	body   map[string]any
	raw    string
}

// call sends a request with the world's API key; body is text, or a value to encode as JSON.
func (w *world) call(method, path string, body any) testResponse {
	return w.callWith(http.Header{"X-Api-Key": {w.key}}, method, path, body)
}

func (w *world) admin(method, path string, body any) testResponse {
	return w.callWith(http.Header{"Authorization": {"Bearer " + adminToken}}, method, path, body)
}

func (w *world) callWith(header http.Header, method, path string, body any) testResponse {
	w.t.Helper()
	got := webtest.Call(w.t, w.server, header, method, path, body)
	return testResponse{got.Status, got.Header, got.Body, got.Raw}
}

func (w *world) newKey() map[string]any {
	w.t.Helper()
	return w.want(201, w.admin("POST", "/telemetry/api-keys", map[string]any{"description": "tests"})).body
}

// register registers device number n and returns its hardware_id.
func (w *world) register(n int) string {
	w.t.Helper()
	id := hardwareID(n)
	if got := w.call("POST", "/telemetry/devices", registrationOf(id)); got.status != 200 && got.status != 201 {
		w.t.Fatalf("register %s: %d %s", id, got.status, got.raw)
	}
	return id
}

// repeat sends a request until it is answered, which must be with success.
func (w *world) repeat(send func() testResponse) testResponse {
	w.t.Helper()
	got := w.untilAnswered(send)
	if got.status/100 != 2 {
		w.t.Fatalf("status %d: %s", got.status, got.raw)
	}
	return got
}

// untilAnswered sends a request, and again while it fails for a passing reason, once more than an explored run has
// mishaps, as devices do.
func (w *world) untilAnswered(send func() testResponse) (got testResponse) {
	w.t.Helper()
	for range 4 {
		got = send()
		if got.status != http.StatusServiceUnavailable && got.status != http.StatusTooManyRequests {
			break
		}
	}
	return got
}

func (w *world) want(status int, got testResponse) testResponse {
	w.t.Helper()
	if got.status != status {
		w.t.Fatalf("status %d, want %d: %s", got.status, status, got.raw)
	}
	return got
}

// deliver sends readings and returns their outcomes in order.
func (w *world) deliver(readings ...map[string]any) []string {
	w.t.Helper()
	got := w.want(200, w.call("POST", "/telemetry/readings", map[string]any{"readings": readings}))
	var statuses []string
	for _, r := range got.body["results"].([]any) {
		statuses = append(statuses, r.(map[string]any)["status"].(string))
	}
	return statuses
}

func hardwareID(n int) string { return fmt.Sprintf("AA:BB:CC:00:%02X:%02X", n/256, n%256) }

const bootID = "7c9e6679-7425-40de-944b-e07fc1f90ae7"

func registrationOf(id string) map[string]any {
	return map[string]any{
		"hardware_id": id, "boot_id": bootID, "firmware_version": "1.0.16",
		"capabilities": map[string]any{"sensors": []string{"bme280"}, "features": map[string]bool{"tft_display": true}},
	}
}

// readingOfDevice returns a valid reading of a device at a time, with a batch_id in the documented form.
func readingOfDevice(id string, ms int64) map[string]any {
	return map[string]any{
		"hardware_id": id, "batch_id": fmt.Sprintf("%s_%s_%d_%d", id, bootID, ms-600_000, ms), "boot_id": bootID,
		"firmware_version": "1.0.16", "timestamp_ms": ms,
		"sensors":       map[string]any{"bme280_temp_c": 22.5, "humidity_pct": 45.2},
		"sensor_status": map[string]any{"bme280": "ok"},
	}
}

func with(m map[string]any, name string, value any) map[string]any {
	out := map[string]any{}
	for k, v := range m {
		out[k] = v
	}
	if out[name] = value; value == nil {
		delete(out, name)
	}
	return out
}
