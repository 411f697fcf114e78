package web

import (
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// receiveTimeout is the time that a client has to receive a response, or each part of a long one.
const receiveTimeout = time.Minute

// ExtendWriteDeadline gives the client of a request one more minute to receive the response, whatever the listener's
// write timeout, which counts from the request.
func ExtendWriteDeadline(ctx huma.Context) { setWriteDeadline(ctx, time.Now().Add(receiveTimeout)) }

func setWriteDeadline(ctx huma.Context, at time.Time) {
	_, w := humago.Unwrap(ctx)
	_ = http.NewResponseController(w).SetWriteDeadline(at) // a connection without deadlines, such as a test's, needs none
}

// Slow returns an operation whose handler may take longer than the listener's write timeout, because it waits for
// another service: its client has one minute from the beginning of the response.
func Slow(op huma.Operation) huma.Operation {
	op.Middlewares = append(op.Middlewares, func(ctx huma.Context, next func(huma.Context)) {
		setWriteDeadline(ctx, time.Time{}) // at its deadline, HTTP/2 resets a stream even if nothing is written
		next(slowContext{ctx})
	})
	return op
}

// slowContext is a context that starts the write deadline with the response.
type slowContext struct{ humaContext }

// SetStatus sets the status of the response, with which it begins.
func (c slowContext) SetStatus(status int) {
	ExtendWriteDeadline(c.humaContext)
	c.humaContext.SetStatus(status)
}

// Unwrap returns the context that humago needs.
func (c slowContext) Unwrap() huma.Context { return c.humaContext }
