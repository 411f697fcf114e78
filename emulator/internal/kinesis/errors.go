package kinesis

import (
	"cmp"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/constraint"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// Error is an error response of the service.
type Error struct {
	Status  int    // of HTTP; 400 for all errors that the caller can correct
	Type    string // the exception's name
	Message string // omitted if empty
}

func (e *Error) Error() string { return e.Type + ": " + e.Message }

func (e *Error) body(form codec) []byte {
	body, _ := form.encode(struct { // two texts
		Type    string `json:"__type"`
		Message string `json:"message,omitempty"`
	}{e.Type, e.Message})
	return body
}

func kinesisError(name, message string) *Error { return &Error{400, name, message} }

func invalidArgument(message string) *Error { return kinesisError("InvalidArgumentException", message) }

// streamNotFound returns the error for a stream that does not exist.
func (a *account) streamNotFound(name string) *Error {
	return kinesisError("ResourceNotFoundException", "Stream "+name+" under account "+a.id()+" not found.")
}

// shardNotFound returns the error for a shard that does not exist.
func (a *account) shardNotFound(st *stream, shard string) *Error {
	return kinesisError("ResourceNotFoundException",
		"Shard "+shard+" in stream "+st.Name+" under account "+a.id()+" does not exist")
}

// internalError returns the error for a failure of the emulator itself or, with a message, of its disk.
func internalError(text string) *Error {
	return &Error{500, "InternalFailure", cmp.Or(text, "An internal error occurred.")}
}

// throttled returns the error for a request while too many are in progress. SDKs retry it.
func throttled(string) *Error {
	return kinesisError("ProvisionedThroughputExceededException", "Rate exceeded.")
}

func tooMuchWork() *Error {
	return invalidArgument("The request exceeds the amount of work that the emulator allows for one request.")
}

// convertAccessError converts an error of the gate to this service's form.
func convertAccessError(err error) error {
	var refused *identity.Error
	if errors.As(err, &refused) {
		return kinesisError(refused.Code, refused.Message)
	}
	return err
}

// violations collects the constraints that members of a request violate. One message lists them all.
type violations struct{ constraint.Violations }

// text checks the length of an optional text.
func (v *violations) text(member string, value *string, from, to int) {
	if value != nil {
		v.Length(member, *value, from, to)
	}
}

// required checks the length of a required text.
func (v *violations) required(member string, value *string, from, to int) {
	v.Required(value != nil, member)
	v.text(member, value, from, to)
}

// between checks an optional number.
func (v *violations) between(member string, value *int, from, to int) {
	if value != nil {
		v.Between(member, *value, from, to)
	}
}

func (v *violations) err() error {
	if message := v.Message(); message != "" {
		return kinesisError("ValidationException", message)
	}
	return nil
}
