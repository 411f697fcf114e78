package telemetry

import "time"

// Event is an answered request. Its memory, and everything it points to, is reused when the observers return.
type Event struct {
	Operation       string        // empty if the request named no known operation
	Account         string        // the owner of the tables; empty without isolation
	AccessKey       string        // the id of the key that signed the request; unverified unless identities are configured
	Principal       string        // the caller's ARN; empty without identities
	UserAgent       string        // the client's, as it sent it
	Trace           string        // the header that names the request's trace; empty: none
	Start           time.Time     // on the emulator's clock
	Elapsed         time.Duration // on the machine's clock
	Status          int           // the HTTP status
	Error           string        // the type of the error without its namespace; empty for none
	Request         []byte        // the body, decompressed
	Response        []byte        // the body
	Charges         []Charge      // consumed capacity, whether the request succeeded or not
	Throttles       []Throttle    // throttled reads and writes; in a batch perhaps only some of the items
	Consumed        []Consumption // what else the request consumed
	ResponseDropped bool          // a fault keeps the response from the client
	InjectedError   bool          // a fault made the request fail with an internal error
	Records         StreamRead    // what GetRecords returned; zero for every other operation
	Selected        Selection     // what a PartiQL SELECT returned; zero for every other operation
	// Accesses are the permissions that the request needed, if the service notes them; otherwise only the first that was
	// denied. This memory is not reused.
	Accesses []Access
}

// StreamRead counts the records that one GetRecords read from a stream.
type StreamRead struct {
	Table, Label   string // of the stream; empty: nothing was read
	Records, Bytes int
}

// Selection is the result of a PartiQL SELECT.
type Selection struct {
	Done  bool
	Items int
}

// Access is an action on a resource, in the terms of policies.
type Access struct {
	Action   string              // such as dynamodb:PutItem
	Resource string              // an ARN
	Context  map[string][]string // DynamoDB's condition keys; nil for none
}
