package identity

import (
	"net/http"
	"strings"
)

// Error refuses a request. Code is the exception's name in the JSON protocols; QueryCode is that in the older ones.
type Error struct {
	Code    string
	Message string
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// The exceptions.
const (
	AccessDenied       = "AccessDeniedException"
	internalFailure    = "InternalFailure" // of STS
	ExpiredToken       = "ExpiredTokenException"
	IncompleteSig      = "IncompleteSignatureException"
	InvalidSignature   = "InvalidSignatureException"
	MissingToken       = "MissingAuthenticationTokenException"
	UnrecognizedClient = "UnrecognizedClientException"
)

// QueryCode is the code in the protocols that answer in XML, and with it comes a status of 403 or 400.
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

// maxEcho is how many bytes of a request a refusal repeats at most. Whole canonical requests of SDKs take about 1 KB.
const maxEcho = 16 << 10

// refuse makes a refusal. A message that repeats much of a request is cut, so that nobody makes large answers without
// an access key.
func refuse(code, message string) *Error {
	if len(message) > maxEcho {
		message = strings.ToValidUTF8(message[:maxEcho], "") + "…"
	}
	return &Error{Code: code, Message: message}
}
