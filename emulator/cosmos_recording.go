package emulator

import (
	"strings"
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/tracing"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// observeCosmos records a request to Cosmos DB.
func (r *recorder) observeCosmos(e *telemetry.Event) {
	if !r.isOn() {
		return
	}
	path := cosmos.RequestPath(e.URL)
	entry := recording.Entry{
		Time: e.At.UTC(), Micros: e.Took.Microseconds(), Service: recording.Cosmos, Operation: e.Operation,
		Principal: e.Caller, Client: clientOf(e.UserAgent), Trace: tracing.Header(e.Headers),
		Method: e.Method, Path: path, Headers: recordedHeaders(e.Headers), Request: cosmos.Recordable(path, e.Request),
		Status: e.Status, Substatus: e.Substatus, Error: e.Error, Answer: cosmos.Recordable(path, e.Response),
		AnswerHeaders: recordedAnswerHeaders(e), Lost: e.ResponseDropped,
		Console: e.UserAgent == control.ConsoleUserAgent,
	}
	if e.Error == "Unauthorized" {
		entry.Answer = nil // the message repeats parts of the Authorization header
	}
	if e.Charge > 0 {
		entry.Consumed = []recording.Consumed{{Database: e.Database, Container: e.Container, Units: e.Charge}}
	}
	r.add(&entry)
}

// recordedHeaders returns the headers that determine what a request does, by names in lower case; nil for none. It has
// no credentials, dates and ids of single requests, and not the form of JSON, because bodies are recorded as text.
func recordedHeaders(headers map[string][]string) map[string]string {
	var recorded map[string]string
	names := cosmosHeaders()
	for name, values := range headers {
		if lower := names[name]; lower != "" && len(values) > 0 {
			if recorded == nil {
				recorded = make(map[string]string, 8)
			}
			recorded[lower] = values[0]
		}
	}
	return recorded
}

// recordedAnswerHeaders returns the headers of a response that later requests may repeat or depend on; nil for none.
func recordedAnswerHeaders(e *telemetry.Event) map[string]string {
	var recorded map[string]string
	set := func(name, value string) {
		if recorded == nil {
			recorded = make(map[string]string, 2)
		}
		recorded[name] = value
	}
	if e.ETag != "" {
		set("etag", e.ETag)
	}
	for i := 0; i+1 < len(e.ResponseHeaders); i += 2 {
		switch name := e.ResponseHeaders[i]; name {
		case "x-ms-continuation", "x-ms-session-token", "x-ms-retry-after-ms":
			set(name, e.ResponseHeaders[i+1])
		}
	}
	return recorded
}

// cosmosHeaders returns the headers of requests to Cosmos DB that are recorded: their names in lower case, by the
// canonical ones. A test compares them with those that the service reads.
var cosmosHeaders = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for name := range strings.FieldsSeq(cosmosHeaderNames) {
		names[name] = strings.ToLower(name)
	}
	return names
})

const cosmosHeaderNames = `
A-Im Content-Type If-Match If-Modified-Since If-None-Match Prefer X-Ms-Consistency-Level X-Ms-Continuation
X-Ms-Cosmos-Batch-Atomic X-Ms-Cosmos-Batch-Continue-On-Error X-Ms-Cosmos-Changefeed-Wire-Format-Version
X-Ms-Cosmos-Intended-Collection-Rid X-Ms-Cosmos-Is-Batch-Request X-Ms-Cosmos-Is-Query-Plan-Request
X-Ms-Cosmos-Migrate-Offer-To-Autopilot X-Ms-Cosmos-Migrate-Offer-To-Manual-Throughput
X-Ms-Cosmos-Offer-Autopilot-Settings X-Ms-Cosmos-Populate-Content-Response-On-Write
X-Ms-Cosmos-Populateindexmetrics X-Ms-Cosmos-Supported-Query-Features X-Ms-Documentdb-Expiry-Seconds
X-Ms-Documentdb-Is-Upsert X-Ms-Documentdb-Isquery X-Ms-Documentdb-Partitionkey
X-Ms-Documentdb-Partitionkeyrangeid X-Ms-Documentdb-Populatequerymetrics X-Ms-Documentdb-Populatequotainfo
X-Ms-Documentdb-Post-Trigger-Include X-Ms-Documentdb-Pre-Trigger-Include X-Ms-Documentdb-Query
X-Ms-Documentdb-Query-Enablecrosspartition X-Ms-Documentdb-Responsecontinuationtokenlimitinkb
X-Ms-Documentdb-Script-Enable-Logging X-Ms-End-Epk X-Ms-Exclude-System-Properties X-Ms-Indexing-Directive
X-Ms-Max-Item-Count X-Ms-Offer-Throughput X-Ms-Read-Key-Type X-Ms-Session-Token X-Ms-Start-Epk X-Ms-Version`
