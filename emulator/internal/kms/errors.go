package kms

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
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

// unavailable is the answer when the disk does not take or give what a request needs.
func unavailable(text string) *Error { return &Error{500, "KMSInternalException", text} }

func internalError() *Error {
	return &Error{500, "KMSInternalException", "An internal error occurred."}
}

// throttled is the answer to a request beyond what may be under way. SDKs try it again.
func throttled() *Error {
	return kmsError("ThrottlingException", "You have exceeded the rate at which you may call KMS. Reduce the frequency of your calls.")
}

// budgetError is the answer to a request that its budget ended, nil for any other error. The service documents no bound of
// work, so those words are ours; what takes too long or waits for memory is an error that SDKs try again. Nobody reads the
// answer of a client that left.
func budgetError(err error) *Error {
	switch {
	case errors.Is(err, budget.ErrSteps), errors.Is(err, budget.ErrBytes):
		return validationError("The policies that decide about the request take more work than the emulator allows one request.")
	case errors.Is(err, budget.ErrTime):
		return &Error{503, "DependencyTimeoutException", "The system timed out while trying to fulfill the request. You can retry the request."}
	case errors.Is(err, budget.ErrBusy):
		return throttled()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return internalError()
	}
	return nil
}

// violations are constraints on single members that a request breaks: one message tells them all.
type violations []string

func (v *violations) add(value any, member, constraint string) {
	text := fmt.Sprintf("Value '%v' at '%s'", value, member)
	switch value {
	case nil:
		text = fmt.Sprintf("Value null at '%s'", member)
	case secret:
		text = fmt.Sprintf("Value at '%s'", member)
	}
	*v = append(*v, text+" failed to satisfy constraint: "+constraint)
}

// secret stands for a value that messages do not repeat.
const secret = "\x00"

// id is a member that must be there and have 1 to 2048 characters.
func (v *violations) id(member string, value *string) { v.text(member, value, 1, 2048) }

// text is a member that must be there, in that range of lengths.
func (v *violations) text(member string, value *string, from, to int) {
	if value == nil {
		v.add(nil, member, "Member must not be null")
		return
	}
	v.length(member, *value, len(*value), from, to)
}

// optional is a text that may be missing.
func (v *violations) optional(member string, value *string, from, to int) {
	if value != nil {
		v.text(member, value, from, to)
	}
}

// blob is a member of bytes that must be there.
func (v *violations) blob(member string, value []byte, to int) {
	if value == nil {
		v.add(nil, member, "Member must not be null")
		return
	}
	v.length(member, secret, len(value), 1, to)
}

func (v *violations) length(member, value string, n, from, to int) {
	switch {
	case n < from:
		v.add(value, member, "Member must have length greater than or equal to "+strconv.Itoa(from))
	case n > to:
		v.add(value, member, "Member must have length less than or equal to "+strconv.Itoa(to))
	}
}

// between is a number that may be missing.
func (v *violations) between(member string, value *int, from, to int) {
	switch {
	case value == nil:
	case *value < from:
		v.add(*value, member, "Member must have value greater than or equal to "+strconv.Itoa(from))
	case *value > to:
		v.add(*value, member, "Member must have value less than or equal to "+strconv.Itoa(to))
	}
}

// enum is a text that may be missing.
func (v *violations) enum(member string, value *string, values ...string) {
	if value == nil {
		return
	}
	for _, one := range values {
		if one == *value {
			return
		}
	}
	v.add(*value, member, "Member must satisfy enum value set: ["+strings.Join(values, ", ")+"]")
}

func (v violations) err() error {
	switch len(v) {
	case 0:
		return nil
	case 1:
		return validationError("1 validation error detected: " + v[0])
	}
	return validationError(fmt.Sprintf("%d validation errors detected: %s", len(v), strings.Join(v, "; ")))
}
