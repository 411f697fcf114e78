package identity

import (
	"net/http"
	"strings"
)

// Error refuses a request. Code is the exception's name in the JSON protocols; QueryCode returns that of the query
// protocol.
type Error struct {
	Code    string
	Message string
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Exceptions.
const (
	AccessDenied       = "AccessDeniedException"
	internalFailure    = "InternalFailure" // of STS
	ExpiredToken       = "ExpiredTokenException"
	IncompleteSig      = "IncompleteSignatureException"
	InvalidSignature   = "InvalidSignatureException"
	MissingToken       = "MissingAuthenticationTokenException"
	UnrecognizedClient = "UnrecognizedClientException"
)

// QueryCode returns the error code in the XML protocols, and the HTTP status, 403 or 400.
func (e *Error) QueryCode() (code string, status int) {
	switch e.Code {
	case AccessDenied:
		return "AccessDenied", http.StatusForbidden
	case ExpiredToken:
		return "ExpiredToken", http.StatusForbidden
	case IncompleteSig:
		return "IncompleteSignature", http.StatusBadRequest
	case InvalidSignature:
		return "SignatureDoesNotMatch", http.StatusForbidden
	case internalFailure:
		return e.Code, http.StatusInternalServerError
	case MissingToken:
		return "MissingAuthenticationToken", http.StatusForbidden
	case UnrecognizedClient:
		return "InvalidClientTokenId", http.StatusForbidden
	}
	return e.Code, http.StatusBadRequest
}

// maxErrorMessage is how many bytes of a request an error repeats at most. Whole canonical requests of SDKs take about
// 1 KB.
const maxErrorMessage = 16 << 10

// newError returns an error. A message that repeats much of a request is truncated, so that a client without an access
// key cannot cause large responses.
func newError(code, message string) *Error {
	if len(message) > maxErrorMessage {
		message = strings.ToValidUTF8(message[:maxErrorMessage], "") + "…"
	}
	return &Error{Code: code, Message: message}
}
