package script

import (
	"errors"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script/sandbox"
)

// Reason is why a script failed.
type Reason uint8

// The reasons.
const (
	Threw         Reason = iota // it threw an exception, or used something forbidden
	CompileFailed               // it does not compile
	TimedOut                    // it exceeded MaxTime
	OutOfMemory                 // it exceeded MaxMemory
)

// Error is the error of a failed script. The caller must undo what the script did to items.
type Error struct {
	Reason Reason
	// Number is the number of the exception, as in new Error(404, "…"); 0: none.
	Number int
	// Message is the service's message, such as: Encountered exception while executing function. Exception = Error: ...
	Message string
	// Log is the output of console.log before the failure.
	Log string
}

func (e *Error) Error() string { return e.Message }

// StatusError is a failure of an operation of a Collection that the script may handle: callbacks get it as their error,
// with number and body.
type StatusError struct {
	Status  int
	Message string
}

func (e *StatusError) Error() string { return e.Message }

// ErrNoFunction is the error for a function that does not exist in the container.
var ErrNoFunction = errors.New("the user-defined function does not exist")

// Errors that end a script from within.
var (
	errTime  = errors.New("the script exceeded its execution time")
	errAbort = errors.New("the script aborted itself")
)

func compileError(text string) *Error {
	return &Error{Reason: CompileFailed,
		Message: "Encountered exception while compiling Javascript. Exception = SyntaxError: " + text}
}

// tooDeep is the error for calls, or values, that are nested too deeply.
const tooDeep = "RangeError: Maximum call stack size exceeded"

// failure converts an error of the sandbox to that of the script.
func (s *session) failure(err error) error {
	var thrown sandbox.Thrown
	switch {
	case errors.As(err, &thrown):
		return s.failure(s.thrown(thrown))
	case errors.Is(err, errAbort):
		return s.aborted
	case errors.Is(err, sandbox.ErrMemory):
		return &Error{Reason: OutOfMemory, Message: exceptionText("Error: Out of memory", ""), Log: s.logged()}
	case errors.Is(err, errTime):
		return &Error{Reason: TimedOut, Log: s.logged(),
			Message: "The requested operation exceeded maximum alloted time. Learn more: https://aka.ms/cosmosdb-tsg-service-request-timeout"}
	case errors.Is(err, sandbox.ErrTrap):
		return s.threw(tooDeep, "", 0)
	}
	return err
}

func (s *session) threw(text, stack string, number int) *Error {
	return &Error{Reason: Threw, Number: number, Message: exceptionText(text, stack), Log: s.logged()}
}

func exceptionText(text, stack string) string {
	return "Encountered exception while executing function. Exception = " + text + "\r\nStack trace: " + text + stack
}

const maxMessage = 4096

func clip(text string) string {
	if len(text) > maxMessage {
		return strings.ToValidUTF8(text[:maxMessage], "") + "…"
	}
	return text
}

const maxFrames = 20

// frames returns the lines of an error's stack in the service's form, without those of the emulator's own code.
func frames(stack string) string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(stack) {
		line = strings.TrimSpace(strings.ToValidUTF8(line, "\ufffd"))
		call, isFrame := strings.CutPrefix(line, "at ")
		if !isFrame || strings.Contains(line, preludeName) || !strings.HasSuffix(line, ")") ||
			strings.HasSuffix(line, "(native)") {
			continue
		}
		if n++; n > maxFrames {
			break
		}
		if anonymous, ok := strings.CutPrefix(call, "<anonymous> "); ok {
			call = "Anonymous function " + anonymous
		}
		b.WriteString("\n   at " + call)
	}
	return b.String()
}
