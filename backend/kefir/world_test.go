package kefir

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/internal/testutil/textlog"
)

const adminToken = "an-admin-token-for-tests"

// world is a kefir service of its own, with its own table, clock and log, on a real socket.
type world struct {
	t         *testing.T
	service   *Service
	client    *dynamodb.Client
	issuer    *auth.Issuer
	prefix    string
	server    *httptest.Server
	log       *textlog.Log
	transport faultyTransport
	clock     atomic.Pointer[time.Time]
	keys      int // Idempotency-Keys used
}

// newWorld creates the table in a database of the test's own.
func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldOn(t, dbtest.Config(t), uuid.NewString()[:8]+"-")
}

// newWorldWithPhone is newWorld with a batch of ana, which it returns, and a phone of hers.
func newWorldWithPhone(t *testing.T) (w *world, batch string) {
	t.Helper()
	w = newWorld(t)
	w.device("ana", "phone")
	return w, w.batch("ana")
}

// newWorldOn creates the table in a database. Pauses take no time: they advance the world's clock.
func newWorldOn(t *testing.T, cfg aws.Config, prefix string) *world {
	t.Helper()
	w := &world{t: t, prefix: prefix, log: &textlog.Log{}}
	start := dbtest.Start()
	w.clock.Store(&start)
	cfg.HTTPClient = &http.Client{Transport: &w.transport}
	if cfg.Retryer == nil {
		cfg.Retryer = func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) { o.Backoff = retry.NewExponentialJitterBackoff(1) })
		}
	}
	w.client = dynamodb.NewFromConfig(cfg)
	if err := tables.Create(t.Context(), w.client, Schema(w.prefix).Tables); err != nil {
		t.Fatal(err)
	}
	var err error
	if w.issuer, err = auth.NewIssuer(w.now); err != nil {
		t.Fatal(err)
	}
	w.service, err = New(Config{
		Client: w.client, TablePrefix: w.prefix, AdminToken: adminToken, Tokens: w.issuer, Now: w.now,
		Logger: slog.New(slog.NewJSONHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Wait:   func(ctx context.Context, d time.Duration) error { w.advance(d); return ctx.Err() },
	})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	if err := w.service.Mount(mux); err != nil {
		t.Fatal(err)
	}
	w.server = httptest.NewServer(mux)
	t.Cleanup(w.server.Close)
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
	err    error // of reading the body
}

// as sends a request of a user; body is text, or a value to encode as JSON.
func (w *world) as(user, method, path string, body any) testResponse {
	w.t.Helper()
	token, err := w.issuer.Token(user, time.Hour)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.call(token, method, path, body)
}

func (w *world) ana(method, path string, body any) testResponse {
	return w.as("ana", method, path, body)
}

func (w *world) admin(path string) testResponse { return w.call(adminToken, "GET", path, nil) }

func (w *world) call(token, method, path string, body any) testResponse {
	w.t.Helper()
	var reader io.Reader
	switch body := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(body)
	default:
		text, err := json.Marshal(body)
		if err != nil {
			w.t.Error(err)
		}
		reader = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, w.server.URL+"/kefir"+path, reader)
	if err != nil {
		w.t.Error(err)
		return testResponse{}
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := w.server.Client().Do(request)
	if err != nil {
		return testResponse{err: err}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	out := testResponse{status: response.StatusCode, header: response.Header, raw: string(text), err: err}
	_ = json.Unmarshal(text, &out.body) // a body that is not an object stays in raw
	return out
}

func (w *world) want(status int, got testResponse) testResponse {
	w.t.Helper()
	if got.status != status || got.err != nil {
		w.t.Fatalf("status %d, want %d: %s %v", got.status, status, got.raw, got.err)
	}
	return got
}

// object is a JSON object.
type object = map[string]any

func newBatch() object {
	return object{"name": "Ginger", "waterVolumeMl": 1000, "sugarGrams": 62.5, "temperatureC": 22, "targetHoursStage1": 48}
}

func newStage() object {
	return object{"stage": 2, "bottleCount": 3, "bottleVolumeMl": 330, "temperatureCStage2": 0, "targetHoursStage2": 24}
}

// batch creates a batch of a user and returns its id.
func (w *world) batch(user string) string {
	w.t.Helper()
	return w.want(201, w.as(user, "POST", "/batches", newBatch())).body["batchId"].(string)
}

// reminder creates a reminder that is due in d and returns its id.
func (w *world) reminder(user, batch string, d time.Duration) string {
	w.t.Helper()
	due := w.now().Add(d).UTC().Format(timestampLayout)
	made := w.want(201, w.as(user, "POST", "/batches/"+batch+"/reminders", object{"message": "Bottle it", "dueAt": due}))
	return made.body["reminderId"].(string)
}

// pages follows nextCursor to the end and returns one field of every entry.
func (w *world) pages(user, path, list, field string) (out []string) {
	w.t.Helper()
	for cursor := ""; ; {
		page := w.want(200, w.as(user, "GET", path+cursor, nil)).body
		for _, entry := range page[list].([]any) {
			out = append(out, entry.(object)[field].(string))
		}
		next, more := page["nextCursor"].(string)
		if !more {
			return out
		}
		cursor = "&cursor=" + next
	}
}

func with(m object, name string, value any) object {
	out := object{}
	for k, v := range m {
		out[k] = v
	}
	if out[name] = value; value == nil {
		delete(out, name)
	}
	return out
}

// faultyTransport is a transport between the service and its database. It records the operations, and can respond to
// some itself or lose their responses.
type faultyTransport struct {
	mu         sync.Mutex
	operations []string
	fault      func(operation, body string) (answer string, status int, lost bool)
}

// RoundTrip forwards a request, unless the fault responds to it.
func (w *faultyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	w.mu.Lock()
	w.operations = append(w.operations, operation)
	text, status, lost := "", 0, false
	if w.fault != nil {
		text, status, lost = w.fault(operation, string(body))
	}
	w.mu.Unlock()
	if status != 0 {
		return &http.Response{
			StatusCode: status, Request: r, Body: io.NopCloser(strings.NewReader(text)),
			Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		}, nil
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && lost {
		response.Body.Close()
		return nil, io.ErrUnexpectedEOF
	}
	return response, err
}

// setFault sets the fault from now on; nil removes it.
func (w *faultyTransport) setFault(fault func(operation, body string) (string, int, bool)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault, w.operations = fault, nil
}

// recorded returns the operations since setFault was called.
func (w *faultyTransport) recorded() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.operations...)
}
