package awsapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/chunked"
)

// ErrTooLarge reports a body that is larger than its service allows.
var ErrTooLarge = errors.New("the request is too large")

// reservedAhead is the most bytes that are reserved for a body before it is read. A longer Content-Length is only a
// claim: the rest is reserved as it arrives.
const reservedAhead = 64 << 10

// decompressedAtOnce is the most bytes that are decompressed before other requests get a turn.
const decompressedAtOnce = 64 << 10

// ReadBody reads a body of at most limit bytes, as it was sent, into the memory of dst, which grows if needed. It is
// counted against memory. Errors: ErrTooLarge; budget.ErrBusy if there is no memory for it; those of the client's
// connection.
func ReadBody(r *http.Request, dst []byte, memory *budget.Account, limit int) ([]byte, error) {
	return source{r.Body, r.ContentLength, math.MaxInt, nil}.read(r.Context(), dst, memory, limit)
}

// source is the source of a body.
type source struct {
	from   io.Reader
	length int64          // expected; less than 0 if unknown
	atOnce int            // the most bytes of one Read
	work   *budget.Budget // yields after each Read; nil: does not
}

// read reads all, into the memory of dst.
func (s source) read(ctx context.Context, dst []byte, memory *budget.Account, limit int) ([]byte, error) {
	before := memory.Bytes() // such as those of the compressed body
	dst = dst[:0]
	size := max(int(min(s.length, reservedAhead))+1, cap(dst), 1)
	for {
		if size = max(size, cap(dst)); len(dst) == size {
			size += max(size/2, bytes.MinRead)
		}
		if err := memory.Reserve(ctx, before+int64(size)); err != nil {
			return dst, err
		}
		dst = chunked.Grow(dst, size-len(dst))
		room := min(cap(dst)-len(dst), s.atOnce, limit+1-len(dst))
		n, err := s.from.Read(dst[len(dst) : len(dst)+room])
		dst = dst[:len(dst)+n]
		s.work.Yield()
		switch {
		case len(dst) > limit:
			return dst, ErrTooLarge
		case err == io.EOF:
			return dst, nil
		case err != nil:
			return dst, err
		}
	}
}
