package cloudwatch

import (
	"cmp"
	"fmt"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/constraint"
)

// Error is an error response. Each kind has a constructor.
type Error struct {
	Status  int    // of HTTP
	Shape   string // its name in CBOR and JSON
	Code    string // its name in the query protocol
	Message string
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// fault returns whose fault the error is.
func (e *Error) fault() string {
	if e.Status >= 500 {
		return "Receiver"
	}
	return "Sender"
}

// throttled returns the error for a request beyond what may be in progress. SDKs retry it.
func throttled(string) *Error {
	return &Error{http.StatusBadRequest, "ThrottlingException", "Throttling", "Rate exceeded"}
}

// member returns the member of the message in CBOR and JSON: the service's model has it in two spellings.
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
	return &Error{http.StatusBadRequest, "InvalidParameterValueException", "InvalidParameterValue",
		fmt.Sprintf(format, args...)}
}

func invalidCombination(format string, args ...any) *Error {
	return &Error{http.StatusBadRequest, "InvalidParameterCombinationException", "InvalidParameterCombination",
		fmt.Sprintf(format, args...)}
}

func missing(member string) *Error {
	return &Error{http.StatusBadRequest, "MissingRequiredParameterException", "MissingParameter", "The parameter " +
		member + " is required."}
}

func notFound(format string, args ...any) *Error {
	return &Error{http.StatusNotFound, "ResourceNotFound", "ResourceNotFound", fmt.Sprintf(format, args...)}
}

func noSuchResource(arn string) *Error {
	return &Error{http.StatusNotFound, "ResourceNotFoundException", "ResourceNotFoundException", "The resource " + arn +
		" does not exist."}
}

func invalidFormat(format string, args ...any) *Error {
	return &Error{http.StatusBadRequest, "InvalidFormatFault", "InvalidFormat", fmt.Sprintf(format, args...)}
}

func invalidToken() *Error {
	return &Error{http.StatusBadRequest, "InvalidNextToken", "InvalidNextToken",
		"The next token is not one that this operation gave."}
}

func limitExceeded(format string, args ...any) *Error {
	return &Error{http.StatusBadRequest, "LimitExceededFault", "LimitExceeded", fmt.Sprintf(format, args...)}
}

func malformed(err error) *Error {
	return &Error{http.StatusBadRequest, "SerializationException", "MalformedInput",
		fmt.Sprintf("The request could not be read: %v.", err)}
}

func unknownOperation(name string) *Error {
	return &Error{http.StatusBadRequest, "UnknownOperationException", "InvalidAction",
		fmt.Sprintf("The operation %q is not one that this emulator of CloudWatch has.", name)}
}

// internalError returns the error for a failure of the emulator itself or, with a text, of its disk.
func internalError(text string) *Error {
	return &Error{http.StatusInternalServerError, "InternalServiceFault", "InternalServiceError",
		cmp.Or(text, "The request failed for a reason of the emulator's own.")}
}

func tooMuchWork() *Error {
	return validationError(
		"The request needs more data points than one request may: ask for fewer metrics, a shorter time or longer periods.")
}

// checkConstraints returns the error for a member that violates a constraint.
func checkConstraints(check func(f *constraint.Violations)) *Error {
	var f constraint.Violations
	check(&f)
	return validationError("%s", f.Message())
}

// constraintError returns the error for an invalid value of a member.
func constraintError(value, member, rule string) *Error {
	return checkConstraints(func(f *constraint.Violations) { f.Add(member, value, rule) })
}

func mustNotBeNull(member string) *Error {
	return checkConstraints(func(f *constraint.Violations) { f.Required(false, member) })
}
