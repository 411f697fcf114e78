package wire

import (
	"net/http"
	"strings"
)

// Transport carries requests to Base and loses the answers that it is told to: the request has its effect, the sender
// sees a cut connection. It is safe for concurrent use.
type Transport struct {
	Base http.RoundTripper // required

	lose losses[*http.Request]
}

// Lose loses the answers of the next n requests that match.
func (t *Transport) Lose(n int, match func(*http.Request) bool) { t.lose.add(n, match) }

// Left is how many answers are still to be lost.
func (t *Transport) Left() int { return t.lose.left() }

// RoundTrip sends the request and returns its answer, or an error if the answer is lost.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	lose := t.lose.take(req)
	res, err := t.Base.RoundTrip(req)
	if lose {
		return lost(res, err)
	}
	return res, err
}

// Each is the transport with do called before each request of an operation of DynamoDB is sent; an error of do cuts the
// connection. Recorder.Before does so once, before the next request.
func (t *Transport) Each(operation string, do func() error) http.RoundTripper {
	return interrupted{t, operation, do}
}

type interrupted struct {
	*Transport
	operation string
	do        func() error
}

// RoundTrip implements http.RoundTripper.
func (i interrupted) RoundTrip(req *http.Request) (*http.Response, error) {
	if strings.HasSuffix(req.Header.Get("X-Amz-Target"), "."+i.operation) {
		if err := i.do(); err != nil {
			return nil, err
		}
	}
	return i.Transport.RoundTrip(req)
}
