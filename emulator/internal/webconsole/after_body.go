package webconsole

import (
	"io"
	"net/http"
	"time"
)

// maxDrain is how long the rest of a body may take before its response begins.
const maxDrain = 30 * time.Second

// afterBody is a response that begins when the whole body has been read, or after maxDrain. Browsers send all of a
// body before they read the response; a server that leaves much of it unread closes the connection, and the response
// is lost.
type afterBody struct {
	http.ResponseWriter
	body    io.Reader
	drained bool
}

// Unwrap implements what http.ResponseController needs.
func (a *afterBody) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (a *afterBody) WriteHeader(status int) {
	a.drain()
	a.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (a *afterBody) Write(data []byte) (int, error) {
	a.drain()
	return a.ResponseWriter.Write(data)
}

// drain reads the rest of the body once. It ends early if the client leaves.
func (a *afterBody) drain() {
	if a.drained {
		return
	}
	a.drained = true
	_ = http.NewResponseController(a.ResponseWriter).SetReadDeadline(time.Now().Add(maxDrain))
	_, _ = io.Copy(io.Discard, a.body) // what is wrong with the rest does not matter any more
}
