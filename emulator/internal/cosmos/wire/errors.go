package wire

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
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
	// Page replaces code and message in the answer: what is in front of the service refuses in HTML; empty: it is not.
	Page string
	// More are members of the body beside code and message, such as additionalErrorInfo.
	More []doc.Member
}

func (e *Error) Error() string {
	return strconv.Itoa(e.Status) + " " + e.Code + ": " + e.Message
}

// Body is the error as JSON, or its page.
func (e *Error) Body() []byte {
	if e.Page != "" {
		return []byte(e.Page)
	}
	members := append([]doc.Member{
		{Name: "code", Value: doc.String(e.Code)},
		{Name: "message", Value: doc.String(e.Message)},
	}, e.More...)
	return doc.Append(nil, doc.Object(members...))
}

// BadRequest is an input that cannot be. The SDKs of some languages look into its message, so it is the service's own
// where that is known.
func BadRequest(format string, args ...any) *Error {
	return &Error{Status: http.StatusBadRequest, Code: "BadRequest", Message: fmt.Sprintf(format, args...)}
}

// InvalidInput is BadRequest in the words that the service has for headers and values.
func InvalidInput(format string, args ...any) *Error {
	return BadRequest("One of the input values is invalid. "+format, args...)
}

// ServiceError is BadRequest in the form that the service's back end has, as a list of messages.
func ServiceError(format string, args ...any) *Error {
	list := doc.Object(doc.Member{Name: "Errors", Value: doc.Array(doc.String(fmt.Sprintf(format, args...)))})
	return BadRequest("Message: %s", list.JSON())
}

// Unauthorized is a request without a valid token: 401.
func Unauthorized(format string, args ...any) *Error {
	return &Error{Status: http.StatusUnauthorized, Code: "Unauthorized", Message: fmt.Sprintf(format, args...)}
}

// Forbidden is a request that the service knows and refuses: 403.
func Forbidden(format string, args ...any) *Error {
	return &Error{Status: http.StatusForbidden, Code: "Forbidden", Message: fmt.Sprintf(format, args...)}
}

// NotFound is a resource that is not there. An owner that is not there has substatus 1003 (OwnerNotFound).
func NotFound(id string) *Error {
	return &Error{Status: http.StatusNotFound, Code: "NotFound",
		Message: fmt.Sprintf("Entity with the specified id does not exist in the system. ResourceId: %s", id)}
}

const SubstatusOwner = 1003

// OwnerNotFound is a resource whose database, container or user is not there: 404, substatus 1003.
func OwnerNotFound() *Error {
	return &Error{Status: http.StatusNotFound, Substatus: SubstatusOwner, Code: "NotFound", Message: "Owner resource does not exist"}
}

// InvalidContinuation is a continuation token that this query of this container did not give.
func InvalidContinuation() *Error { return BadRequest("Invalid Continuation Token") }

// Conflict is a resource whose id is taken: 409.
func Conflict() *Error {
	return &Error{Status: http.StatusConflict, Code: "Conflict", Message: "Resource with specified id or name already exists."}
}

// ItemExists is an item whose id, or one of whose unique keys, another item of its partition has: the service tells
// them apart in no way (recorded from a live account, in October 2026).
func ItemExists() *Error {
	return &Error{Status: http.StatusConflict, Code: "Conflict", Message: "Entity with the specified id already exists in the system."}
}

// PreconditionFailed is an etag that is not the resource's: 412.
func PreconditionFailed() *Error {
	return &Error{Status: http.StatusPreconditionFailed, Code: "PreconditionFailed", Message: "One of the specified pre-condition is not met."}
}

// TooLarge is a request beyond the limits; its text ends its line, behind which the service's own goes on.
func TooLarge() *Error {
	return &Error{Status: http.StatusRequestEntityTooLarge, Code: "RequestEntityTooLarge",
		Message: "Message: " + ErrorsText("Request size is too large") + "\r\n"}
}

// MethodNotAllowed is an operation that a resource does not have: 405.
func MethodNotAllowed() *Error {
	return &Error{Status: http.StatusMethodNotAllowed, Code: "MethodNotAllowed", Message: "The requested verb is not supported"}
}

// InternalError is a fault of the emulator's own: 500.
func InternalError() *Error {
	return &Error{Status: http.StatusInternalServerError, Code: "InternalServerError", Message: "Unknown server error occurred when processing this request."}
}

// StorageUnavailable is the answer when the disk does not take or give what a request needs: the cause is told, for
// whoever runs the emulator can do something about it.
func StorageUnavailable(text string) *Error {
	e := Unavailable()
	e.Message = text
	return e
}

// Unavailable is a service that cannot answer now: 503.
func Unavailable() *Error {
	return &Error{Status: http.StatusServiceUnavailable, Code: "ServiceUnavailable", Message: "Service is currently unavailable, please retry after a while."}
}

// RetryWith is a write that others' writes kept undoing ("HTTP status codes for Azure Cosmos DB": 449, safe to try
// again; the words as users of the service quote them, such as Azure/azure-cosmosdb-spark#196).
func RetryWith() *Error {
	return &Error{Status: StatusRetryWith, Code: "449",
		Message: "Message: " + ErrorsText("Conflicting request to resource has been attempted. Retry to avoid conflicts.")}
}

// StatusRetryWith is a status that net/http does not know.
const StatusRetryWith = 449

// TooManyRequests is a request beyond the throughput; its substatus 3200 says that it was the user's own.
func TooManyRequests(after time.Duration) *Error {
	return &Error{Status: http.StatusTooManyRequests, Substatus: 3200, Code: "429", RetryAfter: after,
		Message: "Request rate is large. More Request Units may be needed, so no changes were made. Please retry this request later. Learn more: http://aka.ms/cosmosdb-error-429"}
}

// The substatuses of a partition key that is not as the container has it.
const (
	SubstatusKeyMismatch = 1001
	substatusWrongOwner  = 1024
)

// KeyMismatch is a partition key that is not the document's: 400, substatus 1001.
func KeyMismatch() *Error {
	e := BadRequest("PartitionKey extracted from document doesn't match the one specified in the header. Learn more: https://aka.ms/CosmosDB/sql/errors/wrong-pk-value")
	e.Substatus = SubstatusKeyMismatch
	return e
}

// WrongOwner is a container that was deleted and made again since the client saw it: 400, substatus 1024.
func WrongOwner() *Error {
	e := BadRequest("Collection rid in the header does not match the collection rid in the request.")
	e.Substatus = substatusWrongOwner
	return e
}

// FirstError is err, or else an error of the service.
func FirstError(err error, own *Error) error {
	if err != nil {
		return err
	}
	return own
}

// OneOf reports whether a word is one of some, in whatever case.
func OneOf(text string, all ...string) bool {
	return slices.ContainsFunc(all, func(s string) bool { return strings.EqualFold(s, text) })
}

// BusyFor is when a client may try again whose query found no memory: about as long as queries hold theirs.
const BusyFor = 500 * time.Millisecond

// substatusRangeGone tells SDKs to read the physical partitions again.
const substatusRangeGone = 1002

// RangeGone is a physical partition that was split: 410.
func RangeGone() *Error {
	return &Error{Status: http.StatusGone, Substatus: substatusRangeGone, Code: "Gone", Message: "The requested resource is no longer available at the server."}
}

// InsufficientPermissions is a token that does not allow the request: 403.
func InsufficientPermissions() *Error {
	return Forbidden("Insufficient permissions provided in the authorization header for the corresponding request. Please retry with another authorization header.")
}

// MissingProperties is a body without properties that it must have.
func MissingProperties(names ...string) *Error {
	return BadRequest("The input content is invalid because the required properties - '%s; ' - are missing", strings.Join(names, "; "))
}

// IsOneOf reports whether a word is one of some that stand apart by spaces, in whatever case.
func IsOneOf(word, words string) bool {
	for one := range strings.FieldsSeq(words) {
		if strings.EqualFold(one, word) {
			return true
		}
	}
	return false
}

// ErrorsText is a message as the service puts it into others: {"Errors":["…"]}.
func ErrorsText(message string) string {
	return doc.Object(doc.Member{Name: "Errors", Value: doc.Array(doc.String(message))}).JSON()
}
