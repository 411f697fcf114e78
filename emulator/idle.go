package emulator

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// maxIdle is how many connections of a port may wait for a request: each has its buffers and a goroutine.
const maxIdle = 4096

// idleConns bounds the connections of a server that wait for a request, be it the first. Beyond the limit the one that
// has waited the longest is closed, which clients take as they take a server's idle timeout: they connect anew.
type idleConns struct {
	limit int

	mu      sync.Mutex
	order   list.List // of *client, those that wait in the order in which they began to
	places  map[net.Conn]*list.Element
	waiting int
}

// client is an open connection. It keeps its place in the order while it does not wait: nothing is allocated for a
// request, which might have to collect garbage first, with all other connections behind it.
type client struct {
	conn  net.Conn
	waits bool
}

// limitIdle makes a server close the connections beyond a limit that wait for a request. Call it before the server
// serves.
func limitIdle(server *http.Server, limit int) {
	idle, also := &idleConns{limit: limit, places: map[net.Conn]*list.Element{}}, server.ConnState
	server.ConnState = func(conn net.Conn, state http.ConnState) {
		if also != nil {
			also(conn, state)
		}
		if longest := idle.note(conn, state); longest != nil {
			go func() { _ = longest.Close() }() // TLS says farewell, which may take its time; nothing is sent on it
		}
	}
}

// note returns the connection that is to be closed; nil: none.
func (c *idleConns) note(conn net.Conn, state http.ConnState) (longest net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if state == http.StateNew {
		c.places[conn] = c.order.PushBack(&client{conn: conn})
	}
	place := c.places[conn]
	if place == nil { // it was told to close
		return nil
	}
	c.setWaiting(place, state == http.StateNew || state == http.StateIdle)
	if state == http.StateClosed || state == http.StateHijacked {
		c.forget(place)
	}
	if c.waiting <= c.limit {
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

// longest is the one that has waited the longest; one there must be. Those that do not wait go out of its way: they
// have their place from when they do again.
func (c *idleConns) longest() *list.Element {
	for !c.order.Front().Value.(*client).waits {
		c.order.MoveToBack(c.order.Front())
	}
	return c.order.Front()
}

func (c *idleConns) forget(place *list.Element) net.Conn {
	c.setWaiting(place, false)
	at := c.order.Remove(place).(*client)
	delete(c.places, at.conn)
	return at.conn
}
