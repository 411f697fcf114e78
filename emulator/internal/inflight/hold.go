package inflight

import (
	"context"
	"io"
	"net/http"
)

// Hold is what one request holds of a [Pool]. A nil one, of a request that did not come through [Pool.Wrap], holds nothing and
// is never refused. It belongs to the goroutine that serves its request.
type Hold struct {
	pool  *Pool
	bytes int64
}

// Reserve makes the hold at least n bytes, and waits for them as long as the pool's limits and ctx allow. Errors: ErrBusy,
// and the cause of ctx's end.
func (h *Hold) Reserve(ctx context.Context, n int64) error {
	if h == nil || n <= h.bytes {
		return nil
	}
	if err := h.pool.take(ctx, n-h.bytes, n); err != nil {
		return err
	}
	h.bytes = n
	return nil
}

// Settle makes the hold n bytes without waiting. More than it was, it reports whether the pool allows them: where not, it
// changes nothing.
func (h *Hold) Settle(n int64) bool {
	if h == nil || n == h.bytes {
		return true
	}
	if n > h.bytes && !h.pool.try(n-h.bytes, n) {
		return false
	}
	if n < h.bytes {
		h.pool.free(h.bytes - n)
	}
	h.bytes = n
	return true
}

// Force makes the hold n bytes, whatever the pool allows: for answers that must not be refused any more.
func (h *Hold) Force(n int64) {
	if !h.Settle(n) {
		h.pool.held.Add(n - h.bytes)
		h.bytes = n
	}
}

// Bytes returns how many bytes are held.
func (h *Hold) Bytes() int64 {
	if h == nil {
		return 0
	}
	return h.bytes
}

// Reader counts what it reads, as twice its size: buffers that grow have room.
func (h *Hold) Reader(ctx context.Context, from io.Reader) io.Reader {
	if h == nil {
		return from
	}
	return &reader{h, ctx, from}
}

type reader struct {
	hold *Hold
	ctx  context.Context
	from io.Reader
}

// Read implements io.Reader. Errors: those of the reader, and those of Reserve.
func (r *reader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if n > 0 {
		if busy := r.hold.Reserve(r.ctx, r.hold.bytes+2*int64(n)); busy != nil {
			return 0, busy
		}
	}
	return n, err
}

// Of returns the hold of the request that w answers; nil for one that did not come through [Pool.Wrap].
func Of(w http.ResponseWriter) *Hold {
	for {
		switch at := w.(type) {
		case *answer:
			return &at.hold
		case interface{ Unwrap() http.ResponseWriter }:
			w = at.Unwrap()
		default:
			return nil
		}
	}
}
