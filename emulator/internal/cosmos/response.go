package cosmos

import (
	"net/http"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// The values of headers that all responses have.
const (
	jsonType       = "application/json"
	pageType       = "text/html; charset=us-ascii"
	serviceVersion = "version=2.14.0" // tools only display it
	schemaVersion  = "1.16"
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
	x.setCommonHeaders(err)
	if x.Out.Status == http.StatusNoContent || x.Out.Status == http.StatusNotModified {
		inflight.WriteHead(w, x.Out.Status, x.Out.Fields)
		x.releaseBuffers()
		return
	}
	contentType := jsonType
	if err != nil && err.Page != "" {
		contentType = pageType
	}
	x.Out.Set("Content-Type", contentType)
	x.Out.Set("Content-Length", strconv.Itoa(len(x.Out.Body)))
	inflight.WriteHead(w, x.Out.Status, x.Out.Fields)
	if _, err := w.Write(x.Out.Body); err != nil {
		x.Account.Log.Debug("the client did not read the response", "error", err)
		return // keep the buffers: HTTP/2 may still read them
	}
	x.releaseBuffers()
}

func (x *exchange) releaseBuffers() {
	x.Buffers.Fields = x.Out.Fields
	x.Buffers.Release()
}

// setCommonHeaders sets the headers of all responses, with and without a body.
func (x *exchange) setCommonHeaders(err *wire.Error) {
	if err == nil && x.Out.ETag != "" {
		x.Out.Set("etag", x.Out.ETag)
	}
	if err == nil && !x.Route.Feed {
		x.Out.Set("content-location", x.scheme()+"://"+x.r.Host+x.r.URL.EscapedPath())
	}
	x.Out.Set("x-ms-activity-id", x.activity())
	x.Out.Set("x-ms-request-charge", strconv.FormatFloat(x.Charge, 'f', 2, 64))
	x.Out.Set("x-ms-request-duration-ms", strconv.FormatFloat(float64(x.duration.Microseconds())/1000, 'f', -1, 64))
	x.Out.Set("x-ms-serviceversion", serviceVersion)
	x.Out.Set("x-ms-gatewayversion", serviceVersion)
	x.Out.Set("x-ms-schemaversion", schemaVersion)
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
