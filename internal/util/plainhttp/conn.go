package plainhttp

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"time"
)

// bufferSize lets most requests leave in one system call, and most responses arrive in one.
const bufferSize = 64 << 10

// maxInformational is how many informational responses (1xx) may precede a response.
const maxInformational = 5

// conn is a connection with at most one request in flight.
type conn struct {
	net.Conn
	transport *Transport
	address   string // host and port
	r         *bufio.Reader
	w         *bufio.Writer
	used      time.Time // when the last response ended
}

func newConn(t *Transport, address string, network net.Conn) *conn {
	c := &conn{Conn: network, transport: t, address: address, r: bufio.NewReaderSize(network, bufferSize)}
	c.w = bufio.NewWriterSize(onlyWriter{network}, bufferSize)
	return c
}

// onlyWriter hides the ReadFrom of a TCP connection, with which bufio.Writer would allocate a buffer for each body.
type onlyWriter struct{ io.Writer }

// roundTrip sends a request and reads the header of its response.
func (c *conn) roundTrip(r *http.Request, timeout time.Duration) (*http.Response, error) {
	stop, err := c.limit(r.Context(), timeout)
	if err != nil {
		closeBody(r)
		_ = c.Close()
		return nil, err
	}
	res, err := c.exchange(r)
	if err != nil {
		err = ended(r.Context(), err)
		stop()
		_ = c.Close()
		return nil, err
	}
	b := &body{ReadCloser: res.Body, conn: c, ctx: r.Context(), stop: stop, keep: !res.Close && !r.Close}
	if res.Body == http.NoBody {
		b.end(true)
		return res, nil
	}
	res.Body = b
	return res, nil
}

// limit makes reads and writes fail after the timeout and when the context ends, until stop is called. stop reports
// whether the connection is still usable.
func (c *conn) limit(ctx context.Context, timeout time.Duration) (stop func() bool, err error) {
	var deadline time.Time
	if timeout > 0 {
		deadline = time.Now().Add(timeout)
	}
	if d, limited := ctx.Deadline(); limited && (deadline.IsZero() || d.Before(deadline)) {
		deadline = d
	}
	if err := c.SetDeadline(deadline); err != nil {
		return nil, err
	}
	if ctx.Done() == nil {
		return func() bool { return true }, nil
	}
	return context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) }), nil
}

// exchange writes a request and reads the header of its response. A server may respond to a request that it does not
// read to its end, so a response counts for more than a failed write.
func (c *conn) exchange(r *http.Request) (*http.Response, error) {
	sendErr := r.Write(c.w)
	if sendErr == nil {
		sendErr = c.w.Flush()
	}
	res, err := c.response(r)
	if err != nil && sendErr != nil {
		return nil, sendErr
	}
	if err == nil && sendErr != nil {
		res.Close = true
	}
	return res, err
}

// response reads the header of the response, after any informational ones.
func (c *conn) response(r *http.Request) (*http.Response, error) {
	for range maxInformational {
		res, err := http.ReadResponse(c.r, r)
		if err != nil || res.StatusCode >= 200 || res.StatusCode == http.StatusSwitchingProtocols {
			return res, err
		}
	}
	return nil, errInformational
}
