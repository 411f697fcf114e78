package plainhttp

import (
	"context"
	"errors"
	"io"
)

var errInformational = errors.New("the server sends informational responses only")

// body is the body of a response. At its end, the connection becomes idle.
type body struct {
	io.ReadCloser
	conn *conn           // nil: ended
	ctx  context.Context // of the request
	stop func() bool
	keep bool
}

// Read reads from the body. Errors: as of Transport.RoundTrip.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	switch {
	case err == nil:
	case b.conn == nil && err != io.EOF: // a read after the end
	case err == io.EOF:
		b.end(true)
	default:
		err = ended(b.ctx, err)
		b.end(false)
	}
	return n, err
}

// Close closes the connection, unless the body was read to its end.
func (b *body) Close() error {
	b.end(false)
	return nil
}

// end gives the connection back, or closes it. Only the first call counts.
func (b *body) end(complete bool) {
	c := b.conn
	if c == nil {
		return
	}
	b.conn = nil
	if b.stop() && complete && b.keep && c.r.Buffered() == 0 {
		c.transport.putIdle(c)
		return
	}
	_ = c.Close()
}

// cancelingBody is the body of a response whose context has to be canceled after it.
type cancelingBody struct {
	io.ReadCloser
	cancel context.CancelFunc
}

// Close closes the body and cancels the context.
func (b cancelingBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}
