package script

import (
	"errors"
	"strings"

	"github.com/dop251/goja"
)

// Reason is why a script failed.
type Reason uint8

// The reasons.
const (
	Threw    Reason = iota // it threw, or used what it must not
	Unusable               // it cannot be compiled
	TooLong                // it took longer than MaxTime
	TooLarge               // it took more memory than MaxGrowth
)

// Error is the failure of a script. Whatever the script did to items is to be undone.
type Error struct {
	Reason Reason
	// Number is the number of the error that was thrown, as in new Error(404, "…"); 0: it has none.
	Number int
	// Message is what the service says, such as: Encountered exception while executing function. Exception = Error: ….
	Message string
	// Log is what console.log wrote before.
	Log string
}

func (e *Error) Error() string { return e.Message }

// StatusError is the failure of an operation on a Collection that the script may handle: callbacks get it as their error,
// with number and body.
type StatusError struct {
	Status  int
	Message string
}

func (e *StatusError) Error() string { return e.Message }

// ErrNoFunction is a function that the container has not.
var ErrNoFunction = errors.New("there is no such user-defined function")

// The values with which a script is interrupted.
var (
	errTime   = errors.New("the script exceeded its execution time")
	errMemory = errors.New("the script exceeded its memory")
	errAbort  = errors.New("the script aborted itself")
)

func unusable(text string) *Error {
	return &Error{Reason: Unusable, Message: "Encountered exception while compiling Javascript. Exception = SyntaxError: " + text}
}

// failure is what became of a script that ended in an error of the engine.
func (s *session) failure(err error) error {
	var interrupted *goja.InterruptedError
	var thrown *goja.Exception
	switch {
	case errors.As(err, &interrupted):
		return s.interrupted(interrupted)
	case errors.As(err, &thrown):
		return s.thrown(thrown)
	}
	var overflow *goja.StackOverflowError
	if errors.As(err, &overflow) {
		return s.threw("RangeError: Maximum call stack size exceeded", "", 0)
	}
	return err
}

func (s *session) interrupted(err *goja.InterruptedError) error {
	switch cause := err.Unwrap(); {
	case cause == errAbort:
		return s.aborted
	case cause == errMemory:
		return &Error{Reason: TooLarge, Message: exception("Error: Out of memory", ""), Log: s.log.String()}
	case cause == errTime:
		return &Error{Reason: TooLong, Log: s.log.String(),
			Message: "The requested operation exceeded maximum alloted time. Learn more: https://aka.ms/cosmosdb-tsg-service-request-timeout"}
	default:
		return cause
	}
}

// thrown is an exception that nothing caught.
func (s *session) thrown(ex *goja.Exception) error {
	if s.fatal != nil { // an error of the emulator's own went through the script
		return s.fatal
	}
	text, number := s.describe(ex.Value())
	return s.threw(text, stack(ex), number)
}

func (s *session) threw(text, stack string, number int) *Error {
	return &Error{Reason: Threw, Number: number, Message: exception(text, stack), Log: s.log.String()}
}

func exception(text, stack string) string {
	return "Encountered exception while executing function. Exception = " + text + "\r\nStack trace: " + text + stack
}

// describe is a thrown value in words, and the number that it has. What the script has it do there may throw too.
func (s *session) describe(v goja.Value) (text string, number int) {
	text = "Error"
	_ = s.rt.Try(func() {
		if o, ok := v.(*goja.Object); ok {
			if n := o.Get("number"); n != nil && goja.IsNumber(n) {
				number = int(n.ToInteger())
			}
		}
		text = v.String()
	})
	if number < 0 || number > 0xFFFF {
		number = 0
	}
	return clip(text), number
}

const maxMessage = 4096

func clip(text string) string {
	if len(text) > maxMessage {
		return strings.ToValidUTF8(text[:maxMessage], "") + "…"
	}
	return text
}

const maxFrames = 20

func stack(ex *goja.Exception) string {
	var b strings.Builder
	n := 0
	for _, f := range ex.Stack() {
		if source := f.SrcName(); source == "" || source == "<native>" || source == guardName || source == apiName {
			continue
		}
		if n++; n > maxFrames {
			break
		}
		name := f.FuncName()
		if name == "" || name == "<anonymous>" {
			name = "Anonymous function"
		}
		b.WriteString("\n   at " + name + " (" + f.Position().String() + ")")
	}
	return b.String()
}
