package cloudwatch

import (
	"cmp"
	"fmt"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/constraint"
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

// internalError is the answer to a fault of the emulator's own or, with a text, of its disk.
func internalError(text string) *Error {
	return &Error{http.StatusInternalServerError, "InternalServiceFault", "InternalServiceError", cmp.Or(text, "The request failed for a reason of the emulator's own.")}
}

func tooMuchWork() *Error {
	return validationError("The request needs more data points than one request may: ask for fewer metrics, a shorter time or longer periods.")
}

// failed is the answer to a member that breaks a constraint.
func failed(check func(f *constraint.Failures)) *Error {
	var f constraint.Failures
	check(&f)
	return validationError("%s", f.Message())
}

// constraintError is the answer to a value that a member must not have.
func constraintError(value, member, rule string) *Error {
	return failed(func(f *constraint.Failures) { f.Add(member, value, rule) })
}

func mustNotBeNull(member string) *Error {
	return failed(func(f *constraint.Failures) { f.Required(false, member) })
}
