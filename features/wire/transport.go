package wire

import (
	"net/http"
	"strings"
)

// Transport passes requests to Base, and drops responses on request: the request takes effect, and the sender sees a
// closed connection. It is safe for concurrent use.
type Transport struct {
	Base http.RoundTripper // required

	drops responseDrops[*http.Request]
}

// DropResponses drops the responses to the next n requests that match.
func (t *Transport) DropResponses(n int, match func(*http.Request) bool) { t.drops.add(n, match) }

// PendingDrops returns how many responses are still to be dropped.
func (t *Transport) PendingDrops() int { return t.drops.left() }

// RoundTrip sends the request and returns its response, or an error if the response is dropped.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	drop := t.drops.take(req)
	res, err := t.Base.RoundTrip(req)
	if drop {
		return dropResponse(res, err)
	}
	return res, err
}

// WithHook returns the transport with do called before each request of a DynamoDB operation is sent. An error of do
// closes the connection. Recorder.Before does this once, before the next request.
func (t *Transport) WithHook(operation string, do func() error) http.RoundTripper {
	return hookTransport{t, operation, do}
}

type hookTransport struct {
	*Transport
	operation string
	do        func() error
}

// RoundTrip implements http.RoundTripper.
func (i hookTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if strings.HasSuffix(req.Header.Get("X-Amz-Target"), "."+i.operation) {
		if err := i.do(); err != nil {
			return nil, err
		}
	}
	return i.Transport.RoundTrip(req)
}
