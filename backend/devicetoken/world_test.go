package devicetoken

import (
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
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/push"
	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/internal/testutil/textlog"
)

const adminToken = "an-admin-token-for-tests"

// world is a device token service of its own, with its own table, clock and log, and a push service whose responses the
// test sets.
type world struct {
	t       testing.TB
	client  *dynamodb.Client
	prefix  string
	issuer  *auth.Issuer
	handler http.Handler
	service *Service
	log     textlog.Log
	sender  fakePush
	calls   recordingTransport
	elapsed atomic.Int64
}

func newWorld(t testing.TB, options ...func(*Config)) *world {
	t.Helper()
	return newWorldOn(t, dbtest.Config(t), options...)
}

// newWorldOn creates the table in a database. The service's client does not retry.
func newWorldOn(t testing.TB, config aws.Config, options ...func(*Config)) *world {
	t.Helper()
	w := &world{t: t, prefix: "test-"}
	w.client = dynamodb.NewFromConfig(config)
	if err := tables.Create(t.Context(), w.client, Schema(w.prefix, "").Tables); err != nil {
		t.Fatal(err)
	}
	config.HTTPClient = &http.Client{Transport: &w.calls}
	config.Retryer = func() aws.Retryer { return aws.NopRetryer{} }
	var err error
	if w.issuer, err = auth.NewIssuer(w.now); err != nil {
		t.Fatal(err)
	}
	cfg := Config{
		Client: dynamodb.NewFromConfig(config), TablePrefix: w.prefix, Tokens: w.issuer, AdminToken: adminToken,
		Push: &w.sender, Now: w.now,
		Logger: slog.New(slog.NewJSONHandler(&w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, option := range options {
		option(&cfg)
	}
	if w.service, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	if err := w.service.Mount(mux); err != nil {
		t.Fatal(err)
	}
	w.handler = mux
	return w
}

func (w *world) now() time.Time            { return dbtest.Start().Add(time.Duration(w.elapsed.Load())) }
func (w *world) advance(d time.Duration)   { w.elapsed.Add(int64(d)) }
func (w *world) items() (items []ddb.Item) { return w.scan(w.client) }

func (w *world) scan(client *dynamodb.Client) []ddb.Item {
	w.t.Helper()
	out, err := client.Scan(w.t.Context(), &dynamodb.ScanInput{TableName: aws.String(TableName(w.prefix, "")),
		ConsistentRead: aws.Bool(true)})
	if err != nil {
		w.t.Fatal(err)
	}
	return out.Items
}

// apiUser is a caller with a token, which is issued for each request because tests move the clock.
type apiUser struct {
	*world
	token func() string
}

func (w *world) as(subject string) apiUser {
	return apiUser{w, func() string {
		token, err := w.issuer.Token(subject, time.Hour)
		if err != nil {
			w.t.Error(err)
		}
		return token
	}}
}

func (w *world) admin() apiUser { return apiUser{w, func() string { return adminToken }} }

// testResponse is an HTTP response with its JSON decoded.
type testResponse struct {
	status int
	body   map[string]any
	raw    string
}

// call sends a request to a path under /devicetoken; body is text, or a value to encode as JSON.
func (c apiUser) call(method, path string, body any) testResponse {
	var reader io.Reader
	switch body := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(body)
	default:
		text, err := json.Marshal(body)
		if err != nil {
			c.t.Error(err)
		}
		reader = strings.NewReader(string(text))
	}
	request := httptest.NewRequest(method, "/devicetoken"+path, reader)
	request.Header.Set("Authorization", "Bearer "+c.token())
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	recorder := httptest.NewRecorder()
	c.handler.ServeHTTP(recorder, request)
	out := testResponse{status: recorder.Code, raw: recorder.Body.String()}
	_ = json.Unmarshal(recorder.Body.Bytes(), &out.body) // a body that is not an object stays in raw
	return out
}

func (w *world) want(status int, got testResponse) testResponse {
	w.t.Helper()
	if got.status != status {
		w.t.Fatalf("status %d, want %d: %s", got.status, status, got.raw)
	}
	return got
}

func tokenOf(name string) string { return "ExponentPushToken[" + name + "]" }

func phone(id string) map[string]any {
	return map[string]any{"deviceId": id, "expoPushToken": tokenOf(id), "platform": "ios"}
}

// fakePush is a push service that returns the set error for each token and records what it was sent.
type fakePush struct {
	mu        sync.Mutex
	errs      map[string]error
	sent      []push.Message
	afterSend func() // called before it responds
}

// Send returns the set results.
func (s *fakePush) Send(_ context.Context, messages []push.Message) ([]push.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, messages...)
	if s.afterSend != nil {
		s.afterSend()
	}
	var results []push.Result
	for _, m := range messages {
		results = append(results, push.Result{Token: m.To, Err: s.errs[m.To]})
	}
	return results, nil
}

// recordingTransport is a transport between the service and its database that records the operations and calls a hook
// before each.
type recordingTransport struct {
	mu         sync.Mutex
	operations []string
	before     func(operation string)
}

// RoundTrip forwards a request.
func (c *recordingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	c.mu.Lock()
	c.operations = append(c.operations, operation)
	before := c.before
	c.mu.Unlock()
	if before != nil {
		before(operation)
	}
	return http.DefaultTransport.RoundTrip(r)
}

func (c *recordingTransport) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.operations = nil
}

func (c *recordingTransport) all() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Join(c.operations, " ")
}
