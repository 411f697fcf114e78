package kms

import (
	"cmp"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/constraint"
)

// Error is an error response of the service.
type Error struct {
	Status  int    // of HTTP; 400 for all errors that the caller can correct
	Type    string // the exception's name
	Message string // omitted if empty
}

func (e *Error) Error() string { return e.Type + ": " + e.Message }

// Exception returns the exception's name and message, for callers that wrap it in an error of their own.
func (e *Error) Exception() (name, message string) { return e.Type, e.Message }

func kmsError(name, message string) *Error { return &Error{400, name, message} }

func notFound(message string) *Error { return kmsError("NotFoundException", message) }

func aliasNotFound(a *account, name string) *Error {
	return notFound("Alias " + a.arn(name) + " is not found.")
}

func validationError(message string) *Error { return kmsError("ValidationException", message) }

// invalidCiphertext returns an error without a message, as the service does.
func invalidCiphertext() *Error { return kmsError("InvalidCiphertextException", "") }

// internalError returns the error for a failure of the emulator itself or, with a text, of its disk.
func internalError(text string) *Error {
	return &Error{500, "KMSInternalException", cmp.Or(text, "An internal error occurred.")}
}

// throttled returns the error for a request beyond what may be in progress. SDKs retry it.
func throttled(string) *Error {
	return kmsError("ThrottlingException",
		"You have exceeded the rate at which you may call KMS. Reduce the frequency of your calls.")
}

func tooMuchWork() *Error {
	return validationError(
		"Evaluating the policies exceeds the amount of work that the emulator allows for one request.")
}

// timedOut returns an error that SDKs retry.
func timedOut() *Error {
	return &Error{503, "DependencyTimeoutException",
		"The system timed out while trying to fulfill the request. You can retry the request."}
}

// violations collects the constraints that members of a request violate. One message lists them all.
type violations struct{ constraint.Violations }

// id checks a required member of 1 to 2048 characters.
func (v *violations) id(member string, value *string) { v.text(member, value, 1, 2048) }

// text checks the length of a required member.
func (v *violations) text(member string, value *string, from, to int) {
	v.Required(value != nil, member)
	v.optional(member, value, from, to)
}

// optional checks the length of an optional text.
func (v *violations) optional(member string, value *string, from, to int) {
	if value != nil {
		v.Length(member, *value, from, to)
	}
}

// blob checks a required member of bytes. Messages do not repeat its value.
func (v *violations) blob(member string, value []byte, to int) {
	if v.Required(value != nil, member); value != nil {
		v.WithheldLength(member, len(value), 1, to)
	}
}

// between checks an optional number.
func (v *violations) between(member string, value *int, from, to int) {
	if value != nil {
		v.Between(member, *value, from, to)
	}
}

// enum checks an optional enumeration value.
func (v *violations) enum(member string, value *string, values ...string) {
	if value != nil {
		v.OneOf(member, *value, values...)
	}
}

func (v *violations) err() error {
	if message := v.Message(); message != "" {
		return validationError(message)
	}
	return nil
}
