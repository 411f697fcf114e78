package push

import (
	"context"
	"errors"
	"time"
)

// Message is a notification for one device. Data is for the app. Title, body and data together are limited to about 4
// KiB.
type Message struct {
	To    string // the device's token, which the service issued to the app
	Title string
	Body  string
	Data  map[string]string
}

// Result is the result of the message to Token.
type Result struct {
	Token string
	ID    string    // the service's id of the message: Expo's ticket, FCM's name, APNs's apns-id; empty on an error
	Err   error     // nil, or wraps one of this package's errors; never contains the token
	Since time.Time // when the token became invalid, with ErrUnregistered of APNs; otherwise zero
}

// Sender sends notifications. Send returns one result per message, in order; what the service refuses is in the
// results. Errors: only that of ctx, when it ends early; messages without an answer by then have ErrUnavailable.
type Sender interface {
	Send(ctx context.Context, messages []Message) ([]Result, error)
}

// Wait pauses for d, or returns the context's error when that ends first.
type Wait func(ctx context.Context, d time.Duration) error

// Errors of a message that was not accepted.
var (
	// ErrUnregistered means that the token is no longer valid: the app was uninstalled or has a newer token. Stop
	// sending to it.
	ErrUnregistered = errors.New("the device is no longer registered")
	// ErrTooBig means that the message exceeds the service's limit of about 4 KiB.
	ErrTooBig = errors.New("the message is too big")
	// ErrRateLimited means that after all attempts the service still was too busy or asked for fewer requests.
	ErrRateLimited = errors.New("the push service limits the rate of messages")
	// ErrUnavailable means that the service failed or did not respond in any attempt. Whether it accepted the message
	// is unknown.
	ErrUnavailable = errors.New("the push service is not available")
	// ErrCredentials means that the service does not accept the credentials, or not for this app. An operator must fix
	// it.
	ErrCredentials = errors.New("the push service refuses the credentials")
	// ErrInvalid means that the service cannot read the message or the token.
	ErrInvalid = errors.New("the push service refuses the message")
)

// withCode returns kind with the service's own code, which comes from its documentation and never repeats what was
// sent.
func withCode(kind error, code string) error {
	if code == "" {
		return kind
	}
	return &codedError{kind: kind, code: code}
}

type codedError struct {
	kind error
	code string
}

// Error returns the kind, with the code in parentheses.
func (r *codedError) Error() string { return r.kind.Error() + " (" + r.code + ")" }

// Unwrap returns the kind, for errors.Is.
func (r *codedError) Unwrap() error { return r.kind }
