package emulator

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestIdleConnectionsAreBounded opens more connections than may wait for a request: the one that has waited the longest
// is closed, and the others continue.
func TestIdleConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	server := newServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	}), nil)
	newIdleConns(2).limit(server)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	silent, early, late := dialIdle(t, listener), dialIdle(t, listener), dialIdle(t, listener)
	early.ask(t)
	late.ask(t)
	silent.isClosed(t)
	late.ask(t)
	early.ask(t)
}

// TestTheLongestIdleConnectionIsClosed records the states of connections: one that has had a request has waited less
// long.
func TestTheLongestIdleConnectionIsClosed(t *testing.T) {
	t.Parallel()
	idle := newIdleConns(2)
	a, b, c := new(net.TCPConn), new(net.TCPConn), new(net.TCPConn)
	for i, step := range []struct {
		conn  net.Conn
		state http.ConnState
		want  net.Conn // connection to close
	}{
		{a, http.StateNew, nil}, {b, http.StateNew, nil}, {a, http.StateActive, nil}, {a, http.StateIdle, nil},
		{c, http.StateNew, b},
		{a, http.StateActive, nil}, {b, http.StateClosed, nil}, {b, http.StateNew, nil}, {a, http.StateIdle, c},
	} {
		if got := idle.note(step.conn, step.state); got != step.want {
			t.Errorf("step %d: %p is to be closed, want %p", i, got, step.want)
		}
	}
	if idle.order.Len() != len(idle.places) {
		t.Errorf("%d connections, %d places", idle.order.Len(), len(idle.places))
	}
}

// TestIdleTrackingDoesNotAllocatePerRequest is not parallel, because it counts allocations: an allocation with the lock
// held would make all other connections wait for the garbage collector.
func TestIdleTrackingDoesNotAllocatePerRequest(t *testing.T) {
	idle, conn := newIdleConns(2), net.Conn(new(net.TCPConn))
	idle.note(conn, http.StateNew)
	allocated := testing.AllocsPerRun(100, func() {
		idle.note(conn, http.StateActive)
		idle.note(conn, http.StateIdle)
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
