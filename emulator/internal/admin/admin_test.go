package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// testAPI is an API on a clock that is stopped at start and a state that is one word.
type testAPI struct {
	handler http.Handler
	word    string
	clock   *clock.Clock
	copying func() error // called while a snapshot is taken, unless it is nil
}

func newTestAPI() *testAPI {
	d := &testAPI{word: "first", clock: clock.Manual(start)}
	d.handler = New(Config{
		Guard: control.Guard{Addr: "127.0.0.1:8000"}, Version: "1.2.3",
		Topics: []Topic{
			Info(func() control.About { return control.About{Version: "1.2.3", Behaviour: "strict", Seed: 7} }),
			NewState(d),
			Clock{d.clock},
		},
	})
	return d
}

func (d *testAPI) Now() time.Time              { return d.clock.Now() }
func (d *testAPI) Reset(context.Context) error { d.word = ""; return nil }
func (d *testAPI) TakeSnapshot() (func(context.Context) error, error) {
	if d.word == "broken" {
		return nil, errors.New("the disk is on fire")
	}
	if d.copying != nil {
		if err := d.copying(); err != nil {
			return nil, err
		}
	}
	kept := d.word
	return func(context.Context) error { d.word = kept; return nil }, nil
}

// do sends a request like a program on this machine, with additional headers, given as names and values in turn.
func (d *testAPI) do(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://127.0.0.1:8000"+path, strings.NewReader(body))
	if method != http.MethodGet {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	return w
}

// want fails the test if the status differs, or if part is not in the response's body.
func want(t *testing.T, w *httptest.ResponseRecorder, status int, part string) {
	t.Helper()
	if w.Code != status || !strings.Contains(w.Body.String(), part) {
		t.Errorf("%d %s, want %d with %s", w.Code, w.Body, status, part)
	}
	if status >= 400 && w.Header().Get("Content-Type") != "application/problem+json" {
		t.Errorf("an error has the content type %q", w.Header().Get("Content-Type"))
	}
}

func TestSnapshotsAreRestored(t *testing.T) {
	t.Parallel()
	d := newTestAPI()
	want(t, d.do("GET", "/_tabletop/snapshots", ""), 200, `{"snapshots":[]}`)
	want(t, d.do("POST", "/_tabletop/snapshots", ""), 201, `{"id":"1","taken":"2026-01-02T03:04:05Z"}`)
	d.word = "second"
	want(t, d.do("POST", "/_tabletop/snapshots", `{"id":"later"}`), 201, `"later"`)
	want(t, d.do("POST", "/_tabletop/snapshots", `{"id":"later"}`), 409, "snapshot later already exists")
	want(t, d.do("POST", "/_tabletop/snapshots", `{"id":"../later"}`), 422, "body.id")
	want(t, d.do("POST", "/_tabletop/snapshots/1/restore", ""), 204, "")
	if d.word != "first" {
		t.Errorf("the state is %q", d.word)
	}
	want(t, d.do("DELETE", "/_tabletop/snapshots/1", ""), 204, "")
	want(t, d.do("POST", "/_tabletop/snapshots/1/restore", ""), 404, "snapshot not found")
	want(t, d.do("DELETE", "/_tabletop/snapshots/1", ""), 404, "snapshot not found")
	want(t, d.do("POST", "/_tabletop/reset", ""), 204, "")
	if d.word != "" {
		t.Errorf("the state is %q after a reset", d.word)
	}
}

func TestSnapshotsAreBounded(t *testing.T) {
	t.Parallel()
	d := newTestAPI()
	for range maxSnapshots {
		want(t, d.do("POST", "/_tabletop/snapshots", "{}"), 201, "")
	}
	want(t, d.do("POST", "/_tabletop/snapshots", "{}"), 409, "delete one first")
}

// TestSnapshotInProgress sends requests while a snapshot is being taken, which has its ID already but is not listed.
func TestSnapshotInProgress(t *testing.T) {
	t.Parallel()
	d := newTestAPI()
	for range maxSnapshots - 1 {
		want(t, d.do("POST", "/_tabletop/snapshots", "{}"), 201, "")
	}
	d.copying = func() error {
		d.copying = nil
		want(t, d.do("POST", "/_tabletop/snapshots", "{}"), 409, "delete one first")
		want(t, d.do("DELETE", "/_tabletop/snapshots/1", ""), 204, "")
		want(t, d.do("POST", "/_tabletop/snapshots", `{"id":"slow"}`), 409, "snapshot slow already exists")
		want(t, d.do("DELETE", "/_tabletop/snapshots/slow", ""), 404, "snapshot not found")
		if got := d.do("GET", "/_tabletop/snapshots", ""); strings.Contains(got.Body.String(), "slow") {
			t.Errorf("it is listed: %s", got.Body)
		}
		return nil
	}
	want(t, d.do("POST", "/_tabletop/snapshots", `{"id":"slow"}`), 201, `"slow"`)
	want(t, d.do("GET", "/_tabletop/snapshots", ""), 200, `"slow"`)
}

// TestTooLargeSnapshotIsRefused checks that too much data for a snapshot is not a failure of the emulator, and that its
// ID can be used again, also after a panic.
func TestTooLargeSnapshotIsRefused(t *testing.T) {
	t.Parallel()
	d := newTestAPI()
	d.copying = func() error { return fmt.Errorf("copy: %w", &store.SnapshotSizeError{Size: 9 << 30, Limit: 4 << 30}) }
	want(t, d.do("POST", "/_tabletop/snapshots", `{"id":"large"}`), 409, "delete some")
	d.copying = func() error { panic("a bug below") }
	func() {
		defer func() { _ = recover() }()
		d.do("POST", "/_tabletop/snapshots", `{"id":"large"}`)
	}()
	d.copying = nil
	want(t, d.do("POST", "/_tabletop/snapshots", `{"id":"large"}`), 201, `"large"`)
}

func TestEmulatorErrorsAreProblemDetails(t *testing.T) {
	t.Parallel()
	d := newTestAPI()
	d.word = "broken"
	want(t, d.do("POST", "/_tabletop/snapshots", "{}"), 500, "on fire")
}

func TestInfoDescribesTheEmulator(t *testing.T) {
	t.Parallel()
	want(t, newTestAPI().do("GET", "/_tabletop/info", ""), 200, `"behaviour":"strict","seed":7,"data":""`)
}

func TestUnknownRoutesReturnProblemDetails(t *testing.T) {
	t.Parallel()
	d := newTestAPI()
	want(t, d.do("GET", "/_tabletop/nothing", ""), 404, "/_tabletop/docs")
	want(t, d.do("DELETE", "/_tabletop/info", ""), 405, "/_tabletop/docs")
	want(t, d.do("GET", "/_tabletop//info", ""), 404, "/_tabletop/docs")
	want(t, d.do("GET", "/_tabletop/info?nothing=1", ""), 422, "query.nothing")
	want(t, d.do("POST", "/_tabletop/snapshots", `{"id":`), 400, "")
	want(t, d.do("POST", "/_tabletop/snapshots", `{"name":"x"}`), 422, "body.name")
	want(t, d.do("POST", "/_tabletop/snapshots", `{"id":"`+strings.Repeat("x", maxBody)+`"}`), 413, "")
}

// counting is a topic that counts how often it is built.
type counting struct{ built *int }

func (counting) Name() string          { return "counting" }
func (c counting) Routes(api huma.API) { *c.built++ }

func TestAdminAPIIsBuiltOnFirstUse(t *testing.T) {
	t.Parallel()
	built := 0
	d := &testAPI{handler: New(Config{Guard: control.Guard{Addr: "127.0.0.1:8000"}, Topics: []Topic{counting{&built}}})}
	if built != 0 {
		t.Error("the API was built by New")
	}
	for range 2 {
		want(t, d.do("GET", "/_tabletop/openapi.json", ""), 200, `"openapi"`)
	}
	if built != 1 {
		t.Errorf("the API was built %d times", built)
	}
}

func TestOpenAPIDocumentAndPage(t *testing.T) {
	t.Parallel()
	d := newTestAPI()
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID, Summary string
			Tags                 []string
		}
	}
	if err := json.Unmarshal(d.do("GET", "/_tabletop/openapi.json", "").Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			if !strings.HasPrefix(path, control.Path+"/") || op.OperationID == "" || op.Summary == "" || len(op.Tags) != 1 {
				t.Errorf("%s %s: %+v", method, path, op)
			}
		}
	}
	if len(doc.Paths) != 10 {
		t.Errorf("%d paths", len(doc.Paths))
	}
	page := d.do("GET", "/_tabletop/docs", "").Body.String()
	for _, part := range []string{"curl -X POST http://127.0.0.1:8000/_tabletop/reset", "Content-Type: application/json",
		"restore", "0.001 to 1000000"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %q", part)
		}
	}
	if found := regexp.MustCompile(`<script|(src|href)="(https?:)?//|url\(|@import`).FindString(page); found != "" {
		t.Errorf("the page needs more than itself: %s", found)
	}
}
