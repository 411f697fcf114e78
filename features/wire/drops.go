package wire

import (
	"io"
	"net/http"
	"sync"
)

// responseDrops are responses to drop, by request. They are safe for concurrent use.
type responseDrops[R any] struct {
	mu  sync.Mutex
	all []*responseDrop[R]
}

type responseDrop[R any] struct {
	match func(R) bool
	left  int
}

// add drops the responses to the next n requests that match.
func (l *responseDrops[R]) add(n int, match func(R) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, &responseDrop[R]{match, n})
}

// left returns how many responses are still to be dropped.
func (l *responseDrops[R]) left() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, one := range l.all {
		n += one.left
	}
	return n
}

// take reports whether to drop the response to this request, and counts it as dropped.
func (l *responseDrops[R]) take(r R) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, one := range l.all {
		if one.left > 0 && one.match(r) {
			one.left--
			return true
		}
	}
	return false
}

// dropResponse returns what the sender of a request sees if its response is dropped: a closed connection, or the error
// that occurred before.
func dropResponse(res *http.Response, err error) (*http.Response, error) {
	if err != nil {
		return res, err
	}
	_ = res.Body.Close()
	return nil, io.ErrUnexpectedEOF
}
