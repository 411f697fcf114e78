package devicetoken

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/auth"
)

// TestBadRequestsNameTheField checks that invalid requests get a 400 that names the field, and store nothing (PE-R3).
func TestBadRequestsNameTheField(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	with := func(name string, value any) map[string]any {
		body := phone("one")
		if body[name] = value; value == nil {
			delete(body, name)
		}
		return body
	}
	for _, c := range []struct {
		method, path string
		body         any
		field        string
	}{
		{"POST", "/devices", with("platform", "windows"), "body.platform"},
		{"POST", "/devices", with("platform", 7), "body.platform"},
		{"POST", "/devices", with("platform", ""), "body.platform"},
		{"POST", "/devices", with("platform", nil), "body.platform"},
		{"POST", "/devices", with("expoPushToken", "ExponentPushToken[]"), "body.expoPushToken"},
		{"POST", "/devices", with("expoPushToken", "ExpoPushToken[abc]"), "body.expoPushToken"},
		{"POST", "/devices", with("expoPushToken", tokenOf("a b")), "body.expoPushToken"},
		{"POST", "/devices", with("expoPushToken", tokenOf(strings.Repeat("a", 129))), "body.expoPushToken"},
		{"POST", "/devices", with("expoPushToken", tokenOf("a")+"\n"), "body.expoPushToken"},
		{"POST", "/devices", with("deviceId", "a b"), "body.deviceId"},
		{"POST", "/devices", with("deviceId", strings.Repeat("a", 129)), "body.deviceId"},
		{"POST", "/devices", with("deviceId", []string{"a"}), "body.deviceId"},
		{"POST", "/devices", with("deviceId", "."), "body.deviceId"},
		{"POST", "/devices", with("deviceId", ".."), "body.deviceId"},
		{"POST", "/devices", with("userId", "bob"), "body.userId"},
		{"POST", "/devices", with("registeredAt", "2020-01-01T00:00:00Z"), "body.registeredAt"},
		{"POST", "/devices?userId=bob", phone("one"), "query.userId"},
		{"PUT", "/devices/one", map[string]any{"expoPushToken": "x"}, "body.expoPushToken"},
		{"PUT", "/devices/a%20b", map[string]any{"expoPushToken": tokenOf("a")}, "path.deviceId"},
		{"GET", "/devices/" + strings.Repeat("a", 129), nil, "path.deviceId"},
		{"GET", "/devices/%C3%A4", nil, "path.deviceId"},
	} {
		got := w.want(400, w.as("ana").call(c.method, c.path, c.body))
		if !strings.Contains(got.raw, `"location":"`+c.field+`"`) || got.body["status"] != 400.0 ||
			got.body["title"] != "Bad Request" {
			t.Errorf("%s %s %v: %s", c.method, c.path, c.body, got.raw)
		}
	}
	for _, body := range []string{"", "{", "[]", "null", `"text"`, strings.Repeat("[", 10000)} {
		if got := w.as("ana").call("POST", "/devices", body); got.status != 400 {
			t.Errorf("%.20q: %d %s", body, got.status, got.raw)
		}
	}
	w.want(413, w.as("ana").call("POST", "/devices", strings.Repeat(" ", 65<<10)))
	if items := w.items(); len(items) != 0 || w.calls.all() != "" {
		t.Errorf("stored: %v, asked: %s", items, w.calls.all())
	}
}

// TestInvalidTokensRevealNothing checks that a caller without a valid token learns nothing.
func TestInvalidTokensRevealNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other, err := auth.NewIssuer(w.now)
	if err != nil {
		t.Fatal(err)
	}
	forged, err := other.Token("ana", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	valid := w.as("ana").token()
	for _, token := range []string{"", "x", forged, valid[:len(valid)-4], adminToken} {
		for _, path := range []string{"/devices", "/devices/one"} {
			w.want(401, apiUser{w, func() string { return token }}.call("GET", path, nil))
		}
	}
	for _, path := range []string{"/users/ana/diagnosis"} {
		w.want(401, w.as("ana").call("GET", path, nil))
	}
	if w.calls.all() != "" {
		t.Errorf("the store was asked: %s", w.calls.all())
	}
}

// TestOpenAPI checks that the document covers the API and names the callers of each operation.
func TestOpenAPI(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	recorder := httptest.NewRecorder()
	w.handler.ServeHTTP(recorder, httptest.NewRequest("GET", "/devicetoken/openapi.json", nil))
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string
			Security    []map[string][]string
			Responses   map[string]any
		}
	}
	if err := json.Unmarshal(recorder.Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, methods := range doc.Paths {
		for _, op := range methods {
			who := "open"
			for scheme := range append(op.Security, nil)[0] {
				who = scheme
			}
			all = append(all, fmt.Sprint(op.OperationID, " ", who))
			if _, is422 := op.Responses["422"]; is422 {
				t.Errorf("%s documents 422, which it never answers", op.OperationID)
			}
		}
	}
	slices.Sort(all)
	want := "deactivate-device bearer, delete-device bearer, delete-devices bearer, diagnose-user adminToken, get-device bearer," +
		" health open, list-devices bearer, push-to-user adminToken, refresh-device bearer, register-device bearer, stats open"
	if got := strings.Join(all, ", "); got != want {
		t.Errorf("operations are\n%s, want\n%s", got, want)
	}
	w.want(200, w.admin().call("GET", "/healthz", nil))
	w.want(200, w.admin().call("GET", "/stats", nil))
}
