package command

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// TestStoppedCommandsSayBySignal checks the line and the exit status of commands whose context has ended, or not.
func TestStoppedCommandsSayBySignal(t *testing.T) {
	t.Parallel()
	running := t.Context()
	canceled, cancel := context.WithCancel(running)
	cancel()
	terminated, end := context.WithCancelCause(running)
	end(terminate)
	interrupted, end := context.WithCancelCause(running)
	end(interrupt)
	failure := errors.New("2 of 3 scenarios failed")
	for name, c := range map[string]struct {
		ctx    context.Context
		err    error
		text   string
		status int
	}{
		"success":            {running, nil, "", 0},
		"stopped, success":   {terminated, nil, "", 0},
		"failure":            {running, failure, failure.Error(), 1},
		"stopped, failure":   {terminated, failure, failure.Error(), 1},
		"usage":              {running, Usagef("no table"), "no table", 2},
		"cannot start":       {terminated, Usagef("cannot reach it"), "stopped by SIGTERM before it ended", 143},
		"context":            {interrupted, fmt.Errorf("read: %w", context.Canceled), "stopped by Ctrl-C before it ended", 130},
		"cause":              {interrupted, fmt.Errorf("read: %w", interrupt), "stopped by Ctrl-C before it ended", 130},
		"without a signal":   {canceled, context.Canceled, "stopped by Ctrl-C before it ended", 130},
		"detail":             {terminated, Stoppedf(terminated, " after %d rows", 3), "stopped by SIGTERM after 3 rows", 143},
		"wrapped":            {interrupted, fmt.Errorf("x: %w", Stoppedf(interrupted, "")), "x: stopped by Ctrl-C", 130},
		"canceled otherwise": {running, context.Canceled, "context canceled", 1},
	} {
		err := orStopped(c.ctx, c.err)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if text != c.text || exitStatus(err) != c.status {
			t.Errorf("%s: %q, %d; want %q, %d", name, text, exitStatus(err), c.text, c.status)
		}
	}
}
