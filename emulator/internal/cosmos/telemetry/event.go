package telemetry

import "time"

// Event is an answered request. The memory of its bodies is reused when the observers return.
type Event struct {
	At        time.Time // on the emulator's clock
	Operation string    // such as CreateDocument; empty if the request has none
	Database  string
	Container string
	Status    int // of HTTP
	Substatus int
	Charge    float64       // in request units
	Took      time.Duration // on the machine's clock
	Link      string        // the path of the resource, or of a feed's parent, such as dbs/app/colls/orders
	UserAgent string        // the client's, as it sent it
	Request   []byte        // the body
	Response  []byte        // the body; nil for an error
	Error     string        // the code of the error, such as NotFound; empty for none
	Message   string        // the message of the error
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
