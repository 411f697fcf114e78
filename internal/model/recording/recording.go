// Package recording is the file of a run's requests to DynamoDB and Cosmos DB: the requests, their callers, and the
// responses.
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
	Service   string    `json:"service"`   // DynamoDB or Cosmos
	Operation string    `json:"operation"` // empty if the request names no known operation
	Account   string    `json:"account,omitempty"`
	AccessKey string    `json:"accessKey,omitempty"` // the id of the key, not its secret
	// Principal is the ARN of the caller, if identities are configured; of Cosmos DB what authenticated the request, such
	// as "primary key".
	Principal string `json:"principal,omitempty"`
	Client    string `json:"client,omitempty"` // the user agent, up to MaxClient bytes
	Trace     string `json:"trace,omitempty"`  // the header traceparent, or else X-Amzn-Trace-Id
	// Method, Path and Headers are of a request to Cosmos DB. The path is escaped; names of headers are in lower case.
	Method  string            `json:"method,omitempty"`
	Path    string            `json:"path,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	// Authorization lists the request's actions and resources, as in policies.
	Authorization []Access       `json:"authorization,omitempty"`
	Request       jsontext.Value `json:"request,omitzero"`
	// instead of Request if the body is not JSON; both are absent for an empty body
	RequestBytes []byte         `json:"requestBytes,omitempty"`
	Status       int            `json:"status"`             // of HTTP
	Substatus    int            `json:"substatus,omitzero"` // of Cosmos DB
	Error        string         `json:"error,omitempty"`    // the error's type, without its namespace
	Answer       jsontext.Value `json:"answer,omitzero"`
	// AnswerHeaders are what later requests to Cosmos DB may repeat or depend on: ETag, session token, continuation, and
	// the milliseconds after which a throttled client may retry.
	AnswerHeaders map[string]string `json:"answerHeaders,omitempty"`
	// Consumed is the consumed capacity, whether the client requested it or not.
	Consumed []Consumed `json:"consumed,omitempty"`
	// Lost reports that a fault cut the connection after the request was done: the client had no response.
	Lost bool `json:"lost,omitzero"`
	// Console reports that the web console sent the request.
	Console bool `json:"console,omitzero"`
}

// Values of Entry.Service.
const (
	DynamoDB = "dynamodb" // also of DynamoDB Streams
	Cosmos   = "cosmos"
)

// MaxClient is the number of bytes of a user agent that are recorded.
const MaxClient = 512

// Consumed is the capacity that a request consumed: units of a table or an index of DynamoDB, or request units of a
// container of Cosmos DB.
type Consumed struct {
	Table     string  `json:"table,omitempty"`
	Index     string  `json:"index,omitempty"`
	Write     bool    `json:"write,omitzero"` // write units; otherwise read units
	Database  string  `json:"database,omitempty"`
	Container string  `json:"container,omitempty"` // empty: the request was about the database, or the account
	Units     float64 `json:"units"`
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
