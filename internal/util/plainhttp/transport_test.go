package plainhttp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// server is a test server that counts its connections.
type server struct {
	*httptest.Server
	opened atomic.Int64
}

func start(t *testing.T, handler http.HandlerFunc) *server {
	t.Helper()
	s := &server{Server: httptest.NewUnstartedServer(handler)}
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.opened.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func newTransport(t *testing.T) *Transport {
	t.Helper()
	tr := &Transport{Base: &http.Transport{}, Timeout: time.Minute, Idle: 8}
	t.Cleanup(tr.CloseIdleConnections)
	return tr
}

// send sends a request and returns the status and the body of the response.
func send(ctx context.Context, tr http.RoundTripper, method, address, text string) (int, string, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(text))
	if err != nil {
		return 0, "", err
	}
	res, err := tr.RoundTrip(r)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = res.Body.Close() }()
	got, err := io.ReadAll(res.Body)
	return res.StatusCode, string(got), err
}

// mustSend sends a POST request whose response has to be 200 with this body.
func mustSend(t *testing.T, tr http.RoundTripper, address, text, want string) {
	t.Helper()
	status, got, err := send(t.Context(), tr, http.MethodPost, address, text)
	if err != nil || status != http.StatusOK || got != want {
		t.Fatalf("status %d, %d bytes (want %d), %v", status, len(got), len(want), err)
	}
}

func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	_, _ = w.Write(body)
}

// TestOneConnection sends requests with bodies of many sizes in turn: all use one connection.
func TestOneConnection(t *testing.T) {
	t.Parallel()
	s, tr := start(t, echo), newTransport(t)
	for _, size := range []int{0, 1, 4095, bufferSize - 1, bufferSize, bufferSize + 1, 1_000_000, 10} {
		text := strings.Repeat("x", size)
		mustSend(t, tr, s.URL, text, text)
	}
	if n := s.opened.Load(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// TestFormsOfResponses reads responses of each form, all on one connection.
func TestFormsOfResponses(t *testing.T) {
	t.Parallel()
	s, tr := start(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/chunked":
			for range 3 {
				_, _ = io.WriteString(w, "part")
				_ = http.NewResponseController(w).Flush()
			}
		case "/nothing":
			w.WriteHeader(http.StatusNoContent)
		case "/early":
			w.WriteHeader(http.StatusEarlyHints)
			_, _ = io.WriteString(w, "late")
		case "/head":
			w.Header().Set("Content-Length", "1000")
		}
	}), newTransport(t)
	for _, test := range []struct {
		method, path string
		status       int
		body         string
	}{{http.MethodGet, "/chunked", 200, "partpartpart"}, {http.MethodDelete, "/nothing", 204, ""},
		{http.MethodGet, "/early", 200, "late"}, {http.MethodHead, "/head", 200, ""}, {http.MethodGet, "/", 200, ""}} {
		status, body, err := send(t.Context(), tr, test.method, s.URL+test.path, "")
		if err != nil || status != test.status || body != test.body {
			t.Errorf("%s: %d, %q, %v", test.path, status, body, err)
		}
	}
	if n := s.opened.Load(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// TestServerCloses sends requests after the server closed the idle connection, and one whose response ends with the
// connection.
func TestServerCloses(t *testing.T) {
	t.Parallel()
	s, tr := start(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/close" {
			w.Header().Set("Connection", "close")
		}
		echo(w, r)
	}), newTransport(t)
	mustSend(t, tr, s.URL, "1", "1")
	s.CloseClientConnections() // returns after the connections are closed
	mustSend(t, tr, s.URL, "2", "2")
	mustSend(t, tr, s.URL+"/close", "3", "3")
	mustSend(t, tr, s.URL, "4", "4")
	if n := s.opened.Load(); n != 3 {
		t.Errorf("%d connections, want 3", n)
	}
}

// TestUnreadBody closes the body of a response before its end: the connection is not used again.
func TestUnreadBody(t *testing.T) {
	t.Parallel()
	s, tr := start(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("x", 1000))
	}), newTransport(t)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		res, err := tr.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if n, err := res.Body.Read(make([]byte, 1)); err == nil && n > 0 {
			t.Log("the body's buffer may still be read") // no promise
		}
	}
	if n := s.opened.Load(); n != 2 {
		t.Errorf("%d connections, want 2", n)
	}
}

// TestEnd ends requests that a server does not answer: by their context, by its deadline, and by the timeout.
func TestEnd(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		limit func(*Transport, context.Context) (context.Context, context.CancelFunc)
		path  string
		want  error
	}{
		"canceled":                 {limitNothing, "/cancel", context.Canceled},
		"canceled within the body": {limitNothing, "/body", context.Canceled},
		"deadline": {func(_ *Transport, ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 10*time.Millisecond)
		}, "/", context.DeadlineExceeded},
		"timeout": {func(tr *Transport, ctx context.Context) (context.Context, context.CancelFunc) {
			tr.Timeout = 10 * time.Millisecond
			return context.WithCancel(ctx)
		}, "/", os.ErrDeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newTransport(t)
			ctx, cancel := test.limit(tr, t.Context())
			defer cancel()
			s := start(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/body" {
					_, _ = io.WriteString(w, "begin")
					_ = http.NewResponseController(w).Flush()
				}
				if r.URL.Path != "/" {
					cancel()
				}
				<-r.Context().Done() // the client closes the connection
			})
			if _, _, err := send(ctx, tr, http.MethodGet, s.URL+test.path, ""); !errors.Is(err, test.want) {
				t.Errorf("%v, want %v", err, test.want)
			}
		})
	}
}

// lateContext has not noticed yet that its deadline is over.
type lateContext struct{ context.Context }

func (lateContext) Deadline() (time.Time, bool) { return time.Now().Add(-time.Millisecond), true }

// TestTheConnectionNoticesADeadlineFirst says that the context's deadline was over, not the transport's timeout.
func TestTheConnectionNoticesADeadlineFirst(t *testing.T) {
	t.Parallel()
	if err := ended(lateContext{t.Context()}, os.ErrDeadlineExceeded); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want %v", err, context.DeadlineExceeded)
	}
	if err := ended(t.Context(), os.ErrDeadlineExceeded); !errors.Is(err, errTimeout) {
		t.Errorf("%v, want %v", err, errTimeout)
	}
}

func limitNothing(_ *Transport, ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}

// TestRefused tries a port that nothing listens on.
func TestRefused(t *testing.T) {
	t.Parallel()
	var op *net.OpError
	_, _, err := send(t.Context(), newTransport(t), http.MethodGet, "http://127.0.0.1:1", "")
	if !errors.As(err, &op) || op.Op != "dial" {
		t.Errorf("%v", err)
	}
}

// TestResponseBeforeRequest reads the response of a server that does not read the request to its end.
func TestResponseBeforeRequest(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	go func() {
		c, err := listener.Accept()
		if err != nil {
			return
		}
		defer func() { _ = c.Close() }()
		r, err := http.ReadRequest(bufio.NewReader(c))
		if err != nil {
			return
		}
		_, _ = io.WriteString(c, "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")
		_, _ = io.Copy(io.Discard, r.Body) // a reset would take the response with it
	}()
	status, body, err := send(t.Context(), newTransport(t), http.MethodPost, "http://"+listener.Addr().String(),
		strings.Repeat("x", 10_000))
	if err != nil || status != http.StatusRequestEntityTooLarge || body != "no" {
		t.Errorf("%d, %q, %v", status, body, err)
	}
}

// TestBase sends what net/http has to send: requests by https, through a proxy and with Expect.
func TestBase(t *testing.T) {
	t.Parallel()
	s := start(t, func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprint(w, r.Host) })
	secure := httptest.NewTLSServer(http.HandlerFunc(echo))
	defer secure.Close()
	mustSend(t, &Transport{Base: secure.Client().Transport.(*http.Transport), Timeout: time.Minute}, secure.URL, "x", "x")
	proxy, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxied := newTransport(t)
	proxied.Base.Proxy = http.ProxyURL(proxy)
	for range 2 {
		mustSend(t, proxied, "http://far.example/", "", "far.example")
	}
	failing := newTransport(t)
	failing.Base.Proxy = func(*http.Request) (*url.URL, error) { return nil, errors.New("no proxy") }
	if _, _, err := send(t.Context(), failing, http.MethodGet, s.URL, ""); err == nil {
		t.Error("no error of the proxy")
	}
}

// TestConcurrent sends requests concurrently; none gets another's response.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	s, tr := start(t, echo), newTransport(t)
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			for j := range 20 {
				text := strings.Repeat(fmt.Sprint(i), 1+j*100)
				if _, got, err := send(t.Context(), tr, http.MethodPost, s.URL, text); err != nil || got != text {
					t.Errorf("%d bytes, want %d: %v", len(got), len(text), err)
				}
			}
		})
	}
	group.Wait()
}

// BenchmarkTransport sends requests to a server in the same process, by this package and by net/http.
func BenchmarkTransport(b *testing.B) {
	s := httptest.NewServer(http.HandlerFunc(echo))
	defer s.Close()
	for name, tr := range map[string]http.RoundTripper{"plain": &Transport{Base: &http.Transport{}, Idle: 8},
		"net-http": &http.Transport{MaxIdleConnsPerHost: 8}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := send(b.Context(), tr, http.MethodPost, s.URL, "request"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
