package cosmosdb

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/tabletop-db/tabletop/backend/internal/retry"
	"github.com/tabletop-db/tabletop/internal/util/cosmoserror"
)

// Expected results of a request to one document.
var (
	ErrNotFound = errors.New("the document does not exist")
	ErrExists   = errors.New("the document already exists")
	ErrChanged  = errors.New("the document has changed since it was read, or does not meet the condition")
	// ErrToken means that the query did not produce the continuation token.
	ErrToken = errors.New("the continuation token does not belong to this query")
)

// Failures of the database that the request did not cause.
var (
	ErrBusy         = errors.New("the database is too busy; " + retry.Advice)
	ErrUnreachable  = errors.New("the database did not respond; " + retry.Advice)
	ErrUntrusted    = errors.New("the database's certificate is not trusted; for an emulator, run tabletop cosmos cert --endpoint ADDRESS --out cosmos.crt and set SSL_CERT_FILE=cosmos.crt")
	ErrNoContainers = errors.New("the containers are missing; start the backend without --tables-ready to create them")
)

// Substatuses of a 404 that does not concern the document: the container or database does not exist, or the replica has
// not caught up with the session yet.
const (
	noContainer = "1003"
	noSession   = "1002"
)

// MapError maps an error of the SDK to one of this package's errors, with a message of one line. A request that the
// database rejects as invalid is a bug of this program: its error stays without a kind and is only shortened.
func MapError(err error) error {
	var respErr *azcore.ResponseError
	var batchErr *BatchError
	var certErr *tls.CertificateVerificationError
	switch {
	case errors.As(err, &batchErr):
		return err
	case errors.As(err, &certErr):
		return fmt.Errorf("%w (%w)", ErrUntrusted, certErr.Err)
	case !errors.As(err, &respErr):
		return fmt.Errorf("%w (%w)", ErrUnreachable, err)
	}
	if kind := errorKind(respErr.StatusCode, substatus(respErr)); kind != nil {
		return fmt.Errorf("%w (%w)", kind, shortError{respErr})
	}
	return shortError{respErr}
}

// shortError is an error response in one line; the SDK's own message prints the whole response.
type shortError struct{ *azcore.ResponseError }

func (b shortError) Error() string { return cosmoserror.Line(b.ResponseError) }

// Unwrap returns the SDK's error.
func (b shortError) Unwrap() error { return b.ResponseError }

func errorKind(status int, subStatus string) error {
	switch status {
	case http.StatusNotFound:
		switch subStatus {
		case noContainer:
			return ErrNoContainers
		case noSession:
			return ErrBusy
		}
		return ErrNotFound
	case http.StatusConflict:
		return ErrExists
	case http.StatusPreconditionFailed:
		return ErrChanged
	case http.StatusTooManyRequests, http.StatusRequestTimeout, statusRetryWith, http.StatusInternalServerError,
		http.StatusServiceUnavailable, http.StatusBadGateway, http.StatusGatewayTimeout:
		return ErrBusy
	}
	return nil
}

// statusRetryWith (449) is specific to Cosmos DB: two writes conflicted, and the request may be retried as it is.
const statusRetryWith = 449

func substatus(e *azcore.ResponseError) string {
	if e.RawResponse == nil {
		return ""
	}
	return e.RawResponse.Header.Get("x-ms-substatus")
}

// retryAfter returns the pause that the database asks for before a retry; 0 when it asks for none.
func retryAfter(err error) time.Duration {
	var respErr *azcore.ResponseError
	if !errors.As(err, &respErr) || respErr.RawResponse == nil {
		return 0
	}
	ms, err := strconv.ParseFloat(respErr.RawResponse.Header.Get("x-ms-retry-after-ms"), 64)
	if err != nil || ms < 0 || ms > 60_000 {
		return 0
	}
	return time.Duration(ms * float64(time.Millisecond))
}
