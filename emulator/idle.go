package emulator

import (
	"container/list"
	"crypto/tls"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
)

// maxIdle is how many connections of a port may wait for a request. Each has its own buffers and goroutine.
const maxIdle = 4096

// idleConns limits the connections of a server that wait for a request, including their first. Beyond the limit it
// closes the one that has waited the longest. Clients treat that as the server's idle timeout and reconnect.
type idleConns struct {
	max int

	opening sync.RWMutex // held for writing from cut until it reopens: new connections wait
	mu      sync.Mutex
	order   list.List // of *client; waiting ones are in the order in which they began to wait
	places  map[net.Conn]*list.Element
	waiting int
}

// client is an open connection. It keeps its place in the order while it serves a request, so that a request allocates
// nothing: an allocation with the lock held may have to collect garbage first, and block all other connections.
type client struct {
	conn  net.Conn
	waits bool
}

// newIdleConns returns connections of which at most max may wait.
func newIdleConns(max int) *idleConns {
	return &idleConns{max: max, places: map[net.Conn]*list.Element{}}
}

// limit makes a server close the longest waiting connections beyond the limit. It must be called before the server
// serves.
func (c *idleConns) limit(server *http.Server) {
	also := server.ConnState
	server.ConnState = func(conn net.Conn, state http.ConnState) {
		if also != nil {
			also(conn, state)
		}
		if state == http.StateNew {
			c.opening.RLock()
			defer c.opening.RUnlock()
		}
		if longest := c.note(conn, state); longest != nil {
			go func() { _ = longest.Close() }() // closing TLS may block on its alert; no request is in progress
		}
	}
}

// note records a connection's new state and returns the connection to close, or nil.
func (c *idleConns) note(conn net.Conn, state http.ConnState) (longest net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if state == http.StateNew {
		c.places[conn] = c.order.PushBack(&client{conn: conn})
	}
	place := c.places[conn]
	if place == nil { // note has already returned it to be closed
		return nil
	}
	c.setWaiting(place, state == http.StateNew || state == http.StateIdle)
	if state == http.StateClosed || state == http.StateHijacked {
		c.forget(place)
	}
	if c.waiting <= c.max {
		return nil
	}
	return c.forget(c.longest())
}

func (c *idleConns) setWaiting(place *list.Element, waits bool) {
	at := place.Value.(*client)
	if at.waits {
		c.waiting--
	}
	if at.waits = waits; waits {
		c.waiting++
		c.order.MoveToBack(place)
	}
}

// longest returns the connection that has waited the longest; at least one must be waiting. It moves the connections
// before it, which do not wait, to the back; they get their place when they wait again.
func (c *idleConns) longest() *list.Element {
	for !c.order.Front().Value.(*client).waits {
		c.order.MoveToBack(c.order.Front())
	}
	return c.order.Front()
}

// cut closes all connections, whether they wait or not, without the goodbye of TLS. New ones wait until reopen is
// called.
func (c *idleConns) cut() (reopen func()) {
	c.opening.Lock()
	c.mu.Lock()
	open := slices.Collect(maps.Keys(c.places))
	c.mu.Unlock()
	for _, conn := range open {
		if secure, ok := conn.(*tls.Conn); ok {
			conn = secure.NetConn()
		}
		_ = conn.Close() // the client may have closed it
	}
	return c.opening.Unlock
}

func (c *idleConns) forget(place *list.Element) net.Conn {
	c.setWaiting(place, false)
	at := c.order.Remove(place).(*client)
	delete(c.places, at.conn)
	return at.conn
}
