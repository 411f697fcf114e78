package pointintime

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// Bounds limit what a request uses.
type Bounds struct {
	ViewBytes int   // memory of a View
	Steps     int64 // work of a request
}

// DefaultBounds returns the bounds of a request: about 70,000 keys, and the given work.
func DefaultBounds(steps int64) Bounds { return Bounds{ViewBytes: 8 << 20, Steps: steps} }

// Spent reports whether a request has done its share of work.
func (b Bounds) Spent(work *budget.Budget) bool { return work.Steps() > b.Steps }

// Error is a mistake in a request.
type Error string

func (e Error) Error() string { return string(e) }

// The mistakes of requests that need no details.
const (
	ErrStart   Error = "start must be the value of next of a previous page"
	ErrTrimmed Error = "the changes since that time are not stored any more: choose a later time"
	ErrOrder   Error = "from must not be after to"
	ErrWriting Error = "a write that began before the earliest time is not complete yet: try again"
)

// maxConcurrent is how many requests may read earlier states at a time: each holds up to two Views.
const maxConcurrent = 4

// Slots bound the number of concurrent requests.
type Slots chan struct{}

// NewSlots returns free slots.
func NewSlots() Slots { return make(Slots, maxConcurrent) }

// Enter waits for a slot. Leave must follow if it returns nil. Errors: the cause of the context's end.
func (s Slots) Enter(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Leave frees the slot.
func (s Slots) Leave() { <-s }
