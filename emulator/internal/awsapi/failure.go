package awsapi

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// errPanicked is the error of an operation that panicked, which has been logged.
var errPanicked = errors.New("an operation panicked")

// Service is a service's name in the log, and its errors for failures that any service's requests can have. The
// services do not document limits of work, so the wording of those errors is our own.
type Service[E error] struct {
	Name string
	Log  *slog.Logger

	TooMuchWork func() E                 // the request used up its steps or bytes
	TooSlow     func() E                 // the request used up its time
	Busy        func(operation string) E // there is no memory for the request now; SDKs retry it
	Internal    func(text string) E      // the disk fails, as text says, or the emulator itself fails, and text is empty
}

// Run runs an operation. A panic is logged and returned as an error that Answer converts to an internal error.
func (s *Service[E]) Run(operation string, run func() ([]byte, error)) (answer []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.Log.Error("an operation panicked", "service", s.Name, "operation", operation, "panic", p, "stack",
				string(debug.Stack()))
			answer, err = nil, errPanicked
		}
	}()
	return run()
}

// Answer returns the service's error for a request that failed with err. An unknown error is a failure of the emulator
// itself, and logged. If the client has left, nobody reads the response.
func (s *Service[E]) Answer(operation string, err error) E {
	var own E
	text, unavailable := store.Unavailable(err) // it has been logged already
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, budget.ErrSteps), errors.Is(err, budget.ErrBytes):
		return s.TooMuchWork()
	case errors.Is(err, budget.ErrTime):
		return s.TooSlow()
	case errors.Is(err, budget.ErrBusy):
		return s.Busy(operation)
	case errors.Is(err, errPanicked), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return s.Internal("")
	case unavailable:
		return s.Internal(text)
	}
	s.Log.Error("an operation failed for a reason of the emulator's own", "service", s.Name, "operation",
		operation, "error", err)
	return s.Internal("")
}
