package http1

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/testutil/await"
	"github.com/tabletop-db/tabletop/internal/util/selfsigned"
)

// dial returns a connection to a server, whose reads and writes end in time.
func dial(t *testing.T, addr net.Addr) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", addr.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(await.Timeout))
	return conn
}

func send(t *testing.T, conn net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
}

// TestContextsEndWithTheirClients closes connections while their requests wait for their contexts: in each way in which
// a handler can wait, with and without a body, and after a request that was served before.
func TestContextsEndWithTheirClients(t *testing.T) {
	t.Parallel()
	waits := map[string]func(context.Context){
		"/done":  func(ctx context.Context) { <-ctx.Done() },
		"/child": func(ctx context.Context) { child, end := context.WithCancel(ctx); defer end(); <-child.Done() },
		"/after": func(ctx context.Context) {
			called := make(chan struct{})
			context.AfterFunc(ctx, func() { close(called) })
			<-called
		},
		"/poll": func(ctx context.Context) {
			await.True(t, "the context to end", func() bool { return ctx.Err() != nil })
		},
	}
	ended := make(chan error, 1)
	listener := serve(t, Config{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		if wait := waits[r.URL.Path]; wait != nil {
			wait(r.Context())
			ended <- context.Cause(r.Context())
		}
	})})
	for path := range waits {
		for _, before := range []string{"", "GET / HTTP/1.1\r\nHost: desk\r\n\r\n"} {
			for _, body := range []string{"", "abc"} {
				conn := dial(t, listener.Addr())
				send(t, conn, before+"POST "+path+" HTTP/1.1\r\nHost: desk\r\nContent-Length: "+
					string(rune('0'+len(body)))+"\r\n\r\n"+body)
				conn.Close()
				select {
				case err := <-ended:
					if !errors.Is(err, context.Canceled) {
						t.Errorf("%s: %v", path, err)
					}
				case <-time.After(await.Timeout):
					t.Fatalf("%s with the body %q after %q goes on without its client", path, body, before)
				}
			}
		}
	}
}

// TestContextsEndWithTheirRequests keeps a context beyond its request: it is canceled, also when the connection serves
// another request.
func TestContextsEndWithTheirRequests(t *testing.T) {
	t.Parallel()
	kept := make(chan context.Context, 2)
	listener := serve(t, Config{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kept <- r.Context()
	})})
	conn := dial(t, listener.Addr())
	send(t, conn, strings.Repeat("GET / HTTP/1.1\r\nHost: desk\r\n\r\n", 2))
	first := <-kept
	<-kept // the first request has ended
	<-first.Done()
	if first.Err() == nil {
		t.Error("no error")
	}
}

// TestAWatchedConnectionServesTheNextRequest sends the next request while the first is watched: it is not lost.
func TestAWatchedConnectionServesTheNextRequest(t *testing.T) {
	t.Parallel()
	began, end := make(chan struct{}), make(chan struct{})
	listener := serve(t, Config{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			_ = r.Context().Done()
			began <- struct{}{}
			<-end
		}
		_, _ = io.WriteString(w, r.URL.Path)
	})})
	conn := dial(t, listener.Addr())
	in := bufio.NewReader(conn)
	for range 20 {
		send(t, conn, "GET /slow HTTP/1.1\r\nHost: desk\r\n\r\n")
		<-began
		send(t, conn, "GET /next HTTP/1.1\r\nHost: desk\r\n\r\n")
		end <- struct{}{}
		for _, want := range []string{"/slow", "/next"} {
			resp, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(resp.Body); string(got) != want || err != nil {
				t.Fatalf("%q, %v, want %s", got, err, want)
			}
		}
	}
}

// TestPipelinedRequestsAreWatched sends more requests at once than the server reads ahead: slow ones, whose connection
// is watched although the next requests are there. All get their responses.
func TestPipelinedRequestsAreWatched(t *testing.T) {
	t.Parallel()
	listener := serve(t, Config{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			select {
			case <-r.Context().Done():
			case <-time.After(4 * patience):
			}
		}
		_, _ = io.WriteString(w, r.URL.Path)
	})})
	for _, ahead := range []int{0, 1, 2, 3} { // bytes that the first read leaves free
		slow := strings.Repeat("GET /slow HTTP/1.1\r\nHost: desk\r\n\r\n", 6)
		padding := readBuffer - ahead - len(slow) - len("GET /last HTTP/1.1\r\nHost: desk\r\nPad: \r\n\r\n")
		conn := dial(t, listener.Addr())
		send(t, conn, slow+"GET /last HTTP/1.1\r\nHost: desk\r\nPad: "+strings.Repeat("-", padding)+"\r\n\r\n"+
			"GET /next HTTP/1.1\r\nHost: desk\r\n\r\n")
		in := bufio.NewReader(conn)
		for _, want := range []string{"/slow", "/slow", "/slow", "/slow", "/slow", "/slow", "/last", "/next"} {
			resp, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(resp.Body); string(got) != want || err != nil {
				t.Fatalf("%q, %v, want %s", got, err, want)
			}
		}
	}
}

// TestShutdownWaitsForRequests shuts a server down: a request in progress gets its response, which says that the
// connection ends; a connection that waits is closed, also one on which nothing was sent.
func TestShutdownWaitsForRequests(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	began, end := make(chan struct{}), make(chan struct{})
	server := New(complete(Config{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			began <- struct{}{}
			<-end
		}
	})}))
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	silent, idle, busy := dial(t, listener.Addr()), dial(t, listener.Addr()), dial(t, listener.Addr())
	send(t, idle, "GET / HTTP/1.1\r\nHost: desk\r\n\r\n")
	idleIn := bufio.NewReader(idle)
	if _, err := http.ReadResponse(idleIn, nil); err != nil {
		t.Fatal(err)
	}
	send(t, busy, "GET /slow HTTP/1.1\r\nHost: desk\r\n\r\n")
	<-began
	expired, cancel := context.WithCancel(t.Context())
	cancel()
	if err := server.Shutdown(expired); !errors.Is(err, context.Canceled) {
		t.Errorf("with a request in progress: %v", err)
	}
	down := make(chan error, 1)
	go func() { down <- server.Shutdown(t.Context()) }()
	for name, in := range map[string]io.Reader{"silent": silent, "idle": idleIn} {
		if n, err := in.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("%s: %d bytes, %v", name, n, err)
		}
	}
	end <- struct{}{}
	resp, err := http.ReadResponse(bufio.NewReader(busy), nil)
	if err != nil || !resp.Close {
		t.Errorf("%v %v", resp, err)
	}
	if err := <-down; err != nil {
		t.Error(err)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		t.Errorf("again: %v", err)
	}
}

// TestSlowBodiesEnd sends a part of a body and waits: the handler gets an error.
func TestSlowBodiesEnd(t *testing.T) {
	t.Parallel()
	read := make(chan error, 1)
	listener := serve(t, Config{BodyTimeout: 20 * time.Millisecond,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, err := io.ReadAll(r.Body)
			read <- err
		})})
	conn := dial(t, listener.Addr())
	send(t, conn, "POST / HTTP/1.1\r\nHost: desk\r\nContent-Length: 9\r\n\r\nabc")
	var timeout net.Error
	if err := <-read; !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("%v", err)
	}
	if answer, _ := io.ReadAll(conn); !strings.HasPrefix(string(answer), "HTTP/1.1 200 ") {
		t.Errorf("%q", answer)
	}
}

// TestSilentConnectionsEnd sends nothing, a part of a header, or nothing more after a request.
func TestSilentConnectionsEnd(t *testing.T) {
	t.Parallel()
	listener := serve(t, Config{HeaderTimeout: 20 * time.Millisecond, IdleTimeout: 20 * time.Millisecond,
		Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})})
	for _, text := range []string{"", "GET / HT", "GET / HTTP/1.1\r\nHost: desk\r\n\r\n", "GET / HTTP/1.1\r\nHost: desk\r\n\r\nGET"} {
		conn := dial(t, listener.Addr())
		send(t, conn, text)
		// Text that arrives just before the server closes the connection is not read, so that the connection is reset.
		if _, err := io.ReadAll(conn); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("after %q the connection is open", text)
		}
	}
}

// TestEachProtocolIsServed asks by HTTP/1.1 and HTTP/2, with and without TLS.
func TestEachProtocolIsServed(t *testing.T) {
	t.Parallel()
	pem, err := selfsigned.New(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	pair, err := pem.TLSCertificate()
	if err != nil {
		t.Fatal(err)
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = io.WriteString(w, r.Proto+" "+string(body)+" "+map[bool]string{true: "TLS"}[r.TLS != nil])
	})
	plain := serve(t, Config{Handler: handler})
	tlsListener := serve(t, Config{Handler: handler, TLS: &tls.Config{Certificates: []tls.Certificate{pair}}})
	for _, c := range []struct{ url, protocol, want string }{
		{"http://" + plain.Addr().String(), "1", "HTTP/1.1 abc "},
		{"http://" + plain.Addr().String(), "2", "HTTP/2.0 abc "},
		{"https://" + tlsListener.Addr().String(), "1", "HTTP/1.1 abc TLS"},
		{"https://" + tlsListener.Addr().String(), "2", "HTTP/2.0 abc TLS"},
	} {
		var protocols http.Protocols
		protocols.SetHTTP1(c.protocol == "1")
		protocols.SetHTTP2(c.protocol == "2")
		protocols.SetUnencryptedHTTP2(c.protocol == "2")
		client := &http.Client{Timeout: await.Timeout,
			Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pem.Pool()}, Protocols: &protocols}}
		inChunks := io.MultiReader(strings.NewReader("abc"))
		for _, body := range []io.Reader{strings.NewReader("abc"), inChunks} {
			resp, err := client.Post(c.url, "text/plain", body)
			if err != nil {
				t.Errorf("%s by HTTP/%s: %v", c.url, c.protocol, err)
				continue
			}
			got, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if string(got) != c.want || err != nil {
				t.Errorf("%q, %v, want %q", got, err, c.want)
			}
		}
		client.CloseIdleConnections()
	}
	conn := dial(t, tlsListener.Addr())
	send(t, conn, "GET / HTTP/1.1\r\nHost: desk\r\n\r\n")
	if answer, _ := io.ReadAll(conn); !strings.Contains(string(answer), "HTTP request to an HTTPS server") {
		t.Errorf("HTTP to the port of HTTPS: %q", answer)
	}
}

// failing is a listener whose first calls of Accept fail, as they do while the process has too many open files.
type failing struct {
	net.Listener
	left int
}

// Accept implements net.Listener.
func (f *failing) Accept() (net.Conn, error) {
	if f.left--; f.left >= 0 {
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return f.Listener.Accept()
}

// TestFailedAcceptsEndNoServer lets Accept fail: the server serves the connections that come after it.
func TestFailedAcceptsEndNoServer(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := New(complete(Config{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}))
	served := make(chan error, 1)
	go func() { served <- server.Serve(&failing{listener, 3}) }()
	conn := dial(t, listener.Addr())
	send(t, conn, "GET / HTTP/1.1\r\nHost: desk\r\n\r\n")
	if resp, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("%v %v", resp, err)
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}
