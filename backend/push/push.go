package push

import (
	"context"
	"errors"
	"time"
)

// Message is one notification for one device. Data is for the app; title, body and data together may have about 4 KiB.
type Message struct {
	To    string // the token that the service gave the app on the device
	Title string
	Body  string
	Data  map[string]string
}

// Result is what became of the message to Token.
type Result struct {
	Token string
	ID    string    // by which the service knows the message: Expo's ticket, FCM's name, APNs's apns-id; empty on an error
	Err   error     // nil, or wraps one of this package's errors, and never holds the token
	Since time.Time // with ErrUnregistered of APNs: since when the token has been dead; else zero
}

// Sender sends notifications. Its results are one for each message, in their order. Its own error is that of ctx alone:
// what the service refuses is in the results.
type Sender interface {
	Send(ctx context.Context, messages []Message) ([]Result, error)
}

// Wait pauses for d, or returns the context's error when that ends first.
type Wait func(ctx context.Context, d time.Duration) error

// What can become of a message that was not taken.
var (
	// ErrUnregistered is a token that is no more: the app was uninstalled, or has a newer one. Stop sending to it.
	ErrUnregistered = errors.New("the device is not registered any more")
	// ErrTooBig is a message of more than the service takes, about 4 KiB.
	ErrTooBig = errors.New("the message is too big")
	// ErrRateLimited is a service that was still too busy, or meant us to be slower, after all tries.
	ErrRateLimited = errors.New("the push service asks for fewer messages")
	// ErrUnavailable is a service that failed or did not answer after all tries. Whether it took the message is
	// unknown.
	ErrUnavailable = errors.New("the push service is not available")
	// ErrCredentials is a service that does not accept who we are, or not for this app: for an operator to mend.
	ErrCredentials = errors.New("the push service refuses the credentials")
	// ErrInvalid is a message or a token that the service cannot read.
	ErrInvalid = errors.New("the push service refuses the message")
)

// errorOf is kind with the service's own code, which is a word of its documentation and never what was sent.
func errorOf(kind error, code string) error {
	if code == "" {
		return kind
	}
	return &refusal{kind: kind, code: code}
}

type refusal struct {
	kind error
	code string
}

// Error is the kind with the code in brackets.
func (r *refusal) Error() string { return r.kind.Error() + " (" + r.code + ")" }

// Unwrap makes errors.Is find the kind.
func (r *refusal) Unwrap() error { return r.kind }
