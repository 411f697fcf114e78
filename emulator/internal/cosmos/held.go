package cosmos

import (
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// What requests take of the memory of all, in bytes, beside their bodies.
const (
	feedBytes  = 1 << 20 // is reserved for a page before it is made; what it turns out to take is counted then
	parsedSize = 16      // a parsed body takes this many times the size of its text, where it has many small values
)

// retryBusy is when a client may ask again that was refused for want of memory.
const retryBusy = 100 * time.Millisecond

// busy refuses a request because those under way hold all the memory that they may.
func busy() *wire.Error { return wire.TooManyRequests(retryBusy) }

// reserveAnswer waits until there is memory for what a request reads, and for its body once it is parsed.
func (x *exchange) reserveAnswer(op *handler) *wire.Error {
	bytes := x.Memory.Bytes()
	if len(x.Body) > promised {
		bytes += parsedSize * int64(len(x.Body))
	}
	if x.Route.Feed && op.in == inContainer && isPage(&x.Call) {
		bytes += feedBytes
	}
	if err := x.Memory.Reserve(x.Ctx, bytes); err != nil {
		return busy()
	}
	return nil
}

// isPage reports whether the request is answered by a page of many resources, and changes nothing.
func isPage(c *operation.Call) bool {
	return c.Method == http.MethodGet || c.Method == http.MethodPost && c.Form() == wire.QueryForm
}

// holdAnswer counts the answer as long as the client takes it. One that changed nothing is refused where there is no
// memory for it.
func (x *exchange) holdAnswer(err *wire.Error) *wire.Error {
	x.Body = nil
	size := int64(cap(x.Buffers.In) + cap(x.Out.Body))
	if x.Memory.Settle(size) || err != nil || !isPage(&x.Call) {
		x.Memory.Force(size)
		return err
	}
	x.Out = wire.Response{}
	x.Memory.Force(int64(cap(x.Buffers.In)))
	return busy()
}
