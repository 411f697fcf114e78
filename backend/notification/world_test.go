package notification

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/webtest"
	"github.com/tabletop-db/tabletop/backend/push"
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/testutil/textlog"
)

const adminToken = "an-admin-token-for-tests"

// world is a notification service of its own, with its own database, clock and log, on a real socket.
type world struct {
	t         testing.TB
	db        *emulator.Emulator
	service   *Service
	config    Config
	issuer    *auth.Issuer
	server    *httptest.Server
	log       *textlog.Log
	transport faultyTransport
	push      fakePush
}

// newWorld creates the containers in a database of the test's own.
func newWorld(t testing.TB, options ...emulator.Option) *world {
	t.Helper()
	return newWorldOn(t, emulator.Run(t, append(dbtest.CosmosOptions(), options...)...))
}

// newWorldOn creates the containers. Pauses take no time: they advance the clock, which otherwise stands still.
func newWorldOn(t testing.TB, db *emulator.Emulator) *world {
	t.Helper()
	w := &world{t: t, log: &textlog.Log{}, db: db}
	var err error
	w.config.Client = dbtest.CosmosClient(t, db, &w.transport)
	w.config.Wait = func(ctx context.Context, d time.Duration) error { w.advance(d); return ctx.Err() }
	if _, err := Create(t.Context(), w.config.Client, Database, Throughput{}); err != nil {
		t.Fatal(err)
	}
	if w.issuer, err = auth.NewIssuer(w.db.Now); err != nil {
		t.Fatal(err)
	}
	w.config.AdminToken, w.config.Tokens, w.config.Now = adminToken, w.issuer, w.db.Now
	w.config.Push = map[Platform]push.Sender{FCM: &w.push, APNs: &w.push}
	w.config.Logger = slog.New(slog.NewJSONHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	w.service = w.newService()
	mux := http.NewServeMux()
	if err := w.service.Mount(mux); err != nil {
		t.Fatal(err)
	}
	w.server = httptest.NewServer(mux)
	t.Cleanup(w.server.Close)
	return w
}

// newService returns a service like the world's, as in another process.
func (w *world) newService() *Service {
	w.t.Helper()
	s, err := New(w.config)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func (w *world) advance(d time.Duration) {
	if err := w.db.Advance(d); err != nil {
		w.t.Error(err)
	}
}

// as sends a request of a user; body is text, or a value to encode as JSON.
func (w *world) as(user, method, path string, body any) webtest.Response {
	w.t.Helper()
	return w.call(w.token(user), method, path, body)
}

func (w *world) token(user string) string {
	w.t.Helper()
	token, err := w.issuer.Token(user, time.Hour)
	if err != nil {
		w.t.Error(err)
	}
	return token
}

func (w *world) ana(method, path string, body any) webtest.Response {
	w.t.Helper()
	return w.as("ana", method, path, body)
}

func (w *world) admin(method, path string, body any) webtest.Response {
	w.t.Helper()
	return w.call(adminToken, method, path, body)
}

func (w *world) call(token, method, path string, body any) webtest.Response {
	w.t.Helper()
	header := http.Header{}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	return webtest.Call(w.t, w.server, header, method, "/notification"+path, body)
}

func (w *world) want(status int, got webtest.Response) webtest.Response {
	w.t.Helper()
	if got.Status != status {
		w.t.Fatalf("status %d, want %d: %s\n%s", got.Status, status, got.Raw, w.log)
	}
	return got
}

// object is a JSON object.
type object = map[string]any

// likeEvent returns an event for a liked post.
func likeEvent(user, post string) object {
	return object{"userId": user, "eventType": "POST_LIKE", "payload": object{"actorName": "Bob", "targetId": post,
		"targetType": "post"}}
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

// enqueue enqueues an event and returns its id.
func (w *world) enqueue(event object) ID {
	w.t.Helper()
	return ID(w.want(201, w.admin("POST", "/events", event)).Text("id"))
}

// event reads an event of ana.
func (w *world) event(id ID) Event {
	w.t.Helper()
	e, err := w.service.event(w.t.Context(), "ana", id)
	if err != nil {
		w.t.Fatal(err)
	}
	return e
}

// work runs one round of the worker.
func (w *world) work() WorkResult {
	w.t.Helper()
	r, err := w.service.Work(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// list returns ana's notifications.
func (w *world) list() []Notification {
	w.t.Helper()
	list, _, err := w.service.listNotifications(w.t.Context(), "ana", notificationsQuery{Limit: 100})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// register registers a device of ana.
func (w *world) register(device string) {
	w.t.Helper()
	w.want(201, w.ana("POST", "/devices", newDevice(device)))
}

func (w *world) registerIPhone(device string) {
	w.t.Helper()
	w.want(201, w.ana("POST", "/devices", with(newDevice(device), "platform", "apns")))
}

func newDevice(id string) object {
	return object{"deviceId": id, "pushToken": "token-" + id, "platform": "fcm", "label": "Pixel"}
}

// disableQuietHours turns off ana's quiet hours.
func (w *world) disableQuietHours() {
	w.t.Helper()
	w.want(200, w.ana("PUT", "/preferences", object{"quietHours": make([]bool, 24)}))
}

// fakePush is a push service that records messages and fails as set.
type fakePush struct {
	mu   sync.Mutex
	got  []push.Message
	fail func(push.Message) error
}

// Send records messages.
func (p *fakePush) Send(ctx context.Context, messages []push.Message) ([]push.Result, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	results := make([]push.Result, len(messages))
	for i, m := range messages {
		results[i] = push.Result{Token: m.To}
		if p.fail != nil {
			results[i].Err = p.fail(m)
		}
		if results[i].Err == nil {
			p.got = append(p.got, m)
		}
	}
	return results, ctx.Err()
}

func (p *fakePush) failWith(with func(push.Message) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fail = with
}

// failTo makes pushes to a token fail.
func (p *fakePush) failTo(token string, err error) {
	p.failWith(func(m push.Message) error {
		if m.To == token {
			return err
		}
		return nil
	})
}

func (p *fakePush) messages() []push.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]push.Message(nil), p.got...)
}

// faultyTransport is a transport between the service and its database. It records the queries, and can respond to some
// requests itself, or lose requests or responses.
type faultyTransport struct {
	mu      sync.Mutex
	queries []recordedQuery
	fault   func(r *http.Request, body string) injectedFault
}

// errConnectionLost is a cut connection. It is not one of the errors after which the SDK pauses for seconds.
var errConnectionLost = errors.New("the wire is cut")

// recordedQuery is a query that was sent.
type recordedQuery struct{ path, key, body string }

// injectedFault is the fault that the transport injects into a request.
type injectedFault struct {
	status       int  // of the transport's own response; 0: forward to the database
	retryAfter   int  // milliseconds
	lostRequest  bool // the request is lost
	lostResponse bool // the request is applied, and the response lost
}

// RoundTrip forwards a request, unless the fault responds to it.
func (w *faultyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	v := w.decide(r, string(body))
	switch {
	case v.lostRequest:
		return nil, errConnectionLost
	case v.status != 0:
		return faultResponse(r, v), nil
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && v.lostResponse {
		_ = response.Body.Close()
		return nil, errConnectionLost
	}
	return response, err
}

func faultResponse(r *http.Request, v injectedFault) *http.Response {
	h := http.Header{"Content-Type": {"application/json"}}
	if v.retryAfter > 0 {
		h.Set("x-ms-retry-after-ms", strconv.Itoa(v.retryAfter))
	}
	return &http.Response{StatusCode: v.status, Request: r, Header: h,
		Body: io.NopCloser(strings.NewReader(`{"code":"x","message":"y"}`))}
}

func (w *faultyTransport) decide(r *http.Request, body string) injectedFault {
	w.mu.Lock()
	defer w.mu.Unlock()
	if strings.Contains(r.Header.Get("Content-Type"), "query") {
		w.queries = append(w.queries, recordedQuery{r.URL.Path, r.Header.Get("x-ms-documentdb-partitionkey"), body})
	}
	if w.fault == nil {
		return injectedFault{}
	}
	return w.fault(r, body)
}

// setFault sets the fault from now on (nil removes it) and clears the recorded queries.
func (w *faultyTransport) setFault(fault func(r *http.Request, body string) injectedFault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault, w.queries = fault, nil
}

// recorded returns the queries since setFault was called.
func (w *faultyTransport) recorded() []recordedQuery {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]recordedQuery(nil), w.queries...)
}
