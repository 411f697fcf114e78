package wire

import "net/http"

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
