package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

type resource struct {
	Name  string  `json:"name" maxLength:"5"`
	Kind  string  `json:"kind,omitempty" enum:"a,b"`
	Inner *nested `json:"inner,omitempty"`
}

type nested struct {
	Deep string `json:"deep,omitempty"`
}

// mount serves one route that responds with the error of handle, or without content.
func mount(t *testing.T, handle func() error) *http.ServeMux {
	t.Helper()
	mux := http.NewServeMux()
	api := New(mux, Config{
		System: "sample", Title: "Sample", Version: "1.0.0", Tags: []string{"things"},
		Intro:   `{{define "links"}}{{end}}{{define "start"}}{{end}}`,
		Schemes: map[string]*huma.SecurityScheme{AdminScheme: AdminSecurity()},
	})
	Add(api, AdminToken("secret", "sample"), Operation("put-thing", http.MethodPut, "/sample/things/{id}", "Put", "Puts."),
		func(_ context.Context, in *struct {
			ID   string `path:"id"`
			Body resource
		}) (*Reply[resource], error) {
			return &Reply[resource]{in.Body}, handle()
		})
	if err := api.MountDocs(); err != nil {
		t.Fatal(err)
	}
	return mux
}

func put(mux *http.ServeMux, token, body string) *httptest.ResponseRecorder {
	out, in := httptest.NewRecorder(), httptest.NewRequest(http.MethodPut, "/sample/things/1", strings.NewReader(body))
	in.Header.Set("Content-Type", "application/json")
	in.Header.Set("Authorization", "Bearer "+token)
	mux.ServeHTTP(out, in)
	return out
}

func TestErrorsBecomeProblems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err    error
		status int
		says   string
	}{
		{nil, 200, `{"name":"x"}`},
		{Invalid("body.name", "must rhyme"), 422, `"location":"body.name"`},
		{Bad("query.cursor", "is not one"), 400, `"location":"query.cursor"`},
		{NotFound("no such thing"), 404, "no such thing"},
		{Conflict("it is gone"), 409, "it is gone"},
		{Unavailable("the key is away"), 503, "the key is away"},
		{ddb.MapError(errors.New("connection refused")), 503, ddb.ErrUnreachable.Error()},
		{errors.New("a secret of the service"), 500, "see its log"},
	} {
		got := put(mount(t, func() error { return c.err }), "secret", `{"name":"x"}`)
		if got.Code != c.status || !strings.Contains(got.Body.String(), c.says) ||
			strings.Contains(got.Body.String(), "a secret") {
			t.Errorf("%v: %d %s", c.err, got.Code, got.Body)
		}
		if retry := got.Header().Get("Retry-After"); (retry != "") != (c.status == 503) {
			t.Errorf("%v: Retry-After %q", c.err, retry)
		}
	}
}

func TestAdminTokenGuards(t *testing.T) {
	t.Parallel()
	mux := mount(t, func() error { return nil })
	for _, token := range []string{"", "wrong", "secret2", "secre"} {
		got := put(mux, token, `{"name":"x"}`)
		if got.Code != 401 || got.Header().Get("WWW-Authenticate") != `Bearer realm="sample"` {
			t.Errorf("%q: %d %v", token, got.Code, got.Header())
		}
	}
}

func TestEmptyParametersAreRefused(t *testing.T) {
	t.Parallel()
	mux, out := mount(t, func() error { return nil }), httptest.NewRecorder()
	in := httptest.NewRequest(http.MethodPut, "/sample/things/1?by=", strings.NewReader(`{"name":"x"}`))
	in.Header.Set("Content-Type", "application/json")
	in.Header.Set("Authorization", "Bearer secret")
	mux.ServeHTTP(out, in)
	if out.Code != 422 || !strings.Contains(out.Body.String(), `"location":"query.by"`) {
		t.Errorf("%d %s", out.Code, out.Body)
	}
}

// A field that appears twice, in different case, would be checked once and used the other time.
func TestDuplicateFieldsAreRefused(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"name":"x","NAME":"far too long"}`, `{"name":"x","inner":{"deep":"a","Deep":"b"}}`,
		`{"name":"secret`} {
		got := put(mount(t, func() error { return nil }), "secret", body)
		if got.Code != 400 || strings.Contains(got.Body.String(), "secret") || strings.Contains(got.Body.String(),
			"far too long") {
			t.Errorf("%s: %d %s", body, got.Code, got.Body)
		}
	}
}

func TestMalformedQueriesAreRefused(t *testing.T) {
	t.Parallel()
	out, in := httptest.NewRecorder(), httptest.NewRequest(http.MethodPut, "/sample/things/1?by=%zz",
		strings.NewReader(`{"name":"x"}`))
	in.Header.Set("Content-Type", "application/json")
	in.Header.Set("Authorization", "Bearer secret")
	if mount(t, func() error { return nil }).ServeHTTP(out, in); out.Code != 400 {
		t.Errorf("%d %s", out.Code, out.Body)
	}
}

// A huge value is clipped in the response.
func TestProblemsDoNotEchoBodies(t *testing.T) {
	t.Parallel()
	got := put(mount(t, func() error { return nil }), "secret", `{"name":"`+strings.Repeat("x", 5000)+`"}`)
	if got.Code != 422 || got.Body.Len() > 1000 {
		t.Errorf("%d, %d bytes: %.200s", got.Code, got.Body.Len(), got.Body)
	}
}

// A text is cut between two characters, and followed by the mark of the cut.
func TestClipCutsBetweenCharacters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"plain": "plain", "sixsix": "sixsix", "seven_7": "seven_…",
		"fünfü!": "fünf…", "é\xff": "é\xff"} {
		if got := Clip(text, 6); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// An optional field may be null in requests, and the document says so.
func TestDocumentNulls(t *testing.T) {
	t.Parallel()
	mux := mount(t, func() error { return nil })
	if got := put(mux, "secret", `{"name":"x","kind":null,"inner":null}`); got.Code != 200 {
		t.Errorf("%d %s", got.Code, got.Body)
	}
	out := httptest.NewRecorder()
	mux.ServeHTTP(out, httptest.NewRequest(http.MethodGet, "/sample/openapi.json", nil))
	var doc struct {
		Components struct {
			Schemas map[string]struct{ Properties map[string]json.RawMessage }
		}
	}
	if err := json.Unmarshal(out.Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	things := doc.Components.Schemas["Resource"].Properties
	for name, want := range map[string]string{"name": `"type": "string"`, "kind": `null`, "inner": `"anyOf"`} {
		if !strings.Contains(string(things[name]), want) {
			t.Errorf("%s: %s", name, things[name])
		}
	}
	if deep := doc.Components.Schemas["Nested"].Properties["deep"]; !strings.Contains(string(deep), `"null"`) {
		t.Errorf("deep: %s", deep)
	}
}

func FuzzDecodeCursor(f *testing.F) {
	f.Add(EncodeCursor(map[string]string{"pk": "a", "sk": "b"}))
	f.Add("e30")
	f.Add("!")
	parts := map[string]func(string) bool{"pk": Equals("a"), "sk": func(s string) bool { return s != "" }}
	f.Fuzz(func(t *testing.T, cursor string) {
		key, err := DecodeCursor(cursor, parts)
		if err != nil || cursor == "" {
			return
		}
		if key["pk"] != "a" || key["sk"] == "" || len(key) != 2 {
			t.Errorf("%q passed as %v", cursor, key)
		}
	})
}
