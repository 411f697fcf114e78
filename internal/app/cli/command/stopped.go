package command

import (
	"context"
	"errors"
	"fmt"
)

// stopSignal is a signal that stops a command. It is the cause of the end of the command's context.
type stopSignal struct {
	name   string // as users know it
	number int    // the same on every system
}

var (
	interrupt = stopSignal{"Ctrl-C", 2}
	terminate = stopSignal{"SIGTERM", 15}
)

func (s stopSignal) Error() string { return "stopped by " + s.name }

// Is makes a stopSignal a context.Canceled for code that passes the cause of a context on, such as net/http.
func (stopSignal) Is(target error) bool { return target == context.Canceled }

// stoppedError is the error of a command that did not finish because a signal stopped it.
type stoppedError struct {
	by     stopSignal
	detail string
}

func (e *stoppedError) Error() string { return e.by.Error() + e.detail }

// Stoppedf returns the error of a command whose context has ended before its work has. The text follows "stopped by
// Ctrl-C", and says how much was done and what is missing: " after 3 of 7 scenarios: no report was written". The exit
// status is 128 plus the number of the signal, as in shells.
func Stoppedf(ctx context.Context, format string, args ...any) error {
	by := interrupt
	_ = errors.As(context.Cause(ctx), &by)
	return &stoppedError{by: by, detail: fmt.Sprintf(format, args...)}
}

// orStopped returns the error of a command: err, or that it was stopped if err only says in other words that ctx has
// ended, or that it could not start because of that.
func orStopped(ctx context.Context, err error) error {
	var stopped *stoppedError
	var usage *usageError
	if ctx.Err() == nil || err == nil || errors.As(err, &stopped) {
		return err
	}
	if errors.Is(err, context.Canceled) || errors.As(err, &usage) {
		return Stoppedf(ctx, " before it ended")
	}
	return err
}
