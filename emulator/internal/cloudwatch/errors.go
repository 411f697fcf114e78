package cloudwatch

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// Error is an answer that is an error. One constructor each makes them.
type Error struct {
	Status  int    // of HTTP
	Shape   string // its name in CBOR and JSON
	Code    string // its name in the query protocol
	Message string
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// fault is whose fault it is.
func (e *Error) fault() string {
	if e.Status >= 500 {
		return "Receiver"
	}
	return "Sender"
}

// throttled is the answer to a request beyond what may be under way. SDKs try it again.
func throttled() *Error {
	return &Error{http.StatusBadRequest, "ThrottlingException", "Throttling", "Rate exceeded"}
}

// member is the name of the message in CBOR and JSON: the service's model has it in both ways.
func (e *Error) member() string {
	if e.Shape == "InternalServiceFault" {
		return "Message"
	}
	return "message"
}

func validationError(format string, args ...any) *Error {
	return &Error{http.StatusBadRequest, "ValidationException", "ValidationError", fmt.Sprintf(format, args...)}
}

func invalidValue(format string, args ...any) *Error {
	return &Error{http.StatusBadRequest, "InvalidParameterValueException", "InvalidParameterValue", fmt.Sprintf(format, args...)}
}

func invalidCombination(format string, args ...any) *Error {
	return &Error{http.StatusBadRequest, "InvalidParameterCombinationException", "InvalidParameterCombination", fmt.Sprintf(format, args...)}
}

func missing(member string) *Error {
	return &Error{http.StatusBadRequest, "MissingRequiredParameterException", "MissingParameter", "The parameter " + member + " is required."}
}

func notFound(format string, args ...any) *Error {
	return &Error{http.StatusNotFound, "ResourceNotFound", "ResourceNotFound", fmt.Sprintf(format, args...)}
}

func noSuchResource(arn string) *Error {
	return &Error{http.StatusNotFound, "ResourceNotFoundException", "ResourceNotFoundException", "The resource " + arn + " does not exist."}
}

func invalidFormat(format string, args ...any) *Error {
	return &Error{http.StatusBadRequest, "InvalidFormatFault", "InvalidFormat", fmt.Sprintf(format, args...)}
}

func invalidToken() *Error {
	return &Error{http.StatusBadRequest, "InvalidNextToken", "InvalidNextToken", "The next token is not one that this operation gave."}
}

func limitExceeded(format string, args ...any) *Error {
	return &Error{http.StatusBadRequest, "LimitExceededFault", "LimitExceeded", fmt.Sprintf(format, args...)}
}

func malformed(err error) *Error {
	return &Error{http.StatusBadRequest, "SerializationException", "MalformedInput", fmt.Sprintf("The request could not be read: %v.", err)}
}

func unknownOperation(name string) *Error {
	return &Error{http.StatusBadRequest, "UnknownOperationException", "InvalidAction", fmt.Sprintf("The operation %q is not one that this emulator of CloudWatch has.", name)}
}

// unavailable is the answer when the disk does not take or give what a request needs.
func unavailable(text string) *Error {
	e := internalError()
	e.Message = text
	return e
}

func internalError() *Error {
	return &Error{http.StatusInternalServerError, "InternalServiceFault", "InternalServiceError", "The request failed for a reason of the emulator's own."}
}

// budgetError is the answer to a request that its budget ended, nil for any other error. The service documents no bound of
// work, so those words are ours; what waits for memory is throttled, and SDKs try it again. Nobody reads the answer of a
// client that left.
func budgetError(err error) *Error {
	switch {
	case errors.Is(err, budget.ErrSteps), errors.Is(err, budget.ErrBytes), errors.Is(err, budget.ErrTime):
		return validationError("The request needs more data points than one request may: ask for fewer metrics, a shorter time or longer periods.")
	case errors.Is(err, budget.ErrBusy):
		return throttled()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return internalError()
	}
	return nil
}

// constraint is the service's own form of a value that does not fit.
func constraint(value, member, rule string) *Error {
	if value != "null" {
		value = "'" + value + "'"
	}
	return validationError("1 validation error detected: Value %s at '%s' failed to satisfy constraint: %s", value, member, rule)
}

func mustNotBeNull(member string) *Error {
	return constraint("null", member, "Member must not be null")
}
