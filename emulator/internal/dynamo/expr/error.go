package expr

import (
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Error is the service's error about an expression: the message of a ValidationException.
type Error struct {
	Message string

	// Runtime means that the error depends on the item. The newer operations prefix the other messages with "1
	// validation error detected: ", but not these.
	Runtime bool

	// LegacyDetail ends the message of operations with the older validation; the others do not have it.
	LegacyDetail string
}

func (e *Error) Error() string { return e.Message }

// errorf returns an error that depends on the request alone.
func errorf(format string, args ...any) *Error {
	return &Error{Message: fmt.Sprintf(format, args...)}
}

// invalidf returns an error about the text of a parameter; without a parameter its message has no prefix.
func (p Parameter) invalidf(format string, args ...any) *Error {
	if p == "" {
		return errorf(format, args...)
	}
	return errorf("Invalid %s: %s", p, fmt.Sprintf(format, args...))
}

// tooLong returns the error for an expression of too many bytes. Operations with the older validation report how many,
// but not of an UpdateExpression. (paritysuite/dynamodb-conformance, ten regions, 2026-10-09; floci, 2026-09-12.)
func (p Parameter) tooLong(size int) *Error {
	err := p.invalidf("Expression size has exceeded the maximum allowed size;")
	if p != UpdateExpression {
		err.LegacyDetail = fmt.Sprintf(" expression size: %d", size)
	}
	return err
}

// parameterValues is the beginning of many of the service's messages.
const parameterValues = "One or more parameter values were invalid: "

// The errors of an update that depend on the item. They are functions so that nobody can change a shared value.
func errMissing() *Error {
	return &Error{Message: "The provided expression refers to an attribute that does not exist in the item", Runtime: true}
}

func errPath() *Error {
	return &Error{Message: "The document path provided in the update expression is invalid for update", Runtime: true}
}

func errOperand() *Error {
	return &Error{Message: "An operand in the update expression has an incorrect data type", Runtime: true}
}

func errTooLarge() *Error {
	return &Error{Message: "Item size to update has exceeded the maximum allowed size", Runtime: true}
}

func errUpdateType() *Error {
	return &Error{Message: "Type mismatch for attribute to update", Runtime: true}
}

// describe returns a value as messages show it: AttributeValue: {S:text}.
func describe(v item.Value) string {
	if t := v.Type(); t == item.String || t == item.Number {
		return fmt.Sprintf("AttributeValue: {%s:%s}", t, v.Bytes())
	}
	return fmt.Sprintf("AttributeValue: %s", v.AppendJSON(nil))
}
