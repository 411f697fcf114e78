package wire

import (
	"net/http"
	"net/http/httptest"
)

// Handler carries requests to a handler in this process, without a socket.
func Handler(h http.Handler) http.RoundTripper { return handler{h} }

type handler struct{ http.Handler }

// RoundTrip has the handler answer. The request's body is closed, as a transport must.
func (h handler) RoundTrip(req *http.Request) (*http.Response, error) {
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
