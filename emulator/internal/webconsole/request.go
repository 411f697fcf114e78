package webconsole

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	cosmos "github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
	dynamo "github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// maxBody is how many bytes of a body a stream of requests has.
const maxBody = 64 << 10

// maxScanned is how many bytes of a request are searched for the name of its table, which clients send first or last.
const maxScanned = 4 << 10

// request is an answered request in a stream.
type request struct {
	ID         uint64    `json:"id"` // in the order of the responses, from 1
	Cloud      string    `json:"cloud"`
	Time       time.Time `json:"time"`       // by the emulator's clock
	DurationMS float64   `json:"durationMs"` // by the machine's clock
	Operation  string    `json:"operation"`  // empty: it named none
	Target     []string  `json:"target"`     // names of tables, or the path of a resource of Cosmos DB
	Status     int       `json:"status"`
	Substatus  int       `json:"substatus,omitempty"` // of Cosmos DB
	Error      string    `json:"error,omitempty"`
	User       string    `json:"user,omitempty"` // the ARN; without identities, the access key
	Client     string    `json:"client"`         // the user agent
	Console    bool      `json:"console,omitempty"`
	Dropped    bool      `json:"dropped,omitempty"` // a fault kept the response from the client

	Capacity      *capacity `json:"capacity,omitempty"`      // of DynamoDB
	RequestCharge *float64  `json:"requestCharge,omitempty"` // of Cosmos DB, in request units

	Accesses []access `json:"accesses,omitempty"` // of a denied request: what policies do not allow

	*bodies
}

// access is an action on a resource, with the values of condition keys.
type access struct {
	Action   string              `json:"action"`
	Resource string              `json:"resource"`
	Context  map[string][]string `json:"context,omitempty"`
}

// maxAccesses and maxContext are how many accesses of a denied request a stream has, and how many bytes of the values
// of each condition key: a batch can name many keys.
const (
	maxAccesses = 8
	maxContext  = 4 << 10
)

// deniedAccesses copies the accesses of a request that policies do not allow.
func deniedAccesses(e *dynamo.Event) (all []access) {
	if e.Error != identity.AccessDenied {
		return nil
	}
	for _, a := range e.Accesses[:min(len(e.Accesses), maxAccesses)] {
		one := access{strings.Clone(a.Action), strings.Clone(a.Resource), map[string][]string{}}
		for key, values := range a.Context {
			size := 0
			for _, value := range values {
				if size += 16 + len(value); size <= maxContext {
					one.Context[key] = append(one.Context[key], strings.Clone(value))
				}
			}
		}
		all = append(all, one)
	}
	return all
}

// capacity is the capacity that a request consumed, of all tables and indexes together.
type capacity struct {
	Reads  float64 `json:"reads"`
	Writes float64 `json:"writes"`
}

// bodies are the bodies of a request and its response, as they were sent.
type bodies struct {
	Request   string `json:"request"`
	Response  string `json:"response"`
	Truncated bool   `json:"truncated,omitempty"` // one of them is longer than maxBody
}

// size returns about how many bytes a request holds in memory.
func (r *request) size() int64 {
	size := 512 + len(r.Operation) + len(r.Error) + len(r.User) + len(r.Client) // 512: the struct and what it points to
	for _, name := range r.Target {
		size += 16 + len(name) // 16: the string itself
	}
	for _, a := range r.Accesses {
		size += 256 + len(a.Action) + len(a.Resource) // 256: the map
		for _, values := range a.Context {
			for _, value := range values {
				size += 16 + len(value)
			}
		}
	}
	if r.bodies != nil {
		size += len(r.Request) + len(r.Response)
	}
	return int64(size)
}

// dynamoRequestOf copies what a stream shows of a request to DynamoDB.
func dynamoRequestOf(e *dynamo.Event, withBodies bool) *request {
	r := &request{Cloud: control.DynamoDB, Time: e.Start.UTC(), DurationMS: milliseconds(e.Elapsed),
		Operation: e.Operation, Target: dynamoTables(e), Status: e.Status, Error: e.Error, User: e.Principal,
		Client: clientOf(e.UserAgent), Console: e.UserAgent == userAgent, Dropped: e.ResponseDropped,
		Capacity: &capacity{}, Accesses: deniedAccesses(e)}
	if r.User == "" {
		r.User = e.AccessKey
	}
	for _, c := range e.Charges {
		if c.Write {
			r.Capacity.Writes += c.Units
		} else {
			r.Capacity.Reads += c.Units
		}
	}
	if withBodies {
		response := e.Response
		switch e.Error {
		case "IncompleteSignatureException", "InvalidSignatureException": // it repeats headers, perhaps with a signature
			response = nil
		}
		r.bodies = copyBodies(e.Request, response)
	}
	return r
}

// cosmosRequestOf copies what a stream shows of a request to Cosmos DB.
func cosmosRequestOf(e *cosmos.Event, withBodies bool) *request {
	r := &request{Cloud: control.CosmosDB, Time: e.At.UTC(), DurationMS: milliseconds(e.Took), Operation: e.Operation,
		Status: e.Status, Substatus: e.Substatus, Error: e.Error, Client: clientOf(e.UserAgent),
		Console: e.UserAgent == userAgent, Dropped: e.ResponseDropped, RequestCharge: &e.Charge, Target: []string{}}
	if e.Link != "" {
		r.Target = append(r.Target, e.Link)
	}
	if withBodies {
		r.bodies = copyBodies(e.Request, e.Response)
	}
	return r
}

// maxClient is how many bytes of a user agent a stream shows. Those of SDKs have about 200.
const maxClient = 512

// clientOf returns a copy of the beginning of a user agent, so that a stream does not hold all of a long one.
func clientOf(agent string) string { return strings.Clone(agent[:min(len(agent), maxClient)]) }

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func copyBodies(request, response []byte) *bodies {
	return &bodies{Request: string(request[:min(len(request), maxBody)]), Response: string(response[:min(len(response),
		maxBody)]), Truncated: len(request) > maxBody || len(response) > maxBody}
}

// dynamoTables returns the names of the tables of a request: those whose capacity it consumed, or else the one that it
// names.
func dynamoTables(e *dynamo.Event) []string {
	tables := []string{}
	for _, c := range e.Charges {
		if !slices.Contains(tables, c.Table) {
			tables = append(tables, c.Table)
		}
	}
	if name := tableName(e.Request); len(tables) == 0 && name != "" {
		tables = append(tables, name)
	}
	return tables
}

// tableName returns the member TableName of a request, or an empty string. It searches the beginning of the request.
func tableName(body []byte) string {
	d := json.NewDecoder(bytes.NewReader(body[:min(len(body), maxScanned)]))
	member, depth := "", 0 // member: the name whose value is next
	for {
		token, err := d.Token()
		if err != nil {
			return ""
		}
		text, isText := token.(string)
		switch delim, _ := token.(json.Delim); {
		case delim == '{' || delim == '[':
			depth++
		case delim != 0:
			depth--
		case depth == 1 && member == "" && isText:
			member = text
			continue
		case depth == 1 && member == "TableName":
			return text
		}
		if depth == 1 {
			member = ""
		}
	}
}
