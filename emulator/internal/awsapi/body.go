package awsapi

import (
	"context"
	"errors"
	"io"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// ErrTooLarge reports a body that is larger than its service allows.
var ErrTooLarge = errors.New("the request is too large")

// ReadBody reads a body of at most limit bytes, which are counted against memory. Errors: ErrTooLarge; budget.ErrBusy
// if there is no memory for it; those of from.
func ReadBody(ctx context.Context, from io.Reader, memory *budget.Account, limit int) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(memory.Reader(ctx, from), int64(limit)+1))
	if err != nil {
		return nil, err
	}
	if len(body) > limit {
		return nil, ErrTooLarge
	}
	return body, nil
}
