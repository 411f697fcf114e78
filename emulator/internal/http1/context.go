package http1

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// requestContext is the context of a request. It is canceled when the request ends, when the client closes its
// connection, or when the server is closed. Most requests never ask for that: the context that can be canceled is made
// when somebody does, and only from then on the connection is watched.
type requestContext struct {
	base  context.Context
	conn  *conn
	asked atomic.Int64 // calls of Err

	mu     sync.Mutex
	ended  bool
	inner  context.Context
	cancel context.CancelFunc
}

// Deadline implements context.Context.
func (c *requestContext) Deadline() (time.Time, bool) { return c.base.Deadline() }

// Done implements context.Context.
func (c *requestContext) Done() <-chan struct{} { return c.cancelable().Done() }

// unwatchedAsks is how often a request may ask whether it has ended before its connection is watched: once for each
// item that it writes, or each 4,096 steps of work, which take about 0.1 ms.
const unwatchedAsks = 32

// Err implements context.Context. A request that asks a few times is likely to end soon.
func (c *requestContext) Err() error {
	if c.asked.Add(1) <= unwatchedAsks {
		c.mu.Lock()
		unwatched := c.inner == nil && !c.ended
		c.mu.Unlock()
		if unwatched {
			return c.base.Err()
		}
	}
	return c.cancelable().Err()
}

// Value implements context.Context. The context package finds the inner context by it, so that contexts below this one
// need no goroutine.
func (c *requestContext) Value(key any) any {
	c.mu.Lock()
	inner := c.inner
	c.mu.Unlock()
	if inner != nil {
		return inner.Value(key)
	}
	return c.base.Value(key)
}

// cancelable returns the inner context.
func (c *requestContext) cancelable() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inner == nil {
		c.inner, c.cancel = context.WithCancel(c.base)
		if c.ended {
			c.cancel()
		} else {
			c.conn.watch.tell(c.conn, c, &c.conn.watch.wanted)
		}
	}
	return c.inner
}

// end cancels the context.
func (c *requestContext) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.cancel != nil {
		c.cancel()
	}
}
