// Package quickstop lets an http.Server stop without waiting for connections on which nothing was sent.
//
// Clients open connections in advance: Go's when two requests race for one, browsers as a habit. Shutdown treats such a
// connection as busy until it is five seconds old, so that a stop, or the end of a test, takes five seconds.
package quickstop

import (
	"net"
	"net/http"
	"sync"
)

// Enable makes Shutdown of s close connections that have not sent a byte yet. Call it before s serves; it sets
// s.ConnState.
func Enable(s *http.Server) {
	silent := &silentConns{open: map[net.Conn]bool{}}
	s.ConnState = silent.track
	s.RegisterOnShutdown(silent.close)
}

// silentConns are the connections that have not sent a byte yet.
type silentConns struct {
	mu     sync.Mutex
	open   map[net.Conn]bool
	closed bool
}

func (c *silentConns) track(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if state != http.StateNew {
		delete(c.open, conn)
		return
	}
	if c.open[conn] = true; c.closed {
		_ = conn.Close() // nothing was sent on it, so nothing is lost
	}
}

func (c *silentConns) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for conn := range c.open {
		_ = conn.Close() // nothing was sent on it either
	}
}
