package wire

import (
	"io"
	"net/http"
	"net/http/httptest"
)

// Handler returns a RoundTripper that passes requests to a handler in this process, without a socket.
func Handler(h http.Handler) http.RoundTripper { return handler{h} }

type handler struct{ http.Handler }

// RoundTrip passes the request to the handler. It closes the request's body, as a RoundTripper must. A handler that
// aborts its response closes the connection, as on a socket.
func (h handler) RoundTrip(req *http.Request) (res *http.Response, err error) {
	defer func() {
		if aborted := recover(); aborted == http.ErrAbortHandler {
			res, err = nil, io.ErrUnexpectedEOF
		} else if aborted != nil {
			panic(aborted)
		}
	}()
	out := httptest.NewRecorder()
	in := req.Clone(req.Context())
	in.RequestURI = req.URL.RequestURI()
	if in.Body == nil {
		in.Body = http.NoBody
	}
	defer in.Body.Close()
	h.ServeHTTP(out, in)
	return out.Result(), nil
}
