package webconsole

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/http1"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
	"github.com/tabletop-db/tabletop/internal/testutil/schedule"
)

// oneConn is a listener with one connection, which then ends Serve and not the connection.
type oneConn struct{ conn net.Conn }

func (l *oneConn) Accept() (conn net.Conn, err error) {
	if conn, l.conn = l.conn, nil; conn == nil {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (l *oneConn) Close() error   { return nil }
func (l *oneConn) Addr() net.Addr { return &net.TCPAddr{} }

// dialConsole returns a connection without buffers to a console, on the fake clock of a bubble. Its reads end long
// after any timeout of the server.
func dialConsole(t *testing.T, c *console) net.Conn {
	t.Helper()
	near, far := net.Pipe()
	const timeout = 5 * time.Minute
	server := http1.New(http1.Config{Handler: http.HandlerFunc(c.serve), Other: &http.Server{}, HeaderTimeout: timeout,
		BodyTimeout: timeout, AnswerTimeout: timeout, IdleTimeout: timeout, MaxIdle: 1})
	go func() { _ = server.Serve(&oneConn{near}) }()
	t.Cleanup(func() {
		_ = far.Close()
		_ = server.Close()
	})
	_ = far.SetDeadline(time.Now().Add(24 * time.Hour))
	return far
}

// cloning returns a console whose service reports some progress of a clone and ends it.
func cloning() *console {
	c := pages(http.HandlerFunc(ordersService), nil)
	c.watchers = newWatchers(func(*control.Observer) {})
	c.History = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		inflight.ProgressOf(w)(1)
		_, _ = io.WriteString(w, `{"items":2}`)
	})
	return c
}

// TestBodiesThatStallEnd sends a part of a body to each path whose requests may take long, and waits: a response comes,
// and the connection ends.
func TestBodiesThatStallEnd(t *testing.T) {
	t.Parallel()
	for request, want := range map[string]string{
		"POST " + apiPath + `clone/dynamodb/orders|{"to":"x"}`:                           "HTTP/1.1 400 ",
		"GET " + apiPath + "requests|":                                                   "HTTP/1.1 400 ",
		"GET " + apiPath + "changes|":                                                    "HTTP/1.1 400 ",
		"POST " + apiPath + `import/load?format=json&table=orders|{"pk":"a"}`:            "HTTP/1.1 ",
		"POST " + apiPath + `import/preview?format=json&table=orders|{"pk":"a"}` + "\n{": `"items":[{`,
		"POST " + apiPath + "recording|{":                                                "HTTP/1.1 400 ",
		"GET " + apiPath + "recording|":                                                  "HTTP/1.1 409 ",
	} {
		t.Run(request, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := cloning()
				c.Recorder = &ownRecorder{}
				conn := dialConsole(t, c)
				line, body, _ := strings.Cut(request, "|")
				if _, err := io.WriteString(conn, line+" HTTP/1.1\r\nHost: desk\r\nContent-Length: 1000\r\n\r\n"+body); err != nil {
					t.Fatal(err)
				}
				answer, err := io.ReadAll(conn)
				if errors.Is(err, os.ErrDeadlineExceeded) || !strings.Contains(string(answer), want) {
					t.Errorf("%q, %v", answer, err)
				}
			})
		})
	}
}

// TestUnreadClonesEnd requests clones and reads nothing: the connection ends, whether the response has begun early or
// late.
func TestUnreadClonesEnd(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{"cloned": "dynamodb/orders", "refused": "other/orders"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				conn := dialConsole(t, cloning())
				if _, err := io.WriteString(conn, "POST "+apiPath+"clone/"+path+
					" HTTP/1.1\r\nHost: desk\r\nContent-Length: 10\r\n\r\n{\"to\":\"x\"}"); err != nil {
					t.Fatal(err)
				}
				schedule.Advance(time.Hour)
				if answer, err := io.ReadAll(conn); len(answer) > 0 || err != nil {
					t.Errorf("after an hour the server still sends %q, %v", answer, err)
				}
			})
		})
	}
}

// TestFilesMayComeSlowly sends a file whose parts each take almost as long as a part may.
func TestFilesMayComeSlowly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		conn := dialConsole(t, cloning())
		const parts = 20
		file := strings.Repeat(`{"pk":"a"}`+"\n", parts)
		if _, err := io.WriteString(conn, "POST "+apiPath+"import/preview?format=json&table=orders"+
			" HTTP/1.1\r\nHost: desk\r\nConnection: close\r\nContent-Length: 220\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		for part := range strings.Lines(file) {
			schedule.Advance(partTimeout - time.Second)
			if _, err := io.WriteString(conn, part); err != nil {
				t.Fatal(err)
			}
		}
		if answer, err := io.ReadAll(conn); strings.Count(string(answer), `{"pk"`) != parts || err != nil {
			t.Errorf("%q, %v", answer, err)
		}
	})
}
