// Package wire has an HTTP/1.1 client for measurements: it allocates nothing per request once its buffers have grown,
// so that most of the machine's time is left to the server that is measured.
package wire

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"time"
)

const (
	dialTimeout = 5 * time.Second
	lifetime    = 10 * time.Minute
	bufferSize  = 32 << 10
)

// Conn is a connection with at most one request in flight. It dials at its first request, and again after an error.
type Conn struct {
	Addr string // host and port
	TLS  bool   // any certificate is accepted: the server is on this machine
	// Lifetime is the time in which all requests of a connection must end; default ten minutes. A deadline for each
	// request would cost CPU.
	Lifetime time.Duration

	// Continuation is the header x-ms-continuation of the last response, "" if it had none.
	Continuation string

	conn net.Conn
	r    *bufio.Reader
	body []byte
	keep bool // the server keeps the connection after its response
}

// Dial connects, and completes the TLS handshake if there is one.
func (c *Conn) Dial() error {
	conn, err := net.DialTimeout("tcp", c.Addr, dialTimeout)
	if err != nil {
		return err
	}
	if err := conn.SetDeadline(time.Now().Add(cmp.Or(c.Lifetime, lifetime))); err != nil {
		return err
	}
	if c.TLS {
		secure := tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
		if err := secure.Handshake(); err != nil {
			_ = conn.Close()
			return err
		}
		conn = secure
	}
	c.conn, c.r = conn, bufio.NewReaderSize(conn, bufferSize)
	return nil
}

// Close closes the connection. The next request dials again.
func (c *Conn) Close() {
	if c.conn != nil {
		_ = c.conn.Close()
		c.conn = nil
	}
}

// Do sends a request in wire format and reads the response. body is valid until the next call.
func (c *Conn) Do(request []byte) (status int, body []byte, err error) {
	if c.conn == nil {
		if err := c.Dial(); err != nil {
			return 0, nil, err
		}
	}
	if _, err = c.conn.Write(request); err == nil {
		status, err = c.read()
	}
	if err != nil || !c.keep {
		c.Close()
	}
	return status, c.body, err
}

// read reads one response, whose body has a Content-Length or is chunked, without trailers.
func (c *Conn) read() (status int, err error) {
	line, err := c.r.ReadSlice('\n')
	if err != nil {
		return 0, err
	}
	if len(line) < len("HTTP/1.1 200") {
		return 0, fmt.Errorf("not a status line: %q", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, fmt.Errorf("not a status line: %q", line)
	}
	c.body, c.keep, c.Continuation = c.body[:0], true, ""
	size, chunked, err := c.headers()
	if err != nil {
		return status, err
	}
	if chunked {
		return status, c.chunks()
	}
	return status, c.take(size)
}

// headers reads the headers, which end with an empty line.
func (c *Conn) headers() (size int, chunked bool, err error) {
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return 0, false, err
		}
		name, value, found := bytes.Cut(line, []byte(":"))
		if !found {
			return size, chunked, nil
		}
		switch value = bytes.TrimSpace(value); {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if size, err = strconv.Atoi(string(value)); err != nil {
				return 0, false, err
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = bytes.EqualFold(value, []byte("chunked"))
		case bytes.EqualFold(name, []byte("Connection")):
			c.keep = !bytes.EqualFold(value, []byte("close"))
		case bytes.EqualFold(name, []byte("x-ms-continuation")):
			c.Continuation = string(value)
		}
	}
}

// chunks reads a chunked body. Each chunk is its size in hexadecimal, the bytes, and an end of line.
func (c *Conn) chunks() error {
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 32)
		if err != nil {
			return err
		}
		if err := c.take(int(n) + 2); err != nil {
			return err
		}
		c.body = c.body[:len(c.body)-2]
		if n == 0 {
			return nil
		}
	}
}

// take appends the next n bytes to the body.
func (c *Conn) take(n int) error {
	have := len(c.body)
	c.body = slices.Grow(c.body, n)[:have+n]
	_, err := io.ReadFull(c.r, c.body[have:])
	return err
}
