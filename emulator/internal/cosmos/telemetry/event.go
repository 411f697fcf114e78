package telemetry

import (
	"net/url"
	"time"
)

// Event is an answered request. The memory of its bodies and of ResponseHeaders is reused when the observers return.
type Event struct {
	At        time.Time // when it came, on the emulator's clock
	Method    string    // of HTTP
	URL       *url.URL  // of the request
	Operation string    // such as CreateDocument; empty if the request has none
	Database  string
	Container string
	Status    int // of HTTP
	Substatus int
	Charge    float64       // in request units
	Took      time.Duration // on the machine's clock
	Link      string        // the path of the resource, or of a feed's parent, such as dbs/app/colls/orders
	UserAgent string        // the client's, as it sent it
	Caller    string        // such as "primary key"; empty if the request is not authenticated
	Request   []byte        // the body, as it was sent: JSON may be in binary form
	Response  []byte        // the body, perhaps in binary form too
	Error     string        // the code of the error, such as NotFound; empty for none

	ResponseDropped bool // a fault keeps the response from the client

	// Headers are the request's headers, by canonical names, and ResponseHeaders those of the response that depend on the
	// operation, as names in lower case and values in turn. They have secrets: observers show what they know only.
	Headers         map[string][]string
	ResponseHeaders []string
	ETag            string // the response's header; empty: none
}

// Throughput is the provisioned and the used throughput of a container, and its size.
type Throughput struct {
	Database, Container string
	Provisioned         float64 // request units per second; the maximum with autoscale
	Autoscaled          float64 // the current throughput with autoscale, from a tenth of the maximum; 0: manual
	Normalized          float64 // 0 to 1: the fraction of its rate that the busiest partition used in its peak second
	Items, Bytes        int64
	Partitions          int
}
