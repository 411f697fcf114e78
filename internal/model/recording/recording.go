// Package recording is the file of a run's requests: the requests, their callers, and the responses.
//
// A recording is JSON lines in UTF-8. The first line is its Header, each other line an Entry, numbered from 1 in the
// order in which the requests were answered. It never has secrets or signatures; it does have the items in requests.
package recording

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Format is the version of the format that this package writes, and the only one that it reads.
const Format = 1

// kind distinguishes recordings from other files.
const kind = "recording"

// Header is the first line, which describes the emulator.
type Header struct {
	Kind    string    `json:"tabletop"` // always "recording"
	Format  int       `json:"format"`
	Version string    `json:"version"` // of the emulator
	Start   time.Time `json:"start"`   // of the recording, by the emulator's clock
	Seed    uint64    `json:"seed"`
}

// Entry is a request and its response.
type Entry struct {
	N         int64     `json:"n"`
	Time      time.Time `json:"time"`      // of the request, by the emulator's clock
	Micros    int64     `json:"micros"`    // until the response, in microseconds of machine time
	Service   string    `json:"service"`   // its name in signatures, such as dynamodb
	Operation string    `json:"operation"` // empty if the request names no known operation
	Account   string    `json:"account,omitempty"`
	AccessKey string    `json:"accessKey,omitempty"` // the id of the key, not its secret
	Principal string    `json:"principal,omitempty"` // ARN of the caller, if identities are configured
	// Authorization lists the request's actions and resources, as in policies.
	Authorization []Access       `json:"authorization,omitempty"`
	Request       jsontext.Value `json:"request,omitzero"`
	// instead of Request if the body is not JSON; both are absent for an empty body
	RequestBytes []byte         `json:"requestBytes,omitempty"`
	Status       int            `json:"status"`          // of HTTP
	Error        string         `json:"error,omitempty"` // the error's type, without its namespace
	Answer       jsontext.Value `json:"answer,omitzero"`
	// Consumed is the consumed capacity, whether the client requested it or not.
	Consumed []Consumed `json:"consumed,omitempty"`
	// Lost reports that a fault cut the connection after the request was done: the client had no response.
	Lost bool `json:"lost,omitzero"`
	// Console reports that the web console sent the request.
	Console bool `json:"console,omitzero"`
}

// Consumed is the capacity units that a request consumed of a table or an index.
type Consumed struct {
	Table string  `json:"table"`
	Index string  `json:"index,omitempty"`
	Write bool    `json:"write,omitempty"` // write units; otherwise read units
	Units float64 `json:"units"`
}

// Access is an action on a resource that a policy may allow or deny.
type Access struct {
	Action   string              `json:"action"`   // such as dynamodb:PutItem
	Resource string              `json:"resource"` // an ARN
	Context  map[string][]string `json:"context,omitempty"`
}

// Body returns the request as it was sent, without insignificant space.
func (e *Entry) Body() []byte {
	if e.RequestBytes != nil {
		return e.RequestBytes
	}
	return e.Request
}
