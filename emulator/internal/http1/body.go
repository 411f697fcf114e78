package http1

import (
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
)

// body is the body of a request, whose length is known.
type body struct {
	conn    *conn
	context *requestContext
	closed  atomic.Bool

	mu     sync.Mutex
	left   int64 // bytes that have not been read
	failed error // why the rest cannot be read
}

// Read implements io.Reader. It returns io.EOF with the last bytes, and io.ErrUnexpectedEOF if the client ends before.
func (b *body) Read(p []byte) (int, error) {
	if b.closed.Load() {
		return 0, http.ErrBodyReadAfterClose
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.read(p)
}

func (b *body) read(p []byte) (int, error) {
	switch {
	case b.failed != nil:
		return 0, b.failed
	case b.left == 0:
		return 0, io.EOF
	case len(p) == 0:
		return 0, nil
	}
	n, err := b.conn.readBody(p[:min(int64(len(p)), b.left)])
	if b.left -= int64(n); b.left == 0 {
		b.conn.watch.tell(b.conn, b.context, &b.conn.watch.bodies)
		return n, io.EOF
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	b.failed = err
	return n, err
}

// Close implements io.Closer. What the handler has not read is read when the response begins.
func (b *body) Close() error {
	b.closed.Store(true)
	return nil
}

// remains reports whether a part of the body has not been read.
func (b *body) remains() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.left > 0 && b.failed == nil
}

// discard reads what is left, up to maxUnread bytes, and reports whether the connection can have another request.
// tooLong tells that there is more.
func (b *body) discard() (drained, tooLong bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.left == 0:
		return true, false
	case b.left >= maxUnread:
		return false, true
	}
	var buf [4 << 10]byte
	for b.left > 0 && b.failed == nil {
		_, _ = b.read(buf[:])
	}
	b.closed.Store(true) // a handler that goes on reading must not take this for the body's end
	return b.failed == nil, false
}

// end ends reads, of which one may be in progress in a goroutine of the handler.
func (b *body) end() {
	b.closed.Store(true)
	b.mu.Lock()
	defer b.mu.Unlock()
}

// readBody reads from what has been read ahead, or from the connection.
func (c *conn) readBody(p []byte) (int, error) {
	if c.start < c.end {
		n := copy(p, c.buf[c.start:c.end])
		c.start += n
		return n, nil
	}
	return c.net.Read(p)
}
