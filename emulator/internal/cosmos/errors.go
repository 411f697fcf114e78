package cosmos

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// Error is an error as the service answers it.
type Error struct {
	Status    int
	Substatus int // 0: the header is not sent
	Code      string
	Message   string
	// RetryAfter is when the client may ask again; 0: it is not said.
	RetryAfter time.Duration
	// Page is sent in the place of code and message: what is in front of the service refuses in HTML; empty: it is not.
	Page string
	// More are members of the body beside code and message, such as additionalErrorInfo.
	More []doc.Member
}

func (e *Error) Error() string {
	return strconv.Itoa(e.Status) + " " + e.Code + ": " + e.Message
}

// body is the error as JSON, or its page.
func (e *Error) body() []byte {
	if e.Page != "" {
		return []byte(e.Page)
	}
	members := append([]doc.Member{
		{Name: "code", Value: doc.String(e.Code)},
		{Name: "message", Value: doc.String(e.Message)},
	}, e.More...)
	return doc.Append(nil, doc.Object(members...))
}

// badRequest is an input that cannot be. The SDKs of some languages look into its message, so it is the service's own where
// that is known.
func badRequest(format string, args ...any) *Error {
	return &Error{Status: http.StatusBadRequest, Code: "BadRequest", Message: fmt.Sprintf(format, args...)}
}

// invalidInput is badRequest in the words that the service has for headers and values.
func invalidInput(format string, args ...any) *Error {
	return badRequest("One of the input values is invalid. "+format, args...)
}

// serviceError is badRequest in the form that the service's back end has, as a list of messages.
func serviceError(format string, args ...any) *Error {
	list := doc.Object(doc.Member{Name: "Errors", Value: doc.Array(doc.String(fmt.Sprintf(format, args...)))})
	return badRequest("Message: %s", list.JSON())
}

func unauthorized(format string, args ...any) *Error {
	return &Error{Status: http.StatusUnauthorized, Code: "Unauthorized", Message: fmt.Sprintf(format, args...)}
}

func forbidden(format string, args ...any) *Error {
	return &Error{Status: http.StatusForbidden, Code: "Forbidden", Message: fmt.Sprintf(format, args...)}
}

// notFound is a resource that is not there. An owner that is not there has substatus 1003 (ownerNotFound).
func notFound(id string) *Error {
	return &Error{Status: http.StatusNotFound, Code: "NotFound",
		Message: fmt.Sprintf("Entity with the specified id does not exist in the system. ResourceId: %s", id)}
}

const substatusOwner = 1003

func ownerNotFound() *Error {
	return &Error{Status: http.StatusNotFound, Substatus: substatusOwner, Code: "NotFound", Message: "Owner resource does not exist"}
}

// invalidContinuation is a continuation token that this query of this container did not give.
func invalidContinuation() *Error { return badRequest("Invalid Continuation Token") }

func conflict() *Error {
	return &Error{Status: http.StatusConflict, Code: "Conflict", Message: "Resource with specified id or name already exists."}
}

// itemExists is an item whose id, or one of whose unique keys, another item of its partition has: the service tells them
// apart in no way (recorded from a live account, in October 2026).
func itemExists() *Error {
	return &Error{Status: http.StatusConflict, Code: "Conflict", Message: "Entity with the specified id already exists in the system."}
}

func preconditionFailed() *Error {
	return &Error{Status: http.StatusPreconditionFailed, Code: "PreconditionFailed", Message: "One of the specified pre-condition is not met."}
}

// tooLarge is a request beyond the limits; its text ends its line, behind which the service's own goes on.
func tooLarge() *Error {
	return &Error{Status: http.StatusRequestEntityTooLarge, Code: "RequestEntityTooLarge",
		Message: "Message: " + errorsText("Request size is too large") + "\r\n"}
}

func methodNotAllowed() *Error {
	return &Error{Status: http.StatusMethodNotAllowed, Code: "MethodNotAllowed", Message: "The requested verb is not supported"}
}

func internalError() *Error {
	return &Error{Status: http.StatusInternalServerError, Code: "InternalServerError", Message: "Unknown server error occurred when processing this request."}
}

// storageUnavailable is the answer when the disk does not take or give what a request needs: the cause is told, for whoever runs the
// emulator can do something about it.
func storageUnavailable(text string) *Error {
	e := unavailable()
	e.Message = text
	return e
}

func unavailable() *Error {
	return &Error{Status: http.StatusServiceUnavailable, Code: "ServiceUnavailable", Message: "Service is currently unavailable, please retry after a while."}
}

// retryWith is a write that others' writes kept undoing ("HTTP status codes for Azure Cosmos DB": 449, safe to try again; the
// words as users of the service quote them, such as Azure/azure-cosmosdb-spark#196).
func retryWith() *Error {
	return &Error{Status: statusRetryWith, Code: "449",
		Message: "Message: " + errorsText("Conflicting request to resource has been attempted. Retry to avoid conflicts.")}
}

// statusRetryWith is a status that net/http does not know.
const statusRetryWith = 449

// tooManyRequests is a request beyond the throughput; its substatus 3200 says that it was the user's own.
func tooManyRequests(after time.Duration) *Error {
	return &Error{Status: http.StatusTooManyRequests, Substatus: 3200, Code: "429", RetryAfter: after,
		Message: "Request rate is large. More Request Units may be needed, so no changes were made. Please retry this request later. Learn more: http://aka.ms/cosmosdb-error-429"}
}

// The substatuses of a partition key that is not as the container has it.
const (
	substatusKeyMismatch = 1001
	substatusWrongOwner  = 1024
)

func keyMismatch() *Error {
	e := badRequest("PartitionKey extracted from document doesn't match the one specified in the header. Learn more: https://aka.ms/CosmosDB/sql/errors/wrong-pk-value")
	e.Substatus = substatusKeyMismatch
	return e
}

func wrongOwner() *Error {
	e := badRequest("Collection rid in the header does not match the collection rid in the request.")
	e.Substatus = substatusWrongOwner
	return e
}

// firstError is err, or else an error of the service.
func firstError(err error, own *Error) error {
	if err != nil {
		return err
	}
	return own
}
