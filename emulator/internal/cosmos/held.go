package cosmos

import (
	"net/http"
	"time"
)

// What requests take of the memory of all, in bytes, beside their bodies.
const (
	feedBytes  = 1 << 20 // is reserved for a page before it is made; what it turns out to take is counted then
	parsedSize = 16      // a parsed body takes this many times the size of its text, where it has many small values
)

// retryBusy is when a client may ask again that was refused for want of memory.
const retryBusy = 100 * time.Millisecond

// busy refuses a request because those under way hold all the memory that they may.
func busy() *Error { return tooManyRequests(retryBusy) }

// reserveAnswer waits until there is memory for what a request reads, and for its body once it is parsed.
func (x *exchange) reserveAnswer(op *handler) *Error {
	bytes := x.memory.Bytes()
	if len(x.body) > promised {
		bytes += parsedSize * int64(len(x.body))
	}
	if x.route.feed && op.in == inContainer && x.isPage() {
		bytes += feedBytes
	}
	if err := x.memory.Reserve(x.ctx, bytes); err != nil {
		return busy()
	}
	return nil
}

// isPage reports whether the request is answered by a page of many resources, and changes nothing.
func (c *call) isPage() bool {
	return c.method == http.MethodGet || c.method == http.MethodPost && c.form() == QueryForm
}

// holdAnswer counts the answer as long as the client takes it. One that changed nothing is refused where there is no memory for
// it.
func (x *exchange) holdAnswer(err *Error) *Error {
	x.body = nil
	size := int64(cap(x.buffers.in) + cap(x.out.body))
	if x.memory.Settle(size) || err != nil || !x.isPage() {
		x.memory.Force(size)
		return err
	}
	x.out = response{}
	x.memory.Force(int64(cap(x.buffers.in)))
	return busy()
}
