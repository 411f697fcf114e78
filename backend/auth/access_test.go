package auth

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

type answerOf[T any] struct{ Body T }

// guarded responds with the subject of an admitted caller.
func guarded(v Verifier, log *bytes.Buffer) http.Handler {
	mux := http.NewServeMux()
	api := web.New(mux, web.Config{
		System: "guarded", Title: "guarded", Version: "1", Tags: []string{"operations"}, BadRequests: true,
		Schemes: map[string]*huma.SecurityScheme{Scheme: SecurityScheme()}, Logger: slog.New(slog.NewTextHandler(log, nil)),
	})
	web.Add(api, Access(v), web.Operation("who", http.MethodGet, "/guarded/who", "Who", "Who calls."),
		func(ctx context.Context, _ *struct {
			Size int `query:"size" maximum:"9"`
		}) (*answerOf[Claims], error) {
			return &answerOf[Claims]{From(ctx)}, nil
		})
	return mux
}

func TestOnlyValidTokensAreAdmitted(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	valid, err := i.Token("ana", time.Hour, "reviewer")
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	h := guarded(i, &log)
	for _, c := range []struct {
		header, query, says string
		status              int
	}{
		{"Bearer " + valid, "", `"Subject":"ana","Roles":["reviewer"]`, 200},
		{"bearer " + valid, "", `"ana"`, 200},
		{"Bearer " + valid, "?size=10", `"status":400`, 400},
		{"", "", ErrInvalidToken.Error(), 401},
		{"Bearer", "", ErrInvalidToken.Error(), 401},
		{"Basic " + valid, "", ErrInvalidToken.Error(), 401},
		{"Bearer " + valid + "x", "?size=10", ErrInvalidToken.Error(), 401},
		{"Bearer " + i.forge(t, claim("exp", start().Add(-time.Hour).Unix())), "", ErrInvalidToken.Error(), 401},
	} {
		got := ask(h, c.header, c.query)
		body := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(got.Body.String())
		if got.Code != c.status || !strings.Contains(body, c.says) {
			t.Errorf("%.30s %s: %d %s", c.header, c.query, got.Code, body)
		}
		if challenge := got.Header().Get("WWW-Authenticate"); (challenge == "Bearer") != (c.status == 401) {
			t.Errorf("%.30s: challenge %q", c.header, challenge)
		}
	}
	if log.Len() > 0 {
		t.Errorf("a caller's mistakes are logged: %s", &log)
	}
}

type unreachable struct{}

func (unreachable) Verify(context.Context, string) (Claims, error) {
	return Claims{}, fmt.Errorf("%w: dial tcp 10.0.0.7", ErrKeysUnavailable)
}

func TestUnreachableIssuerGets503(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	got := ask(guarded(unreachable{}, &log), "Bearer x", "")
	if got.Code != 503 || got.Header().Get("Retry-After") == "" || strings.Contains(got.Body.String(), "10.0.0.7") {
		t.Errorf("%d %v %s", got.Code, got.Header(), got.Body)
	}
	if !strings.Contains(log.String(), "10.0.0.7") {
		t.Errorf("the log does not say why: %s", &log)
	}
}

func ask(h http.Handler, authorization, query string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodGet, "/guarded/who"+query, nil)
	if authorization != "" {
		request.Header.Set("Authorization", authorization)
	}
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, request)
	return recorder
}
