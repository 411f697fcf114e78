package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
)

// An operation is closed unless it declares who may call it, however it was added to the API.
func TestOperationsWithoutAccessAreClosed(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	api := New(mux, Config{System: "sample", Title: "Sample", Version: "1", Tags: []string{"things"}})
	handle := func(context.Context, *struct{}) (*Reply[resource], error) {
		return &Reply[resource]{resource{Name: "secret"}}, nil
	}
	direct := func(id string, security ...map[string][]string) {
		op := Operation(id, http.MethodGet, "/sample/"+id, "Get", "Gets.")
		op.Security = security
		huma.Register(api.API, op, handle)
	}
	Add(api, Open, Operation("open", http.MethodGet, "/sample/open", "Get", "Gets."), handle)
	Add(api, AdminToken("token", "sample"), Operation("guarded", http.MethodGet, "/sample/guarded", "Get", "Gets."),
		handle)
	Add(api, nil, Operation("forgotten", http.MethodGet, "/sample/forgotten", "Get", "Gets."), handle)
	direct("direct")
	direct("unknown", map[string][]string{"unknown": {}})
	direct("either", map[string][]string{AdminScheme: {}}, map[string][]string{})
	direct("both", map[string][]string{AdminScheme: {}, "unknown": {}})
	direct("same", map[string][]string{AdminScheme: {}})
	for id, want := range map[string]int{
		"open": 200, "guarded": 401, "forgotten": 403, "direct": 403, "unknown": 403, "either": 403, "both": 403, "same": 401,
	} {
		out := httptest.NewRecorder()
		mux.ServeHTTP(out, httptest.NewRequest(http.MethodGet, "/sample/"+id, nil))
		if out.Code != want || strings.Contains(out.Body.String(), "secret") != (want == 200) {
			t.Errorf("%s: %d %s", id, out.Code, out.Body)
		}
	}
}

// The document describes one kind of caller per scheme.
func TestOneAccessPerScheme(t *testing.T) {
	t.Parallel()
	api := New(http.NewServeMux(), Config{System: "sample", Title: "Sample", Version: "1", Tags: []string{"things"},
		Intro: `{{define "links"}}{{end}}{{define "start"}}{{end}}`})
	handle := func(context.Context, *struct{}) (*struct{}, error) { return nil, nil }
	for _, id := range []string{"one", "two"} {
		Add(api, AdminToken(id, id), Operation(id, http.MethodGet, "/sample/"+id, "Get", "Gets."), handle)
	}
	if err := api.MountDocs(); err == nil || !strings.Contains(err.Error(), AdminScheme) {
		t.Errorf("%v", err)
	}
}
