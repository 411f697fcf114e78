package http1

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestIdleConnectionsAreBounded opens more connections than may wait for a request: the one that has waited the longest
// is closed, and the others continue.
func TestIdleConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	listener := serve(t, Config{MaxIdle: 2, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	})})
	silent, early, late := dialIdle(t, listener), dialIdle(t, listener), dialIdle(t, listener)
	early.ask(t)
	late.ask(t)
	silent.isClosed(t)
	late.ask(t)
	early.ask(t)
}

// TestTheLongestIdleConnectionIsClosed lets connections wait and work: one that has had a request has waited less long.
func TestTheLongestIdleConnectionIsClosed(t *testing.T) {
	t.Parallel()
	all := newConnections(2)
	open := func() (*place, net.Conn) {
		near, far := net.Pipe()
		t.Cleanup(func() { near.Close(); far.Close() })
		return all.add(near, false), far
	}
	a, _ := open()
	b, farB := open()
	all.work(a)
	all.wait(a)
	c, farC := open()
	isClosed(t, farB)
	if all.work(b) {
		t.Error("a closed connection has a request")
	}
	all.remove(b)
	all.work(a)
	d, _ := open()
	all.wait(a)
	isClosed(t, farC)
	all.remove(c)
	if len(all.open) != 2 || all.waiting.Load() != 2 || a.state.Load() <= 0 || d.state.Load() <= 0 {
		t.Errorf("%d connections, %d wait", len(all.open), all.waiting.Load())
	}
}

// TestCutEndsConnectionsOnTheirWayToNetHTTP cuts a connection that is handed over, and that net/http does not have yet.
func TestCutEndsConnectionsOnTheirWayToNetHTTP(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := New(complete(Config{Handler: http.NotFoundHandler()})) // it does not serve: nobody takes the connection
		near, far := net.Pipe()
		go newConn(server, near, server.conns.add(near, false)).serve()
		if _, err := io.WriteString(far, "GET / HTTP/1.0\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		server.Cut()()
		isClosed(t, far)
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if open, waiting := len(server.conns.open), server.conns.waiting.Load(); open != 0 || waiting != 0 {
			t.Errorf("%d connections are left, %d wait", open, waiting)
		}
	})
}

func isClosed(t *testing.T, far net.Conn) {
	t.Helper()
	_ = far.SetReadDeadline(time.Now().Add(await.Timeout))
	if _, err := far.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("%v, want the end of the connection", err)
	}
}

// TestIdleTrackingDoesNotAllocatePerRequest is not parallel, because it counts allocations.
func TestIdleTrackingDoesNotAllocatePerRequest(t *testing.T) {
	all := newConnections(2)
	p := all.add(new(net.TCPConn), false)
	allocated := testing.AllocsPerRun(100, func() {
		all.work(p)
		all.wait(p)
	})
	if allocated != 0 {
		t.Errorf("a request allocates %v times", allocated)
	}
}

// idleConn is a connection that is open between requests.
type idleConn struct {
	net.Conn
	answers *bufio.Reader
}

func dialIdle(t *testing.T, listener net.Listener) *idleConn {
	t.Helper()
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(await.Timeout)); err != nil {
		t.Fatal(err)
	}
	return &idleConn{conn, bufio.NewReader(conn)}
}

func (c *idleConn) ask(t *testing.T) {
	t.Helper()
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: desk\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(c.answers, nil)
	if err != nil || resp.StatusCode != http.StatusNoContent {
		t.Fatalf("%v %v", resp, err)
	}
}

// isClosed waits until the server closes the connection.
func (c *idleConn) isClosed(t *testing.T) {
	t.Helper()
	if _, err := c.answers.ReadByte(); err == nil {
		t.Fatal("something came")
	} else if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
		t.Error("the connection is open")
	}
}
