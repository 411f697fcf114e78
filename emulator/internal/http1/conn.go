package http1

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"runtime/debug"
	"time"
)

const (
	// readBuffer is the size in bytes of a connection's buffer, and so of the largest header that this package reads.
	readBuffer = 4 << 10
	// maxReads is how many reads the head of a request may need, beyond which the client is slow, and net/http's.
	maxReads = 4
	// minStart is the number of bytes after a request below which a client has not begun another one. It is net/http's.
	minStart = 4
	// maxUnread is how much of a body that the handler did not read is read and dropped, in bytes, so that the
	// connection can have another request. It is net/http's.
	maxUnread = 256 << 10
	// linger is how long a connection stays half open after its last response, if the client may still be sending: a
	// connection that is closed at once would take the response with it. It is net/http's.
	linger = 500 * time.Millisecond
	// slack is how much later than its timeout a deadline may be. So most requests set none.
	slack = time.Minute
)

// conn is a connection that this package serves.
type conn struct {
	server *Server
	net    net.Conn
	place  *place
	remote string
	secure *tls.ConnectionState
	base   context.Context // the parent of its requests' contexts

	buf        []byte // of readBuffer bytes, and one for watch
	start, end int    // what was read and is not used yet is buf[start:end]
	served     bool   // a request
	answered   int    // the number of fields of the last response
	afterPost  bool   // the last request was a POST
	readBy     time.Time
	writeBy    time.Time
	pace       pace
	names      names
	target     target
	request    http.Request // what parse found; handlers get a copy
	watch      watch
	vectors    [2][]byte
}

func newConn(s *Server, c net.Conn, p *place) *conn {
	return &conn{server: s, net: c, place: p}
}

// serve serves the connection until its end, or until it goes to net/http.
func (c *conn) serve() {
	if !c.shakeHands() {
		c.close()
		return
	}
	if c.secure != nil && c.secure.NegotiatedProtocol == "h2" {
		c.handOver(c.net) // net/http knows HTTP/2 over TLS only by this type
		return
	}
	if c.serveRequests() {
		c.handOver(resume(c.net, c.buf[c.start:c.end]))
		return
	}
	c.close()
}

func (c *conn) handOver(conn net.Conn) {
	c.clearDeadlines()
	c.place = c.server.conns.handOver(c.place, conn)
	if !c.server.handed.give(conn) {
		c.close()
	}
}

func (c *conn) close() {
	_ = c.net.Close() // before it is forgotten, so that Close of the server does not miss it
	c.server.conns.remove(c.place)
}

// shakeHands performs the handshake of TLS. It returns false if the connection is to be closed.
func (c *conn) shakeHands() bool {
	secure, ok := c.net.(*tls.Conn)
	if !ok {
		return true
	}
	_ = c.net.SetDeadline(time.Now().Add(c.server.HeaderTimeout))
	if err := secure.HandshakeContext(c.server.requests); err != nil {
		c.refuseHandshake(err)
		return false
	}
	c.clearDeadlines()
	state := secure.ConnectionState()
	c.secure = &state
	return true
}

// refuseHandshake tells a client that speaks HTTP without TLS, as net/http does.
func (c *conn) refuseHandshake(err error) {
	var header tls.RecordHeaderError
	if errors.As(err, &header) && header.Conn != nil && looksLikeHTTP(header.RecordHeader) {
		_, _ = io.WriteString(header.Conn,
			"HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n")
	}
	c.server.logf("TLS handshake error from %s: %v", c.net.RemoteAddr(), err)
}

// looksLikeHTTP reports whether the first bytes of a connection are a method.
func looksLikeHTTP(start [5]byte) bool {
	switch string(start[:]) {
	case "GET /", "HEAD ", "POST ", "PUT /", "OPTIO":
		return true
	}
	return false
}

// serveRequests serves requests until the connection is to be closed, or is to go to net/http.
func (c *conn) serveRequests() (other bool) {
	c.remote = c.net.RemoteAddr().String()
	c.base = context.WithValue(c.server.requests, http.LocalAddrContextKey, c.net.LocalAddr())
	c.buf = make([]byte, readBuffer+1)
	timeout := c.server.HeaderTimeout
	for {
		if c.server.closing.Load() || c.start == c.end && !c.await(timeout) {
			return false
		}
		timeout = c.server.IdleTimeout
		if !c.server.conns.work(c.place) {
			return false
		}
		x := &exchange{}
		plain, ended := c.readHead(x)
		if !plain {
			return !ended
		}
		if !c.serveRequest(x) {
			return false
		}
		c.server.conns.wait(c.place)
	}
}

// await reads the first bytes of a request.
func (c *conn) await(timeout time.Duration) bool {
	c.extendRead(time.Now(), timeout)
	c.start, c.end = 0, 0
	n, err := c.net.Read(c.buf[:readBuffer])
	c.end = n
	return n > 0 || err == nil
}

// readHead reads the head of a request. It is not plain if the request is for net/http, or if the client ended.
func (c *conn) readHead(x *exchange) (plain, ended bool) {
	if c.afterPost {
		c.skipEmptyLines()
	}
	for range maxReads {
		size, missing := c.parse(c.buf[c.start:c.end], x)
		c.start += size
		if !missing || c.end-c.start >= readBuffer {
			return size > 0, false
		}
		c.end = copy(c.buf, c.buf[c.start:c.end])
		c.start = 0
		c.extendRead(time.Now(), c.server.HeaderTimeout)
		n, err := c.net.Read(c.buf[c.end:readBuffer])
		if c.end += n; n == 0 && err != nil {
			return false, c.served && c.end < minStart
		}
	}
	return false, false
}

// skipEmptyLines skips up to four bytes of line ends after the body of a POST, which old clients send. net/http does it
// too.
func (c *conn) skipEmptyLines() {
	for range min(4, c.end-c.start) {
		if b := c.buf[c.start]; b != '\r' && b != '\n' {
			return
		}
		c.start++
	}
}

// forgetReadDeadline lets reads take any time.
func (c *conn) forgetReadDeadline() {
	_ = c.net.SetReadDeadline(time.Time{})
	c.readBy = time.Time{}
}

// extendRead makes sure that a read may take timeout, at most slack more, from now on.
func (c *conn) extendRead(now time.Time, timeout time.Duration) {
	if left := c.readBy.Sub(now); left < timeout || left > timeout+slack {
		c.readBy = now.Add(timeout + min(slack, timeout/8))
		_ = c.net.SetReadDeadline(c.readBy)
	}
}

// extendWrite makes sure that writes may take the server's AnswerTimeout from now on.
func (c *conn) extendWrite(now time.Time) {
	if c.writeBy.Sub(now) < c.server.AnswerTimeout {
		c.writeBy = now.Add(c.server.AnswerTimeout + slack)
		_ = c.net.SetWriteDeadline(c.writeBy)
	}
}

func (c *conn) clearDeadlines() {
	_ = c.net.SetDeadline(time.Time{})
	c.readBy, c.writeBy = time.Time{}, time.Time{}
}

// exchange is a request and its response. Handlers may keep their parts, which therefore are not reused.
type exchange struct {
	url      url.URL
	length   int64 // of the request's body
	context  requestContext
	body     body
	response response
}

// serveRequest runs the handler. It returns false if the connection is to be closed.
func (c *conn) serveRequest(x *exchange) bool {
	now := time.Now()
	c.extendWrite(now)
	if c.pace.next(now) {
		runtime.Gosched()
	}
	x.context.conn, x.context.base = c, c.base
	r := c.request.WithContext(&x.context)
	x.response = response{conn: c, request: r, body: &x.body, length: unknown}
	c.watch.begin(&x.context, x.length == 0)
	if x.length > 0 {
		x.body = body{conn: c, left: x.length, context: &x.context}
		r.Body = &x.body
		if int64(c.end-c.start) < x.length {
			c.extendRead(now, c.server.BodyTimeout)
		}
	}
	completed := c.handle(&x.response, r)
	x.context.end()
	c.watch.end(c)
	if !completed {
		x.response.abort()
		return false
	}
	x.response.finish()
	x.body.end()
	if x.response.deadlines.Load() {
		c.clearDeadlines()
	}
	c.served = true
	c.answered = len(x.response.header)
	c.afterPost = c.request.Method == http.MethodPost
	if x.response.lingers {
		c.lingerOn()
	}
	return !x.response.closes && !x.response.broken
}

// handle runs the handler, and returns false if it panicked.
func (c *conn) handle(w *response, r *http.Request) (completed bool) {
	defer func() {
		if reason := recover(); reason != nil && reason != http.ErrAbortHandler {
			c.server.logf("panic serving %v: %v\n%s", c.remote, reason, debug.Stack())
		}
	}()
	c.server.Handler.ServeHTTP(w, r)
	return true
}

// lingerOn ends the server's half of the connection, and leaves the client time to read the response.
func (c *conn) lingerOn() {
	if half, ok := c.net.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
		_ = c.net.SetReadDeadline(time.Now().Add(linger))
		_, _ = io.CopyN(io.Discard, c.net, maxUnread)
	}
}
