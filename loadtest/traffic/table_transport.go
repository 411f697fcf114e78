package traffic

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/usage"
)

// tableTransport is the HTTP transport between the attacker and the database. It reads each response to its end,
// records what it was charged, and passes on only its beginning: keeping 100 KB of each of thousands of responses would
// measure the generator.
type tableTransport struct {
	base        http.RoundTripper
	meter       *usage.Meter
	table       string
	key         []byte // the JSON name of the partition key, which occurs once per item
	unprocessed atomic.Int64
}

// responseBuffers pools the buffers for reading responses.
var responseBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// responsePrefix is how much of a successful response is passed on, in bytes. An error is passed on whole.
const responsePrefix = 64

// RoundTrip sends a request.
func (l *tableTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := l.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	buf := responseBuffers.Get().(*bytes.Buffer)
	defer responseBuffers.Put(buf)
	buf.Reset()
	if _, err = io.Copy(buf, res.Body); err != nil {
		_ = res.Body.Close()
		return nil, err
	}
	if err := res.Body.Close(); err != nil {
		return nil, err
	}
	if res.StatusCode == http.StatusOK {
		l.recordUnits(r, buf.Bytes())
	} else {
		text, _ := databaseError(buf.Bytes())
		code, _, _ := strings.Cut(text, ":")
		l.meter.CountThrottled(code)
	}
	body := buf.Bytes()
	if res.StatusCode == http.StatusOK {
		body = body[:min(len(body), responsePrefix)]
	}
	res.Body = io.NopCloser(bytes.NewReader(bytes.Clone(body)))
	return res, nil
}

// recordUnits records the units and the unprocessed items of a response.
func (l *tableTransport) recordUnits(r *http.Request, answer []byte) {
	operation := r.Header.Get("X-Amz-Target")
	reads := strings.HasSuffix(operation, "GetItem")
	_, name, _ := strings.Cut(operation, ".")
	l.meter.Record(r.URL.Fragment, name+" "+l.table, l.table, reads, unitsIn(answer), time.Now())
	if !strings.HasPrefix(name, "Batch") {
		return
	}
	// It is after the items, which may be 100 KB.
	if n := bytes.LastIndex(answer, []byte(`"Unprocessed`)); n >= 0 {
		l.unprocessed.Add(int64(bytes.Count(answer[n:], l.key)))
	}
}

// unitsIn returns the total of ConsumedCapacity. A response about one table has one, near its beginning or its end.
func unitsIn(answer []byte) float64 {
	const name = `"CapacityUnits":`
	at := bytes.LastIndex(answer, []byte(name))
	if at < 0 {
		return 0
	}
	text := answer[at+len(name):]
	end := bytes.IndexFunc(text, func(c rune) bool { return c != '.' && (c < '0' || c > '9') })
	units, err := strconv.ParseFloat(string(text[:max(end, 0)]), 64)
	if err != nil {
		return 0
	}
	return units
}
