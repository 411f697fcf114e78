package http1

import (
	"errors"
	"net"
	"sync"
	"time"
)

// patience is how long a request runs before its connection is watched: a wait for the client's end costs more than
// most requests.
const patience = 5 * time.Millisecond

// watch notices that the client closes its connection while its request runs. It reads from the connection, so it
// begins only when the request's body has been read. What it reads instead of the end is a byte of the next request; it
// then stops. A connection whose buffer is full of further requests is not watched.
type watch struct {
	mu      sync.Mutex
	request *requestContext // the current one
	bodies  bool            // its body has been read
	wanted  bool            // its context may be waited for
	reading chan struct{}   // closed when the read has ended; nil: none is in progress
	timer   *time.Timer
}

// begin starts with a request. bodyRead tells that it has no body.
func (w *watch) begin(request *requestContext, bodyRead bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.request, w.bodies, w.wanted = request, bodyRead, false
}

// tell records a fact about the current request: that its body has been read (bodies), or that somebody may wait for
// its context (wanted).
func (w *watch) tell(c *conn, request *requestContext, fact *bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.request == request {
		*fact = true
		w.plan(c)
	}
}

func (w *watch) plan(c *conn) {
	if !w.bodies || !w.wanted || w.reading != nil {
		return
	}
	if w.timer == nil {
		w.timer = time.AfterFunc(patience, func() { w.read(c) })
	} else {
		w.timer.Reset(patience)
	}
}

// read waits for the client's end, or for its next request.
func (w *watch) read(c *conn) {
	w.mu.Lock()
	request := w.request
	if request == nil || !w.wanted || !w.bodies || w.reading != nil { // the request has ended
		w.mu.Unlock()
		return
	}
	if c.end == len(c.buf) { // requests before this one had their byte
		w.mu.Unlock()
		return
	}
	reading := make(chan struct{})
	w.reading = reading
	c.forgetReadDeadline()
	w.mu.Unlock()
	defer close(reading)
	n, err := c.net.Read(c.buf[c.end : c.end+1]) // one byte more than the buffer's size is left for it
	c.end += n
	var timeout net.Error
	if err != nil && (!errors.As(err, &timeout) || !timeout.Timeout()) {
		request.end()
	}
}

// end ends the watch of a request. Nothing reads from the connection when it returns.
func (w *watch) end(c *conn) {
	w.mu.Lock()
	w.request = nil
	reading := w.reading
	if w.timer != nil && w.wanted {
		w.timer.Stop()
	}
	w.mu.Unlock()
	if reading == nil {
		return
	}
	_ = c.net.SetReadDeadline(time.Unix(1, 0))
	<-reading
	c.forgetReadDeadline()
	w.mu.Lock()
	w.reading = nil
	w.mu.Unlock()
}
