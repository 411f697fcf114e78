package cosmos

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// response is what an operation answers.
type response struct {
	status int
	body   []byte
	etag   string
	fields []string   // further headers: name, value, name, value; names in lower case
	room   [18]string // for fields, and for values
	values [6]string
	used   int // of values
}

// set adds a header. The name is in lower case, as the service writes it: the SDK for Java knows it in no other.
func (o *response) set(name, value string) {
	if o.fields == nil {
		o.fields = o.room[:0]
	}
	o.fields = append(o.fields, name, value)
}

// unset takes a header away again.
func (o *response) unset(name string) {
	for i := 0; i < len(o.fields); i += 2 {
		if o.fields[i] == name {
			o.fields = slices.Delete(o.fields, i, i+2)
			return
		}
	}
}

// headerOwner has the resource id of what holds the resource that is answered. Errors have none.
const headerOwner = "x-ms-content-path"

// value is a header's value as net/http has it, in memory that the answer has anyway.
func (o *response) value(text string) []string {
	if o.used == len(o.values) {
		return []string{text}
	}
	o.values[o.used] = text
	o.used++
	return o.values[o.used-1 : o.used : o.used]
}

// reply answers a resource.
func (c *call) reply(status int, v doc.Value) {
	c.out.status, c.out.body = status, doc.Append(nil, v)
	c.out.etag = v.Field("_etag").Str()
}

// replyNothing answers without a body.
func (c *call) replyNothing(status int) { c.out.status, c.out.body = status, nil }

// replyFeed answers a page of resources: the envelope is what the service calls them, such as Databases.
func (c *call) replyFeed(envelope, owner string, resources []doc.Value) {
	c.out.status = http.StatusOK
	c.out.body = doc.Append(nil, doc.Object(
		doc.Member{Name: "_rid", Value: doc.String(owner)},
		doc.Member{Name: envelope, Value: doc.Array(resources...)},
		doc.Member{Name: "_count", Value: doc.Number(float64(len(resources)))},
	))
	c.out.set("x-ms-item-count", strconv.Itoa(len(resources)))
}

// The headers of every answer.
var (
	jsonType       = []string{"application/json"}
	pageType       = []string{"text/html; charset=us-ascii"}
	serviceVersion = []string{"version=2.14.0"} // tools show it and look no further
	schemaVersion  = []string{"1.16"}
)

// buffered is the size in bytes of answers that net/http holds back until all is written, and tells the length of by itself. It
// copies the headers, so each that it has not to is a gain.
const buffered = 2 << 10

// write sends the answer, or the error in its place.
func (x *exchange) write(w http.ResponseWriter, err *Error) {
	h := w.Header()
	if err != nil {
		x.out.status, x.out.body = err.Status, err.body()
		x.out.unset(headerOwner)
		if err.Substatus != 0 {
			x.out.set("x-ms-substatus", strconv.Itoa(err.Substatus))
		}
		if err.RetryAfter > 0 {
			x.out.set("x-ms-retry-after-ms", strconv.FormatInt(max(1, err.RetryAfter.Milliseconds()), 10))
		}
	} else if x.out.etag != "" {
		h["etag"] = x.out.value(x.out.etag)
	}
	if err == nil && !x.route.feed {
		h["content-location"] = []string{x.scheme() + "://" + x.r.Host + x.r.URL.EscapedPath()}
	}
	for i := 0; i+1 < len(x.out.fields); i += 2 {
		h[x.out.fields[i]] = x.out.fields[i+1 : i+2 : i+2]
	}
	h["x-ms-activity-id"] = x.out.value(x.activity())
	h["x-ms-request-charge"] = x.out.value(strconv.FormatFloat(x.charge, 'f', 2, 64))
	h["x-ms-request-duration-ms"] = x.out.value(strconv.FormatFloat(float64(x.took.Microseconds())/1000, 'f', -1, 64))
	h["x-ms-serviceversion"] = serviceVersion
	h["x-ms-gatewayversion"] = serviceVersion
	h["x-ms-schemaversion"] = schemaVersion
	if x.out.status == http.StatusNoContent || x.out.status == http.StatusNotModified {
		w.WriteHeader(x.out.status)
		return
	}
	h["Content-Type"] = jsonType
	if err != nil && err.Page != "" {
		h["Content-Type"] = pageType
	}
	if len(x.out.body) > buffered {
		h["Content-Length"] = x.out.value(strconv.Itoa(len(x.out.body)))
	}
	w.WriteHeader(x.out.status)
	if _, err := w.Write(x.out.body); err != nil {
		x.account.log.Debug("the client did not take its answer", "error", err)
		return // with the room: HTTP/2 may still be at it
	}
	x.buffers.release()
}

// maxActivity is the length of an activity id that is taken over from a request.
const maxActivity = 64

// activity is what the request calls itself, or a new id.
func (x *exchange) activity() string {
	if id := x.header("X-Ms-Activity-Id"); id != "" && len(id) <= maxActivity {
		return id
	}
	return x.account.random.GUID().String()
}
