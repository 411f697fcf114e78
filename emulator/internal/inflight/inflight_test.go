package inflight_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
	"github.com/tabletop-db/tabletop/internal/testutil/schedule"
)

// holds returns the account of a request that lasts until the test ends.
func holds(t *testing.T, p *inflight.Tracker) *budget.Account {
	t.Helper()
	got, end, ended := make(chan *budget.Account), make(chan struct{}), make(chan struct{})
	h := p.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		got <- inflight.AccountOf(w)
		<-end
	}), nil)
	go func() {
		defer close(ended)
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	}()
	t.Cleanup(func() {
		close(end)
		<-ended
	})
	return <-got
}

// TestLargeRequestsLeaveMemoryForSmallOnes fills the pool with large requests: medium ones are admitted, and after
// these small ones.
func TestLargeRequestsLeaveMemoryForSmallOnes(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	p := inflight.New(inflight.Limits{Pool: budget.NewPool(64 * mb), MaxWait: time.Millisecond})
	for _, step := range []struct {
		size int64
		want int // number of requests of that size that are admitted
	}{{16 * mb, 2}, {4 * mb, 4}, {64 << 10, 256}} {
		n := 0
		for holds(t, p).Settle(step.size) {
			n++
		}
		if n != step.want {
			t.Errorf("%d requests of %d bytes are let in, want %d", n, step.size, step.want)
		}
		if err := holds(t, p).Reserve(t.Context(), step.size); !errors.Is(err, budget.ErrBusy) {
			t.Errorf("one of %d bytes more: %v, want ErrBusy", step.size, err)
		}
	}
	if p.Pool().Used() != 64*mb {
		t.Errorf("%d bytes are held, want all", p.Pool().Used())
	}
}

// TestWaitingRequestsAreAdmitted frees memory for which another request waits.
func TestWaitingRequestsAreAdmitted(t *testing.T) {
	t.Parallel()
	p := inflight.New(inflight.Limits{Pool: budget.NewPool(1 << 20), MaxWait: time.Hour})
	first, second := holds(t, p), holds(t, p)
	if err := first.Reserve(t.Context(), 700<<10); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- second.Reserve(context.Background(), 700<<10) }()
	for p.Pool().Waiting() == 0 { // it is about to
		select {
		case err := <-done:
			t.Fatalf("it did not wait: %v", err)
		default:
			runtime.Gosched()
		}
	}
	first.Force(0)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestWaitingEndsWithItsRequest cancels the context of a request that waits for memory.
func TestWaitingEndsWithItsRequest(t *testing.T) {
	t.Parallel()
	p := inflight.New(inflight.Limits{Pool: budget.NewPool(1), MaxWait: time.Hour})
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the client has gone")
	cancel(gone)
	if err := holds(t, p).Reserve(ctx, 2); !errors.Is(err, gone) {
		t.Errorf("%v", err)
	}
	if p.Pool().Waiting() != 0 || p.Pool().Used() != 0 {
		t.Errorf("%d wait, %d bytes are held", p.Pool().Waiting(), p.Pool().Used())
	}
}

// TestNothingIsHeldAfterPanics makes handlers that hold memory panic.
func TestNothingIsHeldAfterPanics(t *testing.T) {
	t.Parallel()
	p := inflight.New(inflight.Limits{})
	h := p.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		inflight.AccountOf(w).Force(1 << 20)
		panic(http.ErrAbortHandler)
	}), nil)
	func() {
		defer func() { _ = recover() }()
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	}()
	if p.Pool().Used() != 0 {
		t.Errorf("%d bytes are held", p.Pool().Used())
	}
}

// TestBodiesAreCounted reads a body for which there is not enough memory.
func TestBodiesAreCounted(t *testing.T) {
	t.Parallel()
	p := inflight.New(inflight.Limits{Pool: budget.NewPool(1 << 20), MaxWait: time.Millisecond})
	if _, err := io.ReadAll(holds(t, p).Reader(t.Context(), strings.NewReader(strings.Repeat("x", 300<<10)))); err != nil {
		t.Error(err)
	}
	if _, err := io.ReadAll(holds(t, p).Reader(t.Context(), strings.NewReader(strings.Repeat("x", 300<<10)))); !errors.Is(
		err, budget.ErrBusy) {
		t.Errorf("a body beyond the bound: %v", err)
	}
}

// slowServer answers each request with that many bytes.
func slowServer(t *testing.T, p *inflight.Tracker, size int) (addr string, ended chan error) {
	t.Helper()
	body := make([]byte, size)
	ended = make(chan error, 16)
	server := httptest.NewServer(p.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/small" {
			if err := inflight.AccountOf(w).Reserve(r.Context(), 16<<20); err != nil {
				w.WriteHeader(http.StatusTooManyRequests)
			}
			return
		}
		inflight.AccountOf(w).Force(int64(size))
		_, err := w.Write(body)
		ended <- err
	}), nil))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String(), ended
}

// request sends a GET and reads nothing.
func request(t *testing.T, addr, path string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: desk\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	return conn
}

// TestStalledClientsAreDisconnected requests a large response and does not read it.
func TestStalledClientsAreDisconnected(t *testing.T) {
	t.Parallel()
	p := inflight.New(inflight.Limits{StallTimeout: 200 * time.Millisecond})
	addr, ended := slowServer(t, p, 64<<20)
	request(t, addr, "/")
	if err := <-ended; err == nil {
		t.Error("64 MB were taken by nobody")
	}
}

// TestSlowSteadyClientsGetTheWholeResponse reads a response slowly, in more time than a client may read nothing. It
// runs on a fake clock and a connection without buffers, because a busy machine may pause a client for any time.
func TestSlowSteadyClientsGetTheWholeResponse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const size, stall = 12 << 20, 2 * time.Second
		p := inflight.New(inflight.Limits{StallTimeout: stall})
		accepted, conn := net.Pipe()
		ended := make(chan error, 1)
		server := &http.Server{Handler: p.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, err := w.Write(make([]byte, size))
			ended <- err
		}), nil)}
		go func() { _ = server.Serve(&oneConn{conn: accepted}) }()
		began := time.Now()
		if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: desk\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		total, buf := 0, make([]byte, 64<<10)
		for total < size {
			schedule.Advance(20 * time.Millisecond)
			n, err := io.ReadFull(conn, buf[:min(len(buf), size-total)])
			if total += n; err != nil {
				t.Fatalf("after %d bytes: %v", total, err)
			}
		}
		go func() { _, _ = io.Copy(io.Discard, conn) }()
		if err := <-ended; err != nil || time.Since(began) <= stall {
			t.Errorf("%v after %v, want none after more than %v", err, time.Since(began), stall)
		}
		_ = conn.Close()
	})
}

// oneConn is a listener with one connection. It then returns an error, which ends Serve and not the connection.
type oneConn struct{ conn net.Conn }

func (l *oneConn) Accept() (conn net.Conn, err error) {
	if conn, l.conn = l.conn, nil; conn == nil {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (l *oneConn) Close() error   { return nil }
func (l *oneConn) Addr() net.Addr { return &net.TCPAddr{} }

// TestWaitingRequestsDisconnectStalledClients waits for memory that is held by a response that its client does not
// read.
func TestWaitingRequestsDisconnectStalledClients(t *testing.T) {
	t.Parallel()
	p := inflight.New(inflight.Limits{Pool: budget.NewPool(64 << 20), StallTimeout: time.Hour,
		PressureTimeout: 100 * time.Millisecond, MaxWait: time.Minute})
	addr, ended := slowServer(t, p, 64<<20)
	request(t, addr, "/")
	await.True(t, "the answer holds memory", func() bool { return p.Pool().Used() > 0 })
	resp, err := http.Get("http://" + addr + "/small")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("who waits gets %s", resp.Status)
	}
	if err := <-ended; err == nil {
		t.Error("the answer that nobody takes was not ended")
	}
}

// TestManySmallUnreadResponsesMakeRoom fills the pool with small responses that nobody reads: a request that waits for
// memory gets it, long before their timeout. The connections have no buffers, so that each write waits for its client.
func TestManySmallUnreadResponsesMakeRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const size, clients = 60 << 10, 17
		p := inflight.New(inflight.Limits{Pool: budget.NewPool(clients * size), StallTimeout: time.Hour})
		body := make([]byte, size)
		h := p.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			inflight.AccountOf(w).Force(size)
			_, _ = w.Write(body)
		}), nil)
		for range clients {
			accepted, conn := net.Pipe()
			defer conn.Close()
			go func() { _ = (&http.Server{Handler: h}).Serve(&oneConn{conn: accepted}) }()
			if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: desk\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if used := p.Pool().Used(); used != clients*size {
			t.Fatalf("%d bytes are held", used)
		}
		if err := holds(t, p).Reserve(t.Context(), size); err != nil {
			t.Errorf("who waits for memory: %v", err)
		}
	})
}

// TestPanicsAreAnswered makes handlers panic before they answer, and in the middle of a response.
func TestPanicsAreAnswered(t *testing.T) {
	t.Parallel()
	p := inflight.New(inflight.Limits{})
	told := make(chan any, 16) // clients retry if there was no response
	server := httptest.NewServer(p.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Half", "made")
		inflight.AccountOf(w).Force(1 << 20)
		if r.URL.Path == "/late" {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, "the first part")
		}
		panic("broken")
	}), func(w http.ResponseWriter, _ *http.Request, reason any, stack []byte) {
		told <- reason
		if w != nil {
			w.WriteHeader(http.StatusInternalServerError)
		}
		if !strings.Contains(string(stack), "inflight_test") {
			t.Errorf("the stack does not show where: %s", stack)
		}
	}))
	defer server.Close()
	resp, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusInternalServerError || resp.Header.Get("X-Half") != "" {
		t.Errorf("%s %v", resp.Status, resp.Header)
	}
	late, err := http.Get(server.URL + "/late")
	if err == nil {
		defer late.Body.Close()
		if _, err = io.ReadAll(late.Body); err == nil {
			t.Error("half an answer looks like a whole one")
		}
	}
	if a, b := <-told, <-told; a != "broken" || b != "broken" || p.Pool().Used() != 0 {
		t.Errorf("%v and %v are told, %d bytes are held", a, b, p.Pool().Used())
	}
}

// TestWriteHeadOfAnyWriter holds that a writer of net/http gets the fields, and keeps them when the caller reuses them.
func TestWriteHeadOfAnyWriter(t *testing.T) {
	t.Parallel()
	fields := []string{"X-One", "1", "Content-Type", "text/x"}
	w := httptest.NewRecorder()
	p := inflight.New(inflight.Limits{})
	p.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		inflight.WriteHead(w, http.StatusCreated, fields)
	}), nil).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	clear(fields)
	if w.Code != http.StatusCreated || w.Header().Get("X-One") != "1" || w.Header().Get("Content-Type") != "text/x" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}
