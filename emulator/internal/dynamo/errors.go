package dynamo

import (
	"context"
	"errors"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// Error is an answer of the service that is an error. One constructor each makes them, appendJSON writes
// them.
type Error struct {
	Status  int    // of HTTP; 400 for all that the caller can mend
	Type    string // with its namespace, as in __type
	Message string // left out when empty

	emptyKey bool // a key attribute without a value, which refuses a whole transaction before it is tried

	item    item.Value           // the item that failed a condition, where it was asked for
	reasons []cancellationReason // of a cancelled transaction

	throttling []throttlingReason // of a request beyond the capacity
}

// name is the type without its namespace.
func (e *Error) name() string {
	_, name, _ := strings.Cut(e.Type, "#")
	return name
}

func (e *Error) Error() string { return e.Type + ": " + e.Message }

// The namespaces of the service's error types.
const (
	coralService  = "com.amazon.coral.service#"
	coralValidate = "com.amazon.coral.validate#"
	dynamodb2012  = "com.amazonaws.dynamodb.v20120810#"
)

func serviceError(name, message string) *Error {
	return &Error{Status: 400, Type: coralService + name, Message: message}
}

func dynamoError(name, message string) *Error {
	return &Error{Status: 400, Type: dynamodb2012 + name, Message: message}
}

func validationError(message string) *Error {
	return &Error{Status: 400, Type: coralValidate + "ValidationException", Message: message}
}

// emptyKeyError is about a key attribute, of a table or an index, that is empty.
func emptyKeyError(message string) *Error {
	e := validationError("One or more parameter values are not valid. " + message)
	e.emptyKey = true
	return e
}

// envelope is what stands before the message of a request that failed its validation, in the families of
// operations that have it.
const envelope = "1 validation error detected: "

// parameterError is a ValidationException about values that do not fit.
func parameterError(message string) *Error {
	return validationError("One or more parameter values were invalid: " + message)
}

func serializationError(message string) *Error {
	return serviceError("SerializationException", message)
}

// tableNotFound is what operations on items say of a table that is not there.
func tableNotFound() *Error {
	return dynamoError("ResourceNotFoundException", "Requested resource not found")
}

// namedTableNotFound is what operations on tables say of it.
func namedTableNotFound(name string) *Error {
	return dynamoError("ResourceNotFoundException", "Requested resource not found: Table: "+name+" not found")
}

const conditionalCheckFailed = "ConditionalCheckFailedException"

// conditionFailed carries the item if the request asked for it.
func conditionFailed(old item.Value) *Error {
	e := dynamoError(conditionalCheckFailed, "The conditional request failed")
	e.item = old
	return e
}

// stopped is the answer when the disk does not take or give what a request needs: the cause is told, for whoever runs the
// emulator can do something about it.
func stopped(text string) *Error {
	e := internalError()
	e.Message = text
	return e
}

func internalError() *Error {
	return &Error{Status: 500, Type: dynamodb2012 + "InternalServerError", Message: "The request processing has failed because of an unknown error, exception or failure."}
}

// budgetError is the answer to a request that its budget ended, nil for any other error. The service has no words for work
// that its own limits keep small, so those are ours; what waits for memory is throttled, and clients try again. Nobody reads
// the answer of a client that left.
func budgetError(err error, operation string) *Error {
	switch {
	case errors.Is(err, budget.ErrSteps), errors.Is(err, budget.ErrBytes), errors.Is(err, budget.ErrTime):
		return validationError("The request takes more work than the emulator allows one request; ask for less at once, with fewer attributes, conditions or items")
	case errors.Is(err, budget.ErrBusy):
		return busyError(operation)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return internalError()
	}
	return nil
}

// messageKey is how the body calls its message: the service has it both ways.
func (e *Error) messageKey() string {
	switch e.Type {
	case coralService + "SerializationException", coralService + "AccessDeniedException", dynamodb2012 + "TransactionCanceledException":
		return "Message"
	}
	return "message"
}

// appendJSON writes the body of the answer.
func (e *Error) appendJSON(dst []byte) []byte {
	dst = jsonwrite.AppendString(append(dst, `{"__type":`...), e.Type)
	if e.Message != "" {
		dst = append(append(append(dst, `,"`...), e.messageKey()...), `":`...)
		dst = jsonwrite.AppendString(dst, e.Message)
	}
	if e.item != nil {
		dst = e.item.AppendItem(append(dst, `,"Item":`...))
	}
	if e.reasons != nil {
		dst = appendReasons(append(dst, `,"CancellationReasons":`...), e.reasons)
	}
	if e.throttling != nil {
		dst = e.appendThrottling(dst)
	}
	return append(dst, '}')
}

// cancellationReason says why one member of a transaction stopped it, or did not.
type cancellationReason struct {
	Code, Message string
	item          item.Value // that failed its condition, where it was asked for
}

func appendReasons(dst []byte, reasons []cancellationReason) []byte {
	dst = append(dst, '[')
	for i, r := range reasons {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonwrite.AppendString(append(dst, `{"Code":`...), r.Code)
		if r.item != nil {
			dst = r.item.AppendItem(append(dst, `,"Item":`...))
		}
		if r.Message != "" {
			dst = jsonwrite.AppendString(append(dst, `,"Message":`...), r.Message)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}
