package control

import (
	"context"
	"errors"
	"time"
)

// ErrStillRunning reports that what replaces the state found no moment without requests: it is answered 503, and can be
// tried again.
var ErrStillRunning = errors.New("requests in progress did not finish in time")

// State is the state that the API commands.
type State interface {
	Now() time.Time
	// Reset drops all that the emulator keeps, or gives up when ctx is done while it waits for requests under way.
	Reset(ctx context.Context) error
	// TakeSnapshot copies the state; restore brings it back, any number of times. It gives up as Reset does.
	TakeSnapshot() (restore func(context.Context) error, err error)
}
