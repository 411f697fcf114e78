package wire

import (
	"io"
	"net/http"
	"sync"
)

// losses are answers that are to be lost, by what was asked. They are safe for concurrent use.
type losses[R any] struct {
	mu  sync.Mutex
	all []*loss[R]
}

type loss[R any] struct {
	match func(R) bool
	left  int
}

// add has the answers of the next n requests that match be lost.
func (l *losses[R]) add(n int, match func(R) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, &loss[R]{match, n})
}

// left is how many answers are still to be lost.
func (l *losses[R]) left() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, one := range l.all {
		n += one.left
	}
	return n
}

// take says whether the answer of this request is to be lost, and counts it as such.
func (l *losses[R]) take(r R) bool {
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

// lost is what the sender sees of a request whose answer is lost: a cut connection, or what went wrong before.
func lost(res *http.Response, err error) (*http.Response, error) {
	if err != nil {
		return res, err
	}
	_ = res.Body.Close()
	return nil, io.ErrUnexpectedEOF
}
