package wire

import (
	"cmp"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// Error is an error response of the service. Each kind has a constructor, and AppendJSON writes the body.
type Error struct {
	Status  int    // the HTTP status; 400 for errors of the client
	Type    string // with its namespace, as in __type
	Message string // omitted if empty

	EmptyKey bool // a key attribute is empty, which fails a whole transaction before it is tried

	Item    item.Value           // the item that failed a condition, if requested
	Older   bool                 // the body is written as the older operations do, such as ExecuteStatement
	Reasons []CancellationReason // of a cancelled transaction

	Throttling []ThrottlingReason // of a request that exceeded the capacity
}

// Name returns the type without its namespace.
func (e *Error) Name() string {
	_, name, _ := strings.Cut(e.Type, "#")
	return name
}

func (e *Error) Error() string { return e.Type + ": " + e.Message }

// The namespaces of the service's error types.
const (
	CoralNamespace         = "com.amazon.coral.service#"
	coralValidateNamespace = "com.amazon.coral.validate#"
	DynamoNamespace        = "com.amazonaws.dynamodb.v20120810#"
)

// ServiceError returns an error in the namespace of all AWS services.
func ServiceError(name, message string) *Error {
	return &Error{Status: 400, Type: CoralNamespace + name, Message: message}
}

// DynamoError returns an error in DynamoDB's own namespace.
func DynamoError(name, message string) *Error {
	return &Error{Status: 400, Type: DynamoNamespace + name, Message: message}
}

// ValidationError returns a ValidationException.
func ValidationError(message string) *Error {
	return &Error{Status: 400, Type: coralValidateNamespace + "ValidationException", Message: message}
}

// EmptyKeyError returns the error for an empty key attribute of a table or an index.
func EmptyKeyError(message string) *Error {
	e := ValidationError("One or more parameter values are not valid. " + message)
	e.EmptyKey = true
	return e
}

// ValidationPrefix is the prefix of validation errors, in the error styles that have it.
const ValidationPrefix = "1 validation error detected: "

// ParameterError returns a ValidationException about invalid parameter values.
func ParameterError(message string) *Error {
	return ValidationError("One or more parameter values were invalid: " + message)
}

// SerializationError returns the error for a body that the operation cannot decode.
func SerializationError(message string) *Error {
	return ServiceError("SerializationException", message)
}

// TableNotFound returns the error of item operations for a table that does not exist.
func TableNotFound() *Error {
	return DynamoError("ResourceNotFoundException", "Requested resource not found")
}

// NamedTableNotFound returns the error of control-plane operations for a table that does not exist.
func NamedTableNotFound(name string) *Error {
	return DynamoError("ResourceNotFoundException", "Requested resource not found: Table: "+name+" not found")
}

const ConditionalCheckFailed = "ConditionalCheckFailedException"

// ConditionFailed returns the error for a failed condition. old is the item if the request asks for it, else nil.
func ConditionFailed(old item.Value) *Error {
	e := DynamoError(ConditionalCheckFailed, "The conditional request failed")
	e.Item = old
	return e
}

// DuplicateItem is the type of the error for an INSERT of an item that exists.
const DuplicateItem = "DuplicateItemException"

// DuplicateItemError returns the error for an INSERT of an item that exists.
func DuplicateItemError() *Error {
	return DynamoError(DuplicateItem, "Duplicate primary key exists in table")
}

// InternalError returns the error for a failure of the emulator itself or, with a text, of its disk. It contains the
// text because the user can repair the disk.
func InternalError(text string) *Error {
	return &Error{
		Status: 500, Type: DynamoNamespace + "InternalServerError",
		Message: cmp.Or(text, "The request processing has failed because of an unknown error, exception or failure."),
	}
}

// TooMuchWork returns the error for a request that exceeded its budget. The service has no message for it, because its
// own limits keep the work small, so the message is ours.
func TooMuchWork() *Error {
	return ValidationError("The request exceeds the emulator's work limit for one request; send smaller requests, with fewer attributes, conditions or items")
}

// messageKey returns the name of the message in the body: the service uses two spellings.
func (e *Error) messageKey() string {
	if e.Older {
		return "Message"
	}
	switch e.Type {
	case CoralNamespace + "SerializationException", CoralNamespace + "AccessDeniedException",
		DynamoNamespace + "TransactionCanceledException":
		return "Message"
	}
	return "message"
}

// AppendJSON writes the body of the response.
func (e *Error) AppendJSON(dst []byte) []byte {
	dst = jsonwrite.AppendString(append(dst, `{"__type":`...), e.Type)
	if e.Message != "" {
		dst = append(append(append(dst, `,"`...), e.messageKey()...), `":`...)
		dst = jsonwrite.AppendString(dst, e.Message)
	}
	switch {
	case e.Item != nil && e.Older:
		dst = e.Item.AppendItemHashed(append(dst, `,"Item":`...))
	case e.Item != nil:
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

// CancellationReason is why one member of a transaction cancelled it; None if it did not.
type CancellationReason struct {
	Code, Message string
	Item          item.Value // the item that failed its condition, if requested
}

func appendReasons(dst []byte, reasons []CancellationReason) []byte {
	dst = append(dst, '[')
	for i, r := range reasons {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonwrite.AppendString(append(dst, `{"Code":`...), r.Code)
		if r.Item != nil {
			dst = r.Item.AppendItemHashed(append(dst, `,"Item":`...))
		}
		if r.Message != "" {
			dst = jsonwrite.AppendString(append(dst, `,"Message":`...), r.Message)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}
