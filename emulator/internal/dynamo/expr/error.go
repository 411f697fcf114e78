package expr

import (
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Error is what the service says of an expression: the text of a ValidationException.
type Error struct {
	Message string

	// Runtime is true where it took an item to see the error. The newer operations put every other message
	// behind "1 validation error detected: " and leave these as they are.
	Runtime bool
}

func (e *Error) Error() string { return e.Message }

// errorf is an error that the request alone shows.
func errorf(format string, args ...any) *Error {
	return &Error{Message: fmt.Sprintf(format, args...)}
}

// invalidf is an error in the text of a parameter.
func (p Parameter) invalidf(format string, args ...any) *Error {
	return errorf("Invalid %s: %s", p, fmt.Sprintf(format, args...))
}

// parameterValues begins many messages of the service.
const parameterValues = "One or more parameter values were invalid: "

// The errors of an update that an item shows. They are functions, for nobody to change a shared value.
func errMissing() *Error {
	return &Error{"The provided expression refers to an attribute that does not exist in the item", true}
}

func errPath() *Error {
	return &Error{"The document path provided in the update expression is invalid for update", true}
}

func errOperand() *Error {
	return &Error{"An operand in the update expression has an incorrect data type", true}
}

func errTooLarge() *Error {
	return &Error{"Item size to update has exceeded the maximum allowed size", true}
}

func errUpdateType() *Error { return &Error{"Type mismatch for attribute to update", true} }

// describe is how messages show a value: AttributeValue: {S:text}.
func describe(v item.Value) string {
	if t := v.Type(); t == item.String || t == item.Number {
		return fmt.Sprintf("AttributeValue: {%s:%s}", t, v.Bytes())
	}
	return fmt.Sprintf("AttributeValue: %s", v.AppendJSON(nil))
}
