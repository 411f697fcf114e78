package wire

import (
	"io"
	"net/http"
	"sync"
)

// Transport carries requests to Base and loses the answers that it is told to: the request has its effect, the sender
// sees a cut connection. It is safe for concurrent use.
type Transport struct {
	Base http.RoundTripper // required

	mu   sync.Mutex
	lose []*loss
}

type loss struct {
	match func(*http.Request) bool
	left  int
}

// Lose loses the answers of the next n requests that match.
func (t *Transport) Lose(n int, match func(*http.Request) bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lose = append(t.lose, &loss{match, n})
}

// Left is how many answers are still to be lost.
func (t *Transport) Left() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	for _, l := range t.lose {
		n += l.left
	}
	return n
}

// RoundTrip sends the request and returns its answer, or an error if the answer is lost.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	lost := t.take(req)
	res, err := t.Base.RoundTrip(req)
	if err != nil || !lost {
		return res, err
	}
	res.Body.Close()
	return nil, io.ErrUnexpectedEOF
}

func (t *Transport) take(req *http.Request) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range t.lose {
		if l.left > 0 && l.match(req) {
			l.left--
			return true
		}
	}
	return false
}
