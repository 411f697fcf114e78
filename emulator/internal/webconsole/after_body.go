package webconsole

import (
	"io"
	"net/http"
	"sync"
	"time"
)

// maxDrain is how long the rest of a body may take before its response begins.
const maxDrain = 30 * time.Second

// afterBody is a response that begins when the whole body has been read, or after maxDrain. Browsers send all of a
// body before they read the response; a server that leaves much of it unread closes the connection, and the response
// is lost.
type afterBody struct {
	http.ResponseWriter
	body io.ReadCloser

	mu      sync.Mutex // the handler may read in another goroutine, which goes on after it
	drained bool
}

// takeFile lets a request take as long as the file in its body needs, unlike other requests: its client has partTimeout
// for each part of the body and of the response. The handler must write the response to what takeFile returns.
func takeFile(w http.ResponseWriter, r *http.Request) *afterBody {
	withoutDeadlines(w)
	a := &afterBody{ResponseWriter: w, body: r.Body}
	r.Body = &fileBody{a}
	return a
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
	extendWrite(a.ResponseWriter)
	return a.ResponseWriter.Write(data)
}

// drain reads the rest of the body once. It ends early if the client leaves.
func (a *afterBody) drain() {
	if a.extendRead(time.Now().Add(maxDrain), true) {
		_, _ = io.Copy(io.Discard, a.body) // what is wrong with the rest does not matter any more
	}
}

// extendRead sets the deadline of the body's next part, or of all its rest, which is the last one: it holds for a read
// that is in progress, too. It returns false if the last one has been set.
func (a *afterBody) extendRead(deadline time.Time, last bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.drained {
		return false
	}
	a.drained = last
	_ = http.NewResponseController(a.ResponseWriter).SetReadDeadline(deadline) // writers in tests have none
	return true
}

// fileBody is the body that the handler reads.
type fileBody struct{ *afterBody }

// Read implements io.Reader. It has no deadline between two reads: HTTP/2 would end the body although nobody waits.
func (f *fileBody) Read(p []byte) (int, error) {
	f.extendRead(time.Now().Add(partTimeout), false)
	defer f.extendRead(time.Time{}, false)
	return f.body.Read(p)
}

// Close implements io.Closer.
func (f *fileBody) Close() error { return f.body.Close() }
