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

// Error is an error response of the service.
type Error struct {
	Status    int
	Substatus int // 0: no header
	Code      string
	Message   string
	// RetryAfter is the delay after which the client may retry; 0: no header.
	RetryAfter time.Duration
	// Page is an HTML body that replaces code and message, as sent by the web server in front of the service; empty:
	// none.
	Page string
	// AdditionalMembers are additional members of the body, such as additionalErrorInfo.
	AdditionalMembers []doc.Member
}

func (e *Error) Error() string {
	return strconv.Itoa(e.Status) + " " + e.Code + ": " + e.Message
}

// Body returns the body of the response: JSON, or Page.
func (e *Error) Body() []byte {
	if e.Page != "" {
		return []byte(e.Page)
	}
	members := append([]doc.Member{
		{Name: "code", Value: doc.String(e.Code)},
		{Name: "message", Value: doc.String(e.Message)},
	}, e.AdditionalMembers...)
	return doc.Append(nil, doc.Object(members...))
}

// BadRequest returns the error for an invalid input: 400. Some SDKs inspect the message, so it is the service's own if
// that is known.
func BadRequest(format string, args ...any) *Error {
	return &Error{Status: http.StatusBadRequest, Code: "BadRequest", Message: fmt.Sprintf(format, args...)}
}

// InvalidInput is BadRequest with the service's prefix for headers and values.
func InvalidInput(format string, args ...any) *Error {
	return BadRequest("One of the input values is invalid. "+format, args...)
}

// ServiceError is BadRequest in the form of the service's back end, a list of messages.
func ServiceError(format string, args ...any) *Error {
	list := doc.Object(doc.Member{Name: "Errors", Value: doc.Array(doc.String(fmt.Sprintf(format, args...)))})
	return BadRequest("Message: %s", list.JSON())
}

// Unauthorized returns the error for a request without a valid token: 401.
func Unauthorized(format string, args ...any) *Error {
	return &Error{Status: http.StatusUnauthorized, Code: "Unauthorized", Message: fmt.Sprintf(format, args...)}
}

// Forbidden returns the error for an authenticated request that is not allowed: 403.
func Forbidden(format string, args ...any) *Error {
	return &Error{Status: http.StatusForbidden, Code: "Forbidden", Message: fmt.Sprintf(format, args...)}
}

// TokenExpired returns the error for an authorization token that has expired: 403.
func TokenExpired(expiry, now time.Time) *Error {
	return Forbidden("The authorization token is not valid at the current time. Please create another token and retry. token expiry time: %s, current server time: %s.",
		expiry.UTC().Format(http.TimeFormat), now.UTC().Format(http.TimeFormat))
}

// NotFound returns the error for a resource that does not exist: 404. For a missing parent, see OwnerNotFound.
func NotFound(id string) *Error {
	return &Error{Status: http.StatusNotFound, Code: "NotFound",
		Message: fmt.Sprintf("Entity with the specified id does not exist in the system. ResourceId: %s", id)}
}

const SubstatusOwnerNotFound = 1003

// OwnerNotFound returns the error for a resource whose database, container or user does not exist: 404, substatus 1003.
func OwnerNotFound() *Error {
	return &Error{Status: http.StatusNotFound, Substatus: SubstatusOwnerNotFound, Code: "NotFound",
		Message: "Owner resource does not exist"}
}

// InvalidContinuation returns the error for a continuation token of another query or container.
func InvalidContinuation() *Error { return BadRequest("Invalid Continuation Token") }

// Conflict returns the error for a resource whose id is in use: 409.
func Conflict() *Error {
	return &Error{Status: http.StatusConflict, Code: "Conflict",
		Message: "Resource with specified id or name already exists."}
}

// ItemExists returns the error for an item whose id or unique key another item of its partition has: 409. The service
// does not distinguish the two (recorded from a live account in October 2026).
func ItemExists() *Error {
	return &Error{Status: http.StatusConflict, Code: "Conflict",
		Message: "Entity with the specified id already exists in the system."}
}

// PreconditionFailed returns the error for an ETag that does not match: 412.
func PreconditionFailed() *Error {
	return &Error{Status: http.StatusPreconditionFailed, Code: "PreconditionFailed",
		Message: "One of the specified pre-condition is not met."}
}

// TooLarge returns the error for a request beyond the limits: 413. Its message ends with a line break, after which the
// service adds its own lines.
func TooLarge() *Error {
	return &Error{Status: http.StatusRequestEntityTooLarge, Code: "RequestEntityTooLarge",
		Message: "Message: " + ErrorsText("Request size is too large") + "\r\n"}
}

// MethodNotAllowed returns the error for an operation that a resource does not support: 405.
func MethodNotAllowed() *Error {
	return &Error{Status: http.StatusMethodNotAllowed, Code: "MethodNotAllowed",
		Message: "The requested verb is not supported"}
}

// InternalError returns the error for a failure of the emulator itself: 500.
func InternalError() *Error {
	return &Error{Status: http.StatusInternalServerError, Code: "InternalServerError",
		Message: "Unknown server error occurred when processing this request."}
}

// StorageUnavailable returns the error for a failing disk: 503. It contains the cause, so that the user of the emulator
// can fix it.
func StorageUnavailable(text string) *Error {
	e := Unavailable()
	e.Message = text
	return e
}

// Unavailable returns the error for a service that is temporarily unavailable: 503.
func Unavailable() *Error {
	return &Error{Status: http.StatusServiceUnavailable, Code: "ServiceUnavailable",
		Message: "Service is currently unavailable, please retry after a while."}
}

// RetryWith returns the error for a write that kept conflicting with other writes: 449 ("HTTP status codes for Azure
// Cosmos DB": safe to retry; the message as users of the service quote it, such as Azure/azure-cosmosdb-spark#196).
func RetryWith() *Error {
	return &Error{Status: StatusRetryWith, Code: "449",
		Message: "Message: " + ErrorsText("Conflicting request to resource has been attempted. Retry to avoid conflicts.")}
}

// StatusRetryWith is a status code that net/http does not define.
const StatusRetryWith = 449

// TooManyRequests returns the error for a throttled request: 429. Substatus 3200 means that the user's own throughput
// is exceeded.
func TooManyRequests(after time.Duration) *Error {
	return &Error{Status: http.StatusTooManyRequests, Substatus: 3200, Code: "429", RetryAfter: after,
		Message: "Request rate is large. More Request Units may be needed, so no changes were made. Please retry this request later. Learn more: http://aka.ms/cosmosdb-error-429"}
}

// The substatuses of requests with a wrong partition key or container.
const (
	SubstatusKeyMismatch       = 1001
	substatusContainerMismatch = 1024
)

// KeyMismatch returns the error for a partition key that differs from the document's: 400, substatus 1001.
func KeyMismatch() *Error {
	e := BadRequest("PartitionKey extracted from document doesn't match the one specified in the header. Learn more: https://aka.ms/CosmosDB/sql/errors/wrong-pk-value")
	e.Substatus = SubstatusKeyMismatch
	return e
}

// ContainerMismatch returns the error for a container that was deleted and created again since the client read it: 400,
// substatus 1024.
func ContainerMismatch() *Error {
	e := BadRequest("Collection rid in the header does not match the collection rid in the request.")
	e.Substatus = substatusContainerMismatch
	return e
}

// FirstError returns err if it is not nil, otherwise own.
func FirstError(err error, own *Error) error {
	if err != nil {
		return err
	}
	return own
}

// IsOneOf reports whether text equals one of all, ignoring case.
func IsOneOf(text string, all ...string) bool {
	return slices.ContainsFunc(all, func(s string) bool { return strings.EqualFold(s, text) })
}

// BusyRetryDelay is the retry delay for a query that found no memory: about as long as queries hold theirs.
const BusyRetryDelay = 500 * time.Millisecond

// substatusPartitionKeyRangeGone makes SDKs refresh the partition key ranges.
const substatusPartitionKeyRangeGone = 1002

// PartitionKeyRangeGone returns the error for a physical partition that was split: 410.
func PartitionKeyRangeGone() *Error {
	return &Error{Status: http.StatusGone, Substatus: substatusPartitionKeyRangeGone, Code: "Gone",
		Message: "The requested resource is no longer available at the server."}
}

// InsufficientPermissions returns the error for a token that does not allow the request: 403.
func InsufficientPermissions() *Error {
	return Forbidden("Insufficient permissions provided in the authorization header for the corresponding request. Please retry with another authorization header.")
}

// MissingProperties returns the error for a body without required properties.
func MissingProperties(names ...string) *Error {
	return BadRequest("The input content is invalid because the required properties - '%s; ' - are missing",
		strings.Join(names, "; "))
}

// IsWordIn reports whether word is one of words, which are separated by spaces, ignoring case.
func IsWordIn(word, words string) bool {
	for w := range strings.FieldsSeq(words) {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// ErrorsText returns a message in the form in which the service embeds it: {"Errors":["…"]}.
func ErrorsText(message string) string {
	return doc.Object(doc.Member{Name: "Errors", Value: doc.Array(doc.String(message))}).JSON()
}
