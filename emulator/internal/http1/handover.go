package http1

import (
	"crypto/tls"
	"net"
	"net/http"
	"sync"
)

// handOver is the listener of the http.Server that serves the connections that this package does not.
type handOver struct {
	addr  net.Addr
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func newHandOver() *handOver {
	return &handOver{conns: make(chan net.Conn), done: make(chan struct{})}
}

// give gives a connection to the server. It returns false if the server has been closed.
func (h *handOver) give(conn net.Conn) bool {
	select {
	case h.conns <- conn:
		return true
	case <-h.done:
		return false
	}
}

// Accept implements net.Listener.
func (h *handOver) Accept() (net.Conn, error) {
	select {
	case conn := <-h.conns:
		return conn, nil
	case <-h.done:
		return nil, http.ErrServerClosed
	}
}

// Close implements net.Listener.
func (h *handOver) Close() error {
	h.once.Do(func() { close(h.done) })
	return nil
}

// Addr implements net.Listener.
func (h *handOver) Addr() net.Addr { return h.addr }

// resumed is a connection of which a part has been read, and is to be read again.
type resumed struct {
	net.Conn
	unread []byte
}

// Read implements net.Conn. net/http reads a connection from one goroutine at a time.
func (c *resumed) Read(p []byte) (int, error) {
	if len(c.unread) == 0 {
		return c.Conn.Read(p)
	}
	n := copy(p, c.unread)
	if c.unread = c.unread[n:]; len(c.unread) == 0 {
		c.unread = nil
	}
	return n, nil
}

// CloseWrite ends the connection's other half, with which net/http lets a client read a refusal before it closes.
func (c *resumed) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// resumedTLS is a resumed TLS connection.
type resumedTLS struct {
	resumed
	secure *tls.Conn
}

// ConnectionState tells net/http the request's TLS.
func (c *resumedTLS) ConnectionState() tls.ConnectionState { return c.secure.ConnectionState() }

// NetConn returns the connection under TLS, as that of a tls.Conn does.
func (c *resumedTLS) NetConn() net.Conn { return c.secure.NetConn() }

// resume returns a connection that begins with what was read of conn.
func resume(conn net.Conn, unread []byte) net.Conn {
	part := resumed{Conn: conn, unread: unread}
	if secure, ok := conn.(*tls.Conn); ok {
		return &resumedTLS{resumed: part, secure: secure}
	}
	return &part
}
