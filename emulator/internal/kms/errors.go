package kms

import (
	"cmp"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/constraint"
)

// Error is an answer of the service that is an error.
type Error struct {
	Status  int    // of HTTP; 400 for all that the caller can mend
	Type    string // the exception's name
	Message string // left out when empty
}

func (e *Error) Error() string { return e.Type + ": " + e.Message }

// Exception is the exception's name and message, for those who wrap it in an error of their own.
func (e *Error) Exception() (name, message string) { return e.Type, e.Message }

func kmsError(name, message string) *Error { return &Error{400, name, message} }

func notFound(message string) *Error { return kmsError("NotFoundException", message) }

func aliasNotFound(a *account, name string) *Error {
	return notFound("Alias " + a.arn(name) + " is not found.")
}

func validationError(message string) *Error { return kmsError("ValidationException", message) }

// invalidCiphertext has no message.
func invalidCiphertext() *Error { return kmsError("InvalidCiphertextException", "") }

// internalError is the answer to a fault of the emulator's own or, with a text, of its disk.
func internalError(text string) *Error {
	return &Error{500, "KMSInternalException", cmp.Or(text, "An internal error occurred.")}
}

// throttled is the answer to a request beyond what may be under way. SDKs try it again.
func throttled() *Error {
	return kmsError("ThrottlingException", "You have exceeded the rate at which you may call KMS. Reduce the frequency of your calls.")
}

func tooMuchWork() *Error {
	return validationError("The policies that decide about the request take more work than the emulator allows one request.")
}

// timedOut is an error that SDKs try again.
func timedOut() *Error {
	return &Error{503, "DependencyTimeoutException", "The system timed out while trying to fulfill the request. You can retry the request."}
}

// violations are constraints on single members that a request breaks: one message tells them all.
type violations struct{ constraint.Failures }

// id is a member that must be there and have 1 to 2048 characters.
func (v *violations) id(member string, value *string) { v.text(member, value, 1, 2048) }

// text is a member that must be there, in that range of lengths.
func (v *violations) text(member string, value *string, from, to int) {
	v.Required(value != nil, member)
	v.optional(member, value, from, to)
}

// optional is a text that may be missing.
func (v *violations) optional(member string, value *string, from, to int) {
	if value != nil {
		v.Length(member, *value, from, to)
	}
}

// blob is a member of bytes that must be there. Messages do not repeat it.
func (v *violations) blob(member string, value []byte, to int) {
	if v.Required(value != nil, member); value != nil {
		v.WithheldLength(member, len(value), 1, to)
	}
}

// between is a number that may be missing.
func (v *violations) between(member string, value *int, from, to int) {
	if value != nil {
		v.Between(member, *value, from, to)
	}
}

// enum is a text that may be missing.
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
