package autoscaling

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/constraint"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// Error is an error response of the service.
type Error struct {
	Status  int    // of HTTP; 400 for all errors that the caller can correct
	Type    string // the exception's name
	Message string // omitted if empty
	front   bool   // the service's front found it: a violated constraint
}

func (e *Error) Error() string { return e.Type + ": " + e.Message }

// body spells the member of the message as the service does: its front differently from the rest.
func (e *Error) body() []byte {
	out := map[string]string{"__type": e.Type}
	switch {
	case e.Message == "":
	case e.front:
		out["message"] = e.Message
	default:
		out["Message"] = e.Message
	}
	body, _ := json.Marshal(out) // cannot fail: strings only
	return body
}

func serviceError(name, message string) *Error {
	return &Error{Status: 400, Type: name, Message: message}
}

func invalid(format string, args ...any) *Error {
	return serviceError("ValidationException", fmt.Sprintf(format, args...))
}

// internalError returns the error for a failure of the emulator itself or, with a text, of its disk.
func internalError(text string) *Error {
	return &Error{Status: 500, Type: "InternalServiceException", Message: cmp.Or(text, "An internal error occurred.")}
}

// throttled returns the error for a request beyond what may be in progress. SDKs retry it.
func throttled(string) *Error { return serviceError("ThrottlingException", "Rate exceeded") }

func tooMuchWork() *Error {
	return invalid("The request exceeds the amount of work that the emulator allows for one request.")
}

// convertAccessError converts an error of the gate to this service's form.
func convertAccessError(err error) error {
	var refused *identity.Error
	if errors.As(err, &refused) {
		return serviceError(refused.Code, refused.Message)
	}
	return err
}

// violations collects the constraints that members of a request violate. One message lists them all.
type violations struct{ constraint.Violations }

func (v *violations) err() error {
	if message := v.Message(); message != "" {
		return &Error{Status: 400, Type: "ValidationException", Message: message, front: true}
	}
	return nil
}

// text checks the length of an optional text.
func (v *violations) text(member string, value *string, most int) {
	if value != nil {
		v.Length(member, *value, 1, most)
	}
}

// required checks the length of a required text.
func (v *violations) required(member string, value *string, most int) {
	v.Required(value != nil, member)
	v.text(member, value, most)
}

// maxText is the length of most of the service's texts.
const maxText = 1600

// maxListed is the most elements of a list in a request.
const maxListed = 50

// listed checks a list of texts.
func (v *violations) listed(member string, all []string) {
	if len(all) > maxListed {
		v.Add(member, "["+strings.Join(all, ", ")+"]",
			fmt.Sprintf("Member must have length less than or equal to %d", maxListed))
	}
}

// tags checks the lengths of tags, whose violations the service words once for all of them.
func (v *violations) tags(tags map[string]string) {
	long := func(text string, least, most int) bool {
		n := utf8.RuneCountInString(text)
		return n < least || n > most
	}
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		if long(key, 1, maxTagKey) {
			v.Add("tags", javaMap(tags), lengths("keys", 1, maxTagKey))
			break
		}
	}
	for _, value := range tags {
		if long(value, 0, maxTagValue) {
			v.Add("tags", javaMap(tags), lengths("value", 0, maxTagValue))
			break
		}
	}
}

func lengths(of string, least, most int) string {
	return fmt.Sprintf("Map %s must satisfy constraint: [Member must have length less than or equal to %d, "+
		"Member must have length greater than or equal to %d]", of, most, least)
}

// javaMap writes tags as Java prints a map, in the order of the keys.
func javaMap(tags map[string]string) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		parts = append(parts, key+"="+tags[key])
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
