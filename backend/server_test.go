package backend

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/internal/util/plainhttp"
)

// offline returns a configuration whose database is unreachable: nothing listens on port 1.
func offline() Config {
	return Config{
		AWS: aws.Config{
			Region: "eu-central-1", BaseEndpoint: aws.String("http://127.0.0.1:1"),
			Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
		},
		AdminToken: "token", Pepper: "pepper",
		ClientOptions: []func(*dynamodb.Options){func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} }},
	}
}

func newServer(t *testing.T) *Server {
	t.Helper()
	server, err := New(offline())
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// TestNewRequiresSecrets checks that no server starts without its secrets (TL-R11).
func TestNewRequiresSecrets(t *testing.T) {
	t.Parallel()
	cfg := offline()
	cfg.Pepper = ""
	if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), "API_KEY_PEPPER") {
		t.Errorf("without a pepper: %v", err)
	}
	if err := Serve(t.Context(), "127.0.0.1:0", cfg); err == nil {
		t.Error("served without a pepper")
	}
	if err := Serve(t.Context(), "nonsense", offline()); err == nil || !strings.Contains(err.Error(),
		"choose another address") {
		t.Errorf("on a wrong address: %v", err)
	}
}

// TestUnknownPathsAreProblemDetails checks that what the mux reports as text is reported as problem details.
func TestUnknownPathsAreProblemDetails(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/healthz", 200}, {"GET", "/telemetry/docs", 200}, {"GET", "/telemetry/openapi.json", 200},
		{"GET", "/nothing", 404}, {"GET", "/telemetry", 404}, {"POST", "/telemetry/nothing", 404},
		{"PATCH", "/telemetry/devices", 405}, {"DELETE", "/healthz", 405},
		{"GET", "//healthz", 404}, {"GET", "//nothing", 404}, {"GET", "/telemetry/../nothing", 404},
	} {
		out := httptest.NewRecorder()
		server.ServeHTTP(out, httptest.NewRequest(c.method, c.path, nil))
		if out.Code != c.status {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, out.Code, c.status)
		}
		if c.status < 400 {
			continue
		}
		var problem struct{ Status int }
		if err := json.Unmarshal(out.Body.Bytes(), &problem); err != nil || problem.Status != c.status {
			t.Errorf("%s %s: body %s", c.method, c.path, out.Body)
		}
		if kind := out.Header().Get("Content-Type"); kind != "application/problem+json" {
			t.Errorf("%s %s: content type %s", c.method, c.path, kind)
		}
		if c.status == 405 && out.Header().Get("Allow") == "" {
			t.Errorf("%s %s: no Allow", c.method, c.path)
		}
	}
}

// TestUnreachableDatabase checks that an unreachable database leads to a 503 with the remedy, and that the server
// recovers with the database.
func TestUnreachableDatabase(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	request := httptest.NewRequest("GET", "/telemetry/devices", nil)
	request.Header.Set("X-API-Key", strings.Repeat("0f", 32))
	for _, r := range []*http.Request{request, httptest.NewRequest("GET", "/telemetry/healthz", nil)} {
		out := httptest.NewRecorder()
		server.ServeHTTP(out, r)
		if out.Code != 503 || out.Header().Get("Retry-After") == "" || !strings.Contains(out.Body.String(),
			"send the same request again") {
			t.Errorf("%s: %d %v %s", r.URL, out.Code, out.Header(), out.Body)
		}
	}
}

// TestServeStopsGracefully checks that a request in progress finishes when the context ends.
func TestServeStopsGracefully(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	entered, release := make(chan struct{}), make(chan struct{})
	server.mux.HandleFunc("GET /slow", func(w http.ResponseWriter, _ *http.Request) {
		close(entered)
		<-release
		_, _ = io.WriteString(w, "whole")
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served, answered := make(chan error, 1), make(chan string, 1)
	go func() { served <- server.Serve(ctx, listener) }()
	go func() {
		response, err := http.Get("http://" + listener.Addr().String() + "/slow")
		if err != nil {
			answered <- err.Error()
			return
		}
		defer response.Body.Close()
		body, _ := io.ReadAll(response.Body)
		answered <- string(body)
	}()
	<-entered
	stop()
	close(release)
	if got := <-answered; got != "whole" {
		t.Errorf("the request under way got %q", got)
	}
	if err := <-served; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

// TestHTTPClientLimits checks that the SDK's own client gets our limits, with and without TLS, and that a caller's
// client stays as it is.
func TestHTTPClientLimits(t *testing.T) {
	t.Parallel()
	for _, given := range []aws.HTTPClient{nil, awshttp.NewBuildableClient()} {
		got := httpClient(aws.Config{HTTPClient: given}).(*awshttp.BuildableClient).GetTransport()
		if got.MaxIdleConnsPerHost != idleConnections || got.MaxIdleConns != idleConnections {
			t.Errorf("idle connections %d a host, %d in all", got.MaxIdleConnsPerHost, got.MaxIdleConns)
		}
		address := aws.String("http://127.0.0.1:8000")
		plain := httpClient(aws.Config{HTTPClient: given, BaseEndpoint: address}).(*plainhttp.Transport)
		if plain.Idle != idleConnections || plain.Base.MaxIdleConns != idleConnections || plain.Timeout != callTimeout {
			t.Errorf("without TLS: %+v", plain)
		}
	}
	own := new(http.Client)
	if httpClient(aws.Config{HTTPClient: own, BaseEndpoint: aws.String("http://127.0.0.1:8000")}) != own {
		t.Error("the caller's client was replaced")
	}
}

// TestUncleanPathsAreNotRedirected checks that an id that is a dot deletes nothing else, and that no path is
// redirected.
func TestUncleanPathsAreNotRedirected(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	for _, at := range []string{
		"/devicetoken/devices/.", "/devicetoken/devices/x/..", "/devicetoken/./devices", "//devicetoken/devices",
		"/devicetoken//devices",
		"/devicetoken/devices/..", "/devicetoken/devices/x/.",
	} {
		recorder := httptest.NewRecorder()
		request := httptest.NewRequest(http.MethodDelete, "/", nil)
		request.URL.Path = at
		server.ServeHTTP(recorder, request)
		if recorder.Code != http.StatusNotFound || recorder.Header().Get("Location") != "" {
			t.Errorf("%s: %d, %s", at, recorder.Code, recorder.Header().Get("Location"))
		}
	}
	for at, want := range map[string]int{"/": 200, "/docs": 200, "/healthz": 200, "/devicetoken/docs": 200,
		"/healthz/": 404} {
		recorder := httptest.NewRecorder()
		server.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, at, nil))
		if recorder.Code != want {
			t.Errorf("%s: %d", at, recorder.Code)
		}
	}
}

// TestIssuerURLIsTheServersAddress checks that the issuer's documents are found at the server's own port, as a
// verifier of its tokens would fetch them.
func TestIssuerURLIsTheServersAddress(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, listener) }()
	base := "http://" + listener.Addr().String() + "/auth"
	res, err := http.Get(base + "/.well-known/openid-configuration")
	if err != nil {
		t.Fatal(err)
	}
	var said struct{ Issuer string }
	if err := json.NewDecoder(res.Body).Decode(&said); err != nil || said.Issuer != base {
		t.Errorf("it says %q, %v, and is at %s", said.Issuer, err, base)
	}
	_ = res.Body.Close()
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestForeignPagesGetNoToken checks that web pages that somebody visits cannot get a token from the server's own
// issuer.
func TestForeignPagesGetNoToken(t *testing.T) {
	t.Parallel()
	cfg := offline()
	cfg.TrustedHosts = []string{"desk.example"}
	server, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, listener) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	for _, c := range []struct {
		host, origin string
		status       int
	}{
		{"", "", 200}, {"backend:8080", "", 200}, {"desk.example", "https://desk.example", 200},
		{"", "http://localhost:3000", 200},
		{"rebound.example", "", 403}, {"", "https://evil.example", 403}, {"", "null", 403},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+listener.Addr().String()+"/auth/token",
			strings.NewReader(`{"subject":"ada","lifetime":60}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = c.host
		r.Header.Set("Content-Type", "application/json")
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if err := errors.Join(err, res.Body.Close()); err != nil || res.StatusCode/100 != c.status/100 {
			t.Errorf("by %q from %q: %d %s %v", c.host, c.origin, res.StatusCode, body, err)
		}
	}
}

// TestPagesAreGuarded checks that documentation pages cannot be framed and contain no scripts.
func TestPagesAreGuarded(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	for _, path := range []string{"/", "/docs", "/telemetry/docs", "/kefir/docs", "/telemetry/openapi.json"} {
		out := httptest.NewRecorder()
		server.ServeHTTP(out, httptest.NewRequest(http.MethodGet, path, nil))
		if got := out.Header().Get("X-Content-Type-Options"); out.Code != http.StatusOK || got != "nosniff" {
			t.Errorf("%s: %d, X-Content-Type-Options %q", path, out.Code, got)
		}
		if strings.HasSuffix(path, ".json") {
			continue
		}
		csp := out.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(csp, "default-src 'none'") || strings.Contains(csp, "script-src") ||
			out.Header().Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s: %v", path, out.Header())
		}
		if page := out.Body.String(); strings.Contains(page, "<script") || strings.Contains(page, "<form") ||
			strings.Contains(page, "<img") {
			t.Errorf("%s has what its policy does not let it have", path)
		}
	}
}
