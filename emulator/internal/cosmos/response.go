package cosmos

import (
	"net/http"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// The headers of every response.
var (
	jsonType       = []string{"application/json"}
	pageType       = []string{"text/html; charset=us-ascii"}
	serviceVersion = []string{"version=2.14.0"} // tools only display it
	schemaVersion  = []string{"1.16"}
)

// setError replaces the response by an error.
func (x *exchange) setError(err *wire.Error) {
	x.Out.Status, x.Out.Body = err.Status, err.Body()
	x.Out.Unset(wire.HeaderContentPath)
	if err.Substatus != 0 {
		x.Out.Set("x-ms-substatus", strconv.Itoa(err.Substatus))
	}
	if err.RetryAfter > 0 {
		x.Out.Set("x-ms-retry-after-ms", strconv.FormatInt(max(1, err.RetryAfter.Milliseconds()), 10))
	}
}

// write writes the response, which is that of err unless it is nil.
func (x *exchange) write(w http.ResponseWriter, err *wire.Error) {
	h := w.Header()
	if err == nil && x.Out.ETag != "" {
		h["etag"] = x.Out.HeaderValue(x.Out.ETag)
	}
	if err == nil && !x.Route.Feed {
		h["content-location"] = []string{x.scheme() + "://" + x.r.Host + x.r.URL.EscapedPath()}
	}
	for i := 0; i+1 < len(x.Out.Fields); i += 2 {
		h[x.Out.Fields[i]] = x.Out.Fields[i+1 : i+2 : i+2]
	}
	h["x-ms-activity-id"] = x.Out.HeaderValue(x.activity())
	h["x-ms-request-charge"] = x.Out.HeaderValue(strconv.FormatFloat(x.Charge, 'f', 2, 64))
	h["x-ms-request-duration-ms"] = x.Out.HeaderValue(strconv.FormatFloat(float64(x.duration.Microseconds())/1000, 'f', -1,
		64))
	h["x-ms-serviceversion"] = serviceVersion
	h["x-ms-gatewayversion"] = serviceVersion
	h["x-ms-schemaversion"] = schemaVersion
	if x.Out.Status == http.StatusNoContent || x.Out.Status == http.StatusNotModified {
		w.WriteHeader(x.Out.Status)
		x.Buffers.Release()
		return
	}
	h["Content-Type"] = jsonType
	if err != nil && err.Page != "" {
		h["Content-Type"] = pageType
	}
	h["Content-Length"] = x.Out.HeaderValue(strconv.Itoa(len(x.Out.Body)))
	w.WriteHeader(x.Out.Status)
	if _, err := w.Write(x.Out.Body); err != nil {
		x.Account.Log.Debug("the client did not read the response", "error", err)
		return // keep the buffers: HTTP/2 may still read them
	}
	x.Buffers.Release()
}

// maxActivityIDBytes is the maximum length in bytes of an activity id in a request; a longer one is replaced.
const maxActivityIDBytes = 64

// activity returns the activity id in the request, or a new one.
func (x *exchange) activity() string {
	if id := x.Header("X-Ms-Activity-Id"); id != "" && len(id) <= maxActivityIDBytes {
		return id
	}
	return x.Account.Random.GUID().String()
}
