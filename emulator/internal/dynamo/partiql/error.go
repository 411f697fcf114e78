package partiql

import "fmt"

// Error is the service's error about a statement: the message of a ValidationException.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

func errorf(format string, args ...any) *Error { return &Error{fmt.Sprintf(format, args...)} }

// at returns an error about the token at a position.
func at(p Position, format string, args ...any) *Error {
	return errorf("%s at %d:%d:%d", fmt.Sprintf(format, args...), p.Line, p.Column, p.Length)
}

// notWellFormed returns a syntax error. The service reports invalid tokens without a detail.
func notWellFormed(detail string) *Error {
	return errorf("Statement wasn't well formed, can't be processed: %s", detail)
}
