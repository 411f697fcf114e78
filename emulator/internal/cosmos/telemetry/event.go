package telemetry

import "time"

// Event is an answered request.
type Event struct {
	At        time.Time // on the emulator's clock
	Operation string    // such as CreateDocument; empty where the request named none
	Database  string
	Container string
	Status    int // of HTTP
	Substatus int
	Charge    float64       // in request units
	Took      time.Duration // on the machine's clock
}

// Throughput is what a container may use and has used.
type Throughput struct {
	Database, Container string
	Provisioned         float64 // request units per second; the maximum with autoscale
	Autoscaled          float64 // the current throughput with autoscale, from a tenth of the maximum; 0 where it is manual
	Normalized          float64 // of 1: used by the busiest partition in the hottest second of the last minute
	Items, Bytes        int64
	Partitions          int
}
