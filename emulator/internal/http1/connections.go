package http1

import (
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// connections are the open connections of a server, also those that net/http serves. At most max of them wait for a
// request, including their first: beyond that, the one that has waited the longest is closed. Clients treat that as the
// server's idle timeout and reconnect.
type connections struct {
	max     int
	waiting atomic.Int64
	turn    atomic.Int64 // the last one given to a connection that began to wait

	opening sync.RWMutex // held for writing from cut until it reopens: new connections wait
	mu      sync.Mutex
	open    map[net.Conn]*place
}

// place is an open connection. A request changes only its state, so that it takes no lock and allocates nothing.
type place struct {
	conn  net.Conn
	other bool // net/http serves it
	// state is the turn at which the connection began to wait, or one of the states below. Whoever changes it from
	// waiting to closed closes the connection: nobody else may send a response on it.
	state atomic.Int64
}

const (
	working int64 = 0
	closed  int64 = -1
)

func newConnections(max int) *connections {
	return &connections{max: max, open: map[net.Conn]*place{}}
}

// add adds a new connection, which waits. other tells that net/http serves it.
func (c *connections) add(conn net.Conn, other bool) *place {
	c.opening.RLock()
	defer c.opening.RUnlock()
	p := &place{conn: conn, other: other}
	c.mu.Lock()
	c.open[conn] = p
	c.mu.Unlock()
	c.wait(p)
	return p
}

// remove forgets a connection, which is closed or not this server's any more.
func (c *connections) remove(p *place) {
	if p.state.Swap(closed) > working {
		c.waiting.Add(-1)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[p.conn] == p { // and not that of handOver
		delete(c.open, p.conn)
	}
}

// handOver gives a connection's place to conn, which net/http serves instead of it and which may be the same. One of
// them has a place at any time, so that cut does not miss it.
func (c *connections) handOver(p *place, conn net.Conn) *place {
	c.work(p) // it must not wait twice
	next := c.add(conn, true)
	c.remove(p)
	return next
}

// wait records that a connection waits for a request.
func (c *connections) wait(p *place) {
	if !p.state.CompareAndSwap(working, c.turn.Add(1)) {
		return
	}
	if c.waiting.Add(1) > int64(c.max) {
		c.closeLongest()
	}
}

// work records that a connection has a request. It returns false if the connection has been closed meanwhile.
func (c *connections) work(p *place) bool {
	since := p.state.Load()
	if since <= working {
		return since == working
	}
	if !p.state.CompareAndSwap(since, working) {
		return false
	}
	c.waiting.Add(-1)
	return true
}

// end closes a connection if it waits since that turn.
func (c *connections) end(p *place, since int64) {
	if since > working && p.state.CompareAndSwap(since, closed) {
		c.waiting.Add(-1)
		go func() { _ = p.conn.Close() }() // closing TLS may block on its alert
	}
}

// closeLongest closes the connections that have waited the longest, as long as too many wait.
func (c *connections) closeLongest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.waiting.Load() > int64(c.max) {
		var longest *place
		var since int64
		for _, p := range c.open {
			if s := p.state.Load(); s > working && (longest == nil || s < since) {
				longest, since = p, s
			}
		}
		if longest == nil {
			return
		}
		c.end(longest, since)
	}
}

// closeWaiting closes the connections that wait, except those of net/http, which does so itself.
func (c *connections) closeWaiting() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.open {
		if !p.other {
			c.end(p, p.state.Load())
		}
	}
}

// closeAll closes all connections.
func (c *connections) closeAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn := range c.open {
		go func() { _ = conn.Close() }() // closing TLS may block on its alert
	}
}

// cut closes all connections, whether they wait or not, without the goodbye of TLS. New ones wait until reopen is
// called.
func (c *connections) cut() (reopen func()) {
	c.opening.Lock()
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn := range c.open {
		if secure, ok := conn.(interface{ NetConn() net.Conn }); ok {
			conn = secure.NetConn()
		}
		_ = conn.Close() // the client may have closed it
	}
	return c.opening.Unlock
}

// track is the ConnState of the http.Server that serves some of the connections: those of handOver.
func (c *connections) track(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	p := c.open[conn]
	c.mu.Unlock()
	switch {
	case p == nil, state == http.StateNew:
	case state == http.StateActive:
		c.work(p) // if the connection has been closed, net/http finds that out when it reads
	case state == http.StateIdle:
		c.wait(p)
	default:
		c.remove(p)
	}
}
