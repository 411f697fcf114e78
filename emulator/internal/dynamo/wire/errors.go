package wire

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

	EmptyKey bool // a key attribute without a value, which refuses a whole transaction before it is tried

	Item    item.Value           // the item that failed a condition, where it was asked for
	Reasons []CancellationReason // of a cancelled transaction

	Throttling []ThrottlingReason // of a request beyond the capacity
}

// Name is the type without its namespace.
func (e *Error) Name() string {
	_, name, _ := strings.Cut(e.Type, "#")
	return name
}

func (e *Error) Error() string { return e.Type + ": " + e.Message }

// The namespaces of the service's error types.
const (
	CoralService  = "com.amazon.coral.service#"
	coralValidate = "com.amazon.coral.validate#"
	Dynamodb2012  = "com.amazonaws.dynamodb.v20120810#"
)

// ServiceError is an error in the name space of all AWS services.
func ServiceError(name, message string) *Error {
	return &Error{Status: 400, Type: CoralService + name, Message: message}
}

// DynamoError is an error in DynamoDB's own name space.
func DynamoError(name, message string) *Error {
	return &Error{Status: 400, Type: Dynamodb2012 + name, Message: message}
}

// ValidationError is a ValidationException.
func ValidationError(message string) *Error {
	return &Error{Status: 400, Type: coralValidate + "ValidationException", Message: message}
}

// EmptyKeyError is about a key attribute, of a table or an index, that is empty.
func EmptyKeyError(message string) *Error {
	e := ValidationError("One or more parameter values are not valid. " + message)
	e.EmptyKey = true
	return e
}

// Envelope is what stands before the message of a request that failed its validation, in the families of
// operations that have it.
const Envelope = "1 validation error detected: "

// ParameterError is a ValidationException about values that do not fit.
func ParameterError(message string) *Error {
	return ValidationError("One or more parameter values were invalid: " + message)
}

// SerializationError is the error of a body that is not what the operation reads.
func SerializationError(message string) *Error {
	return ServiceError("SerializationException", message)
}

// TableNotFound is what operations on items say of a table that is not there.
func TableNotFound() *Error {
	return DynamoError("ResourceNotFoundException", "Requested resource not found")
}

// NamedTableNotFound is what operations on tables say of it.
func NamedTableNotFound(name string) *Error {
	return DynamoError("ResourceNotFoundException", "Requested resource not found: Table: "+name+" not found")
}

const ConditionalCheckFailed = "ConditionalCheckFailedException"

// ConditionFailed carries the item if the request asked for it.
func ConditionFailed(old item.Value) *Error {
	e := DynamoError(ConditionalCheckFailed, "The conditional request failed")
	e.Item = old
	return e
}

// Stopped is the answer when the disk does not take or give what a request needs: the cause is told, for whoever runs
// the emulator can do something about it.
func Stopped(text string) *Error {
	e := InternalError()
	e.Message = text
	return e
}

// InternalError is the answer to a fault of the emulator.
func InternalError() *Error {
	return &Error{Status: 500, Type: Dynamodb2012 + "InternalServerError", Message: "The request processing has failed because of an unknown error, exception or failure."}
}

// BudgetError is the answer to a request that its budget ended, nil for any other error. The service has no words for
// work that its own limits keep small, so those are ours; what waits for memory is throttled, and clients try again.
// Nobody reads the answer of a client that left.
func BudgetError(err error, operation string) *Error {
	switch {
	case errors.Is(err, budget.ErrSteps), errors.Is(err, budget.ErrBytes), errors.Is(err, budget.ErrTime):
		return ValidationError("The request takes more work than the emulator allows one request; ask for less at once, with fewer attributes, conditions or items")
	case errors.Is(err, budget.ErrBusy):
		return BusyError(operation)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return InternalError()
	}
	return nil
}

// messageKey is how the body calls its message: the service has it both ways.
func (e *Error) messageKey() string {
	switch e.Type {
	case CoralService + "SerializationException", CoralService + "AccessDeniedException", Dynamodb2012 + "TransactionCanceledException":
		return "Message"
	}
	return "message"
}

// AppendJSON writes the body of the answer.
func (e *Error) AppendJSON(dst []byte) []byte {
	dst = jsonwrite.AppendString(append(dst, `{"__type":`...), e.Type)
	if e.Message != "" {
		dst = append(append(append(dst, `,"`...), e.messageKey()...), `":`...)
		dst = jsonwrite.AppendString(dst, e.Message)
	}
	if e.Item != nil {
		dst = e.Item.AppendItem(append(dst, `,"Item":`...))
	}
	if e.Reasons != nil {
		dst = appendReasons(append(dst, `,"CancellationReasons":`...), e.Reasons)
	}
	if e.Throttling != nil {
		dst = e.appendThrottling(dst)
	}
	return append(dst, '}')
}

// CancellationReason says why one member of a transaction stopped it, or did not.
type CancellationReason struct {
	Code, Message string
	Item          item.Value // that failed its condition, where it was asked for
}

func appendReasons(dst []byte, reasons []CancellationReason) []byte {
	dst = append(dst, '[')
	for i, r := range reasons {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonwrite.AppendString(append(dst, `{"Code":`...), r.Code)
		if r.Item != nil {
			dst = r.Item.AppendItem(append(dst, `,"Item":`...))
		}
		if r.Message != "" {
			dst = jsonwrite.AppendString(append(dst, `,"Message":`...), r.Message)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}
