// Package panics turns panics of work that no request waits for into errors, so that the process and the rest of the
// work go on.
package panics

import (
	"fmt"
	"runtime/debug"
)

// AsError returns what run returns. A panic of it is an error with the stack, in which what, such as "the evaluation",
// names the work.
func AsError(what string, run func() error) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("%s panicked: %v\n%s", what, reason, debug.Stack())
		}
	}()
	return run()
}
