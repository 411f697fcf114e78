package cosmos

import (
	"bytes"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// Memory of a request, in bytes, in addition to its body.
const (
	feedBytes   = 1 << 20 // reserved for a page in advance; the actual size replaces it
	parsedValue = 96      // per value of a parsed body, in addition to its text; measured at 64 to 98
)

// busyRetryDelay is the retry delay for a request that found no memory.
const busyRetryDelay = 100 * time.Millisecond

// busy returns the error for a request that found no memory: 429.
func busy() *wire.Error { return wire.TooManyRequests(busyRetryDelay) }

// reserveResponse waits for memory for the response and for the parsed body.
func (x *exchange) reserveResponse(op *handler) *wire.Error {
	size := x.Memory.Bytes()
	if len(x.Body) > preallocatedBytes {
		size += parsedBytes(x.Body)
	}
	if x.Route.Feed && op.parent != noParent && isPage(&x.Call) {
		size += feedBytes
	}
	if err := x.Memory.Reserve(x.Ctx, size); err != nil {
		return busy()
	}
	return nil
}

// parsedBytes returns about how many bytes a parsed body takes: 48 times its text for [1,1,…], and little more than its
// text for a long string. Every value but the first of its array or object follows a comma.
func parsedBytes(body []byte) int64 {
	values := 0
	for _, before := range []byte(",[{") {
		values += bytes.Count(body, []byte{before})
	}
	return int64(len(body)) + parsedValue*int64(values)
}

// isPage reports whether the response is a page of resources. Such a request changes nothing.
func isPage(c *operation.Call) bool {
	return c.Method == http.MethodGet || c.Method == http.MethodPost && c.Form() == wire.QueryForm
}

// holdResponse accounts for the memory of the response until the client has read it. If there is no memory for the
// response to a read, it becomes an error.
func (x *exchange) holdResponse(err *wire.Error) *wire.Error {
	size := x.held()
	if x.Memory.Settle(size) || err != nil || !isPage(&x.Call) {
		x.Memory.Force(size)
		return err
	}
	x.Out = wire.Response{}
	x.Memory.Force(x.held())
	return busy()
}

// held returns how many bytes the bodies take. A small request body is in Buffers.In.
func (x *exchange) held() int64 {
	size := int64(cap(x.Buffers.In) + cap(x.Out.Body))
	if len(x.Body) > preallocatedBytes {
		size += int64(cap(x.Body))
	}
	return size
}

// dropBody frees a large request body that is not needed while the response is sent.
func (x *exchange) dropBody() {
	if len(x.Body) > preallocatedBytes {
		x.Body = nil
		x.Memory.Force(x.held())
	}
}
