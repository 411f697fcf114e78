package webconsole

import (
	"net/http"
	"time"
)

// partTimeout is how long a client may take to send a part of a file, or to receive a part of a response.
const partTimeout = time.Minute

// withoutDeadlines lets a request take as long as its work needs, unlike other requests. From then on, each read of its
// body and each write of its response needs a deadline of its own: a client that stalls must not hold it for ever.
func withoutDeadlines(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // writers in tests have no deadlines
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
}

// extendWrite gives the client partTimeout for what is written next.
func extendWrite(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(partTimeout)) // see above
}
