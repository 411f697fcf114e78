// Package recording is the file of a run's requests: what was asked, by whom, and what was answered.
//
// A recording is JSON lines in UTF-8. The first line is its Header, each other line an Entry, numbered from 1 in the
// order in which the requests were answered. Secrets and signatures are never in it; the items that requests carry are.
package recording

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Format is the version of the format that this package writes, and the only one that it reads.
const Format = 1

// kind tells recordings from other files.
const kind = "recording"

// Header is the first line: what the requests were sent to.
type Header struct {
	Kind    string    `json:"tabletop"` // always "recording"
	Format  int       `json:"format"`
	Version string    `json:"version"` // of the emulator
	Start   time.Time `json:"start"`   // of the recording, by the emulator's clock
	Seed    uint64    `json:"seed"`
}

// Entry is a request and its answer.
type Entry struct {
	N         int64     `json:"n"`
	Time      time.Time `json:"time"`      // of the request, by the emulator's clock
	Micros    int64     `json:"micros"`    // until it was answered, in microseconds of the machine
	Service   string    `json:"service"`   // as signatures name it, such as dynamodb
	Operation string    `json:"operation"` // empty when the request named none that is known
	Account   string    `json:"account,omitempty"`
	AccessKey string    `json:"accessKey,omitempty"` // the id of the key, not its secret
	Principal string    `json:"principal,omitempty"` // the ARN of who asked, where identities are configured
	// Authorization is what the request wanted to do, in the words of policies.
	Authorization []Access       `json:"authorization,omitempty"`
	Request       jsontext.Value `json:"request,omitzero"`
	RequestBytes  []byte         `json:"requestBytes,omitempty"` // in place of Request, where the body is not JSON; an empty body is neither
	Status        int            `json:"status"`                 // of HTTP
	Error         string         `json:"error,omitempty"`        // the error's type, without its namespace
	Answer        jsontext.Value `json:"answer,omitzero"`
	// Consumed is the capacity that was consumed, whether the client asked for it or not.
	Consumed []Consumed `json:"consumed,omitempty"`
	// Lost says that a fault cut the connection after the request was done: the client had no answer.
	Lost bool `json:"lost,omitzero"`
}

// Consumed is the units that a request consumed of a table or an index.
type Consumed struct {
	Table string  `json:"table"`
	Index string  `json:"index,omitempty"`
	Write bool    `json:"write,omitempty"` // write units, or else read units
	Units float64 `json:"units"`
}

// Access is an action on a resource that a policy may allow or deny.
type Access struct {
	Action   string              `json:"action"`   // such as dynamodb:PutItem
	Resource string              `json:"resource"` // an ARN
	Context  map[string][]string `json:"context,omitempty"`
}

// Body is the request as it was sent, without insignificant space.
func (e *Entry) Body() []byte {
	if e.RequestBytes != nil {
		return e.RequestBytes
	}
	return e.Request
}
