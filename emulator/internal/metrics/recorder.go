package metrics

import (
	"bytes"
	"strings"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
)

// Recorder records DynamoDB's events. For an ordinary request it does not allocate: the series of a table and operation
// are looked up once and cached.
type Recorder struct {
	registry *Registry

	mu        sync.RWMutex
	requests  map[requestKey]*requestSeries
	charges   map[chargeKey]*Series
	forgotten uint64 // the registry's count when the maps were created
}

type requestKey struct{ account, table, operation string }

// requestSeries are the series of each successful request.
type requestSeries struct {
	latency  *Series
	returned *Series // nil unless the operation returns items in pages
}

type chargeKey struct {
	account, table, index string
	write                 bool
}

// NewRecorder returns a recorder into a registry.
func NewRecorder(r *Registry) *Recorder {
	return &Recorder{registry: r, requests: map[requestKey]*requestSeries{}, charges: map[chargeKey]*Series{}}
}

// Observe records an event; it is one of dynamo.Config's Observers.
func (r *Recorder) Observe(e *telemetry.Event) {
	at := e.Start.Unix()
	for i := range e.Charges {
		c := &e.Charges[i]
		if c.Units > 0 {
			r.charge(keyOf(e.Account, c)).Observe(at, c.Units)
		}
		if e.Status == 200 && firstOfTable(e.Charges, i) {
			r.succeeded(e, at, c.Table)
		}
	}
	if e.Records.Table != "" && e.Status == 200 {
		r.read(e, at)
	}
	if e.Status != 200 || len(e.Throttles) > 0 {
		r.failed(e, at)
	}
}

// keyOf returns the key of a charge. A charge of a local secondary index counts for its table, whose capacity it uses.
func keyOf(account string, c *telemetry.Charge) chargeKey {
	key := chargeKey{account, c.Table, c.Index, c.Write}
	if c.Local {
		key.index = ""
	}
	return key
}

// firstOfTable reports whether no charge before the i-th is for the same table.
func firstOfTable(charges []telemetry.Charge, i int) bool {
	for j := range i {
		if charges[j].Table == charges[i].Table {
			return false
		}
	}
	return true
}

func (r *Recorder) succeeded(e *telemetry.Event, at int64, table string) {
	s := r.request(requestKey{e.Account, table, e.Operation})
	s.latency.Observe(at, float64(e.Elapsed)/float64(time.Millisecond))
	if s.returned == nil {
		return
	}
	if n, ok := countOf(e.Response); ok {
		s.returned.Observe(at, float64(n))
	}
	if e.Selected.Done {
		s.returned.Observe(at, float64(e.Selected.Items))
	}
}

// read records what GetRecords read of a stream.
func (r *Recorder) read(e *telemetry.Event, at int64) {
	of := func(name, unit string) *Series {
		return r.registry.Series(ID{e.Account, Namespace, name, []Dimension{
			{"Operation", e.Operation}, {"StreamLabel", e.Records.Label}, {"TableName", e.Records.Table},
		}}, unit)
	}
	of("SuccessfulRequestLatency", milliseconds).Observe(at, float64(e.Elapsed)/float64(time.Millisecond))
	of("ReturnedRecordsCount", count).Observe(at, float64(e.Records.Records))
	of("ReturnedBytes", bytesUnit).Observe(at, float64(e.Records.Bytes))
}

// countOf returns the Count at the start of a page.
func countOf(answer []byte) (n int, ok bool) {
	digits, found := bytes.CutPrefix(answer, []byte(`{"Count":`))
	if !found {
		return 0, false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

func (r *Recorder) request(key requestKey) *requestSeries {
	r.mu.RLock()
	s, ok := r.requests[key]
	current := r.forgotten == r.registry.forgotten.Load()
	r.mu.RUnlock()
	if ok && current {
		return s
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begin()
	key = requestKey{strings.Clone(key.account), strings.Clone(key.table), strings.Clone(key.operation)}
	s = &requestSeries{latency: r.registry.Series(operationID(key, "SuccessfulRequestLatency"), milliseconds)}
	switch key.operation {
	case "ExecuteStatement", "Query", "Scan": // "Query, Scan or ExecuteStatement (select)" (developer guide, metrics)
		s.returned = r.registry.Series(operationID(key, "ReturnedItemCount"), count)
	}
	r.requests[key] = s
	return s
}

func (r *Recorder) charge(key chargeKey) *Series {
	r.mu.RLock()
	s, ok := r.charges[key]
	current := r.forgotten == r.registry.forgotten.Load()
	r.mu.RUnlock()
	if ok && current {
		return s
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begin()
	name := "ConsumedReadCapacityUnits"
	if key.write {
		name = "ConsumedWriteCapacityUnits"
	}
	s = r.registry.Series(tableID(key.account, name, key.table, key.index), count)
	r.charges[key] = s
	return s
}

// begin empties the maps if the registry has dropped series since they were created. r.mu must be held.
func (r *Recorder) begin() {
	if now := r.registry.forgotten.Load(); now != r.forgotten {
		r.forgotten = now
		clear(r.requests)
		clear(r.charges)
	}
}

// Expired counts an item that TTL deleted; it is dynamo.Config's Expired.
func (r *Recorder) Expired(account, table string, at time.Time) {
	r.countOne(tableID(account, "TimeToLiveDeletedItemCount", table, ""), at.Unix())
}

// countOne counts one observation.
func (r *Recorder) countOne(id ID, at int64) { r.registry.Series(id, count).Observe(at, 1) }

// The units of DynamoDB's metrics.
const (
	count        = "Count"
	milliseconds = "Milliseconds"
	percent      = "Percent"
	bytesUnit    = "Bytes"
)

// tableID returns the ID of a metric of a table or of its global secondary index.
func tableID(account, name, table, index string) ID {
	dimensions := []Dimension{{"TableName", table}}
	if index != "" {
		dimensions = []Dimension{{"GlobalSecondaryIndexName", index}, {"TableName", table}}
	}
	return ID{account, Namespace, name, dimensions}
}

func operationID(key requestKey, name string) ID {
	return ID{key.account, Namespace, name, []Dimension{{"Operation", key.operation}, {"TableName", key.table}}}
}
