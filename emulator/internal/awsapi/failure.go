package awsapi

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// errPanicked is the error of an operation that panicked. It is logged where that happens.
var errPanicked = errors.New("an operation panicked")

// Service is what the log calls a service, and the errors of its own for what can happen to a request of any service.
// The services document no bounds of work, so the words for those are ours.
type Service[E error] struct {
	Name string
	Log  *slog.Logger

	TooMuchWork func() E            // the request used up its steps or bytes
	TooSlow     func() E            // it used up its time
	Busy        func() E            // there is no memory for it now; SDKs try such an error again
	Internal    func(text string) E // a disk that fails, as text says, or a fault of the emulator's own, about which text is empty
}

// Run runs an operation. One that panics is logged, and answered with an internal error.
func (s *Service[E]) Run(operation string, run func() ([]byte, error)) (answer []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.Log.Error("an operation panicked", "service", s.Name, "operation", operation, "panic", p, "stack", string(debug.Stack()))
			answer, err = nil, errPanicked
		}
	}()
	return run()
}

// Answer returns the error that answers a request that failed with err: the service's own, or the one that stands for
// it. Any other is a fault of the emulator's own, and logged. Nobody reads the answer of a client that left.
func (s *Service[E]) Answer(operation string, err error) E {
	var own E
	text, unavailable := store.Unavailable(err) // which is logged where it happens
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, budget.ErrSteps), errors.Is(err, budget.ErrBytes):
		return s.TooMuchWork()
	case errors.Is(err, budget.ErrTime):
		return s.TooSlow()
	case errors.Is(err, budget.ErrBusy):
		return s.Busy()
	case errors.Is(err, errPanicked), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return s.Internal("")
	case unavailable:
		return s.Internal(text)
	}
	s.Log.Error("an operation failed for a reason of the emulator's own", "service", s.Name, "operation", operation, "error", err)
	return s.Internal("")
}
