package emulator

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// maxIdle is how many connections of a port may wait for a request: each has its buffers and a goroutine.
const maxIdle = 4096

// idleConns bounds the connections of a server that wait for a request, be it the first. Beyond the limit the one that has waited
// the longest is closed, which clients take as they take a server's idle timeout: they connect anew.
type idleConns struct {
	limit int

	mu     sync.Mutex
	order  list.List // of net.Conn, the one that has waited the longest first
	places map[net.Conn]*list.Element
}

// limitIdle makes a server close the connections beyond a limit that wait for a request. Call it before the server serves.
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
	if place := c.places[conn]; place != nil {
		c.order.Remove(place)
		delete(c.places, conn)
	}
	if state != http.StateNew && state != http.StateIdle {
		return nil
	}
	c.places[conn] = c.order.PushBack(conn)
	if c.order.Len() <= c.limit {
		return nil
	}
	longest = c.order.Remove(c.order.Front()).(net.Conn)
	delete(c.places, longest)
	return longest
}
