package usage

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/internal/model/cost"
)

// Tables lists the tables: a dynamo.Service.
type Tables interface {
	AppendTableResources(dst []telemetry.TableResources) []telemetry.TableResources
}

// OtherResources count resources besides tables that AWS bills by time. A nil function means none.
type OtherResources struct {
	Keys        func() int   // customer managed KMS keys
	Alarms      func() int   // CloudWatch alarms
	BackupBytes func() int64 // size of on-demand backups
}

// Recorder adds up usage since its creation or the last Begin. It is safe for concurrent use.
type Recorder struct {
	clock  *clock.Clock
	tables Tables
	others OtherResources

	streamReads, sent, keyRequests atomic.Int64

	mu          sync.RWMutex // read lock: use of tallies; write lock: everything else
	begun       time.Time
	sampledAt   time.Time
	last        map[tableRef]telemetry.TableResources // as of the last sample
	counts      counts                                // as of the last sample
	tally       map[tableRef]*tally
	sums        map[sum]cost.Amount
	cancelTimer func() // cancels the next timed sample; nil if none is due
	interval    time.Duration
	closed      bool
}

// tableRef identifies a table of an account.
type tableRef struct{ account, table string }

// tally is the consumption of a table since the last sample. Capacity units are in half units, of which all charges are
// multiples.
type tally struct {
	reads, writes atomic.Int64 // of the table and its local indexes
	indexWrites   atomic.Int64 // of its global indexes
	consumed      [telemetry.ConsumptionKinds]atomic.Int64
	kinds         atomic.Pointer[requestKinds] // nil while the table is provisioned
	infrequent    atomic.Bool                  // the class of the table is Standard-Infrequent Access
}

// counts are the numbers of resources besides tables.
type counts struct {
	keys, alarms int
	backups      int64
}

type sum struct {
	table string
	kind  cost.Kind
}

// New returns a recorder that starts now. It receives events through Observe.
func New(c *clock.Clock, tables Tables, others OtherResources) *Recorder {
	r := &Recorder{clock: c, tables: tables, others: others}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begin()
	return r
}

// Begin starts again from zero.
func (r *Recorder) Begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begin()
}

func (r *Recorder) begin() {
	for _, n := range []*atomic.Int64{&r.streamReads, &r.sent, &r.keyRequests} {
		n.Store(0)
	}
	r.begun, r.sampledAt = r.clock.Now(), r.clock.Now()
	r.tally, r.sums, r.last = map[tableRef]*tally{}, map[sum]cost.Amount{}, map[tableRef]telemetry.TableResources{}
	r.sample()
}

// Observe records an event; it is one of dynamo.Config's Observers. For an ordinary request it does not allocate.
func (r *Recorder) Observe(e *telemetry.Event) {
	r.sent.Add(int64(len(e.Response)))
	for i := range e.Charges {
		r.charge(e.Account, &e.Charges[i])
	}
	for i := range e.Consumed {
		r.Consume(e.Account, e.Consumed[i])
	}
	switch e.Operation {
	case "GetRecords":
		if e.Status == 200 {
			r.streamReads.Add(1)
		}
	case "CreateTable", "UpdateTable", "DeleteTable", "ImportTable", "UpdateContinuousBackups", "CreateBackup",
		"DeleteBackup", "RestoreTableFromBackup", "RestoreTableToPointInTime", "UpdateContributorInsights":
		if e.Status == 200 {
			r.Sample()
		}
	}
}

func (r *Recorder) charge(account string, c *telemetry.Charge) {
	r.withTally(tableRef{account, c.Table}, func(t *tally) { t.add(c) })
}

// Consume records what an account consumed besides capacity units.
func (r *Recorder) Consume(account string, c telemetry.Consumption) {
	r.withTally(tableRef{account, c.Table}, func(t *tally) { t.consumed[c.Kind].Add(c.Quantity) })
}

// withTally calls add with the tally of a table, which is current during the call.
func (r *Recorder) withTally(at tableRef, add func(*tally)) {
	r.mu.RLock()
	t, known := r.tally[at]
	if known {
		add(t)
	}
	r.mu.RUnlock()
	if known {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	add(r.tallyOf(at))
}

func (t *tally) add(c *telemetry.Charge) {
	halves := int64(c.Units * 2)
	switch {
	case !c.Write:
		t.reads.Add(halves)
	case c.Index == "" || c.Local:
		t.writes.Add(halves)
	default:
		t.indexWrites.Add(halves)
	}
}

// Replicated records a write that reached a replica in another region; it is part of dynamo.Config's OnReplicatedWrite.
func (r *Recorder) Replicated(w *telemetry.ReplicatedWrite) {
	for i := range w.Charges {
		r.charge(w.Account, &w.Charges[i])
	}
}

// tallyOf returns the tally of a table, creating it if needed.
func (r *Recorder) tallyOf(at tableRef) *tally {
	t := r.tally[at]
	if t == nil {
		t = new(tally)
		r.tally[tableRef{strings.Clone(at.account), strings.Clone(at.table)}] = t
	}
	return t
}

// KeyRequest counts a request to KMS.
func (r *Recorder) KeyRequest() { r.keyRequests.Add(1) }

// Usage returns the usage until now.
func (r *Recorder) Usage() cost.Usage {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sample()
	u := cost.Usage{From: r.begun, Span: r.sampledAt.Sub(r.begun)}
	for at, quantity := range r.sums {
		u.Lines = append(u.Lines, cost.Use{Table: at.table, Kind: at.kind, Quantity: quantity})
	}
	for kind, n := range map[cost.Kind]*atomic.Int64{cost.StreamReads: &r.streamReads, cost.KeyRequests: &r.keyRequests} {
		u.Lines = append(u.Lines, cost.Use{Kind: kind, Quantity: cost.Fraction(n.Load(), 1)})
	}
	u.Lines = append(u.Lines, cost.Use{Kind: cost.TransferOut, Quantity: cost.Fraction(r.sent.Load(), gigabyte)})
	return u
}

// requestKinds are the kinds of cost that a table's request units have.
type requestKinds struct{ read, write, indexWrite cost.Kind }

// kindsOf returns the kinds of a table's request units, or nil for a provisioned table, which is billed by the hour.
// Writes of a table with replicas, but not of its global indexes, are replicated write units.
func kindsOf(h telemetry.TableResources) *requestKinds {
	switch {
	case !h.OnDemand:
		return nil
	case h.InfrequentAccess:
		return &requestKinds{cost.ReadRequestsIA, replicated(h, cost.WriteRequestsIA), cost.WriteRequestsIA}
	}
	return &requestKinds{cost.ReadRequests, replicated(h, cost.WriteRequests), cost.WriteRequests}
}

// of returns the kind of a charge.
func (k *requestKinds) of(c *telemetry.Charge) cost.Kind {
	switch {
	case !c.Write:
		return k.read
	case c.Index == "" || c.Local:
		return k.write
	}
	return k.indexWrite
}

// replicated returns the kind of a table's writes, where kind is that of a table without replicas.
func replicated(h telemetry.TableResources, kind cost.Kind) cost.Kind {
	if h.Replicated {
		return kind.Replicated()
	}
	return kind
}

// billed returns the kind and the quantity of cost for a quantity of consumption. infrequent is true of tables of the
// class Standard-Infrequent Access.
func billed(kind telemetry.ConsumptionKind, quantity int64, infrequent bool) (cost.Kind, cost.Amount) {
	kinds := [...]struct {
		standard, infrequent cost.Kind // of every class; of its tables, where it is another one
		per                  int64
	}{
		telemetry.CapturedChanges:     {cost.CapturedChanges, "", 1},
		telemetry.InsightEvents:       {cost.InsightEvents, "", 1},
		telemetry.VectorWrites:        {cost.VectorWrites, cost.VectorWritesIA, gigabyte},
		telemetry.VectorSearches:      {cost.VectorSearches, cost.VectorSearchesIA, gigabyte},
		telemetry.Restored:            {cost.Restored, "", gigabyte},
		telemetry.Imported:            {cost.Imported, "", gigabyte},
		telemetry.Exported:            {cost.Exported, "", gigabyte},
		telemetry.ExportedChanges:     {cost.ExportedChanges, "", gigabyte},
		telemetry.BulkPuts:            {cost.BulkPuts, "", gigabyte},
		telemetry.AcceleratedBulkPuts: {cost.AcceleratedBulkPuts, "", gigabyte},
	}
	k := kinds[kind]
	if infrequent && k.infrequent != "" {
		k.standard = k.infrequent
	}
	return k.standard, cost.Fraction(quantity, k.per)
}

// Request returns the usage of one request that is billed by request.
func (r *Recorder) Request(e *telemetry.Event) cost.Usage {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var u cost.Usage
	for _, c := range e.Charges {
		t := r.tally[tableRef{e.Account, c.Table}]
		if t == nil {
			continue
		}
		if kinds := t.kinds.Load(); kinds != nil {
			u.Lines = append(u.Lines, cost.Use{Table: c.Table, Kind: kinds.of(&c), Quantity: cost.FromFloat(c.Units)})
		}
	}
	for _, c := range e.Consumed {
		t := r.tally[tableRef{e.Account, c.Table}]
		kind, quantity := billed(c.Kind, c.Quantity, t != nil && t.infrequent.Load())
		u.Lines = append(u.Lines, cost.Use{Table: c.Table, Kind: kind, Quantity: quantity})
	}
	return u
}
