package usage

import (
	"fmt"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/internal/model/cost"
)

// testTables is a recorder with tables that the test sets.
type testTables struct {
	*Recorder
	clock    *clock.Clock
	holdings []telemetry.TableResources
	keys     int
	broken   bool // the next sample panics
}

func newTestTables(t testing.TB) *testTables {
	d := &testTables{clock: clock.Manual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))}
	d.Recorder = New(d.clock, d, OtherResources{Keys: func() int { return d.keys }})
	t.Cleanup(d.Close)
	return d
}

func (d *testTables) AppendTableResources(dst []telemetry.TableResources) []telemetry.TableResources {
	if d.broken {
		d.broken = false
		panic("broken")
	}
	return append(dst, d.holdings...)
}

// set changes the tables, like an observed operation.
func (d *testTables) set(all ...telemetry.TableResources) {
	d.holdings = all
	d.Observe(&telemetry.Event{Operation: "UpdateTable", Status: 200})
}

func (d *testTables) advance(t testing.TB, by time.Duration) {
	t.Helper()
	if err := d.clock.Advance(by); err != nil {
		t.Fatal(err)
	}
}

// want fails the test unless the usage is exactly this, by "table kind".
func (d *testTables) want(t *testing.T, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	for _, l := range d.Usage().Lines {
		if l.Quantity.Sign() != 0 {
			got[l.Table+" "+string(l.Kind)] = l.Quantity.Text(4)
		}
	}
	for what, quantity := range want {
		if got[what] != quantity {
			t.Errorf("%s: %q, want %s", what, got[what], quantity)
		}
		delete(got, what)
	}
	if len(got) > 0 {
		t.Errorf("besides %v", got)
	}
}

func request(table string, reads, writes float64) *telemetry.Event {
	return &telemetry.Event{Status: 200, Charges: []telemetry.Charge{{Table: table, Units: reads},
		{Table: table, Write: true, Units: writes}}}
}

func TestRequestsArePaidForOnDemandOnly(t *testing.T) {
	t.Parallel()
	d := newTestTables(t)
	d.set(telemetry.TableResources{Table: "a", OnDemand: true}, telemetry.TableResources{Table: "b", Reads: 5, Writes: 2},
		telemetry.TableResources{Account: "k/eu", Table: "c", OnDemand: true, InfrequentAccess: true})
	d.Observe(request("a", 0.5, 1))
	d.Observe(request("b", 100, 100))
	e := request("c", 1, 3)
	e.Account = "k/eu"
	d.Observe(e)
	d.advance(t, 90*time.Minute)
	d.want(t, map[string]string{
		"a read-request-units": "0.5", "a write-request-units": "1", "b read-capacity-hours": "7.5",
		"b write-capacity-hours":       "3",
		"k@eu:c read-request-units-ia": "1", "k@eu:c write-request-units-ia": "3",
	})
}

// TestReplicatedWritesAreOfTheTable checks that a table with replicas has replicated write units, and its global
// indexes ordinary ones.
func TestReplicatedWritesAreOfTheTable(t *testing.T) {
	t.Parallel()
	d := newTestTables(t)
	provisioned := telemetry.TableResources{Table: "a", Reads: 3, Writes: 7, IndexWrites: 2, Replicated: true}
	onDemand := telemetry.TableResources{Account: "k/eu", Table: "b", OnDemand: true, InfrequentAccess: true,
		Replicated: true}
	d.set(provisioned)
	d.Begin()
	d.set(provisioned, onDemand)
	d.Replicated(&telemetry.ReplicatedWrite{Account: "k/eu", Charges: []telemetry.Charge{
		{Table: "b", Write: true, Units: 4}, {Table: "b", Index: "local", Local: true, Write: true, Units: 2},
		{Table: "b", Index: "global", Write: true, Units: 1}}})
	d.advance(t, time.Hour)
	d.want(t, map[string]string{
		"a read-capacity-hours": "3", "a replicated-write-capacity-hours": "5", "a write-capacity-hours": "2",
		"k@eu:b replicated-write-request-units-ia": "6", "k@eu:b write-request-units-ia": "1",
	})
}

// TestSamplingContinuesAfterAPanic checks that a panic loses the usage until then, and nothing after it.
func TestSamplingContinuesAfterAPanic(t *testing.T) {
	t.Parallel()
	d := newTestTables(t)
	d.set(telemetry.TableResources{Table: "a", Reads: 1, Writes: 2})
	d.broken = true
	d.advance(t, time.Hour)
	if d.broken {
		t.Fatal("there was no sample within an hour")
	}
	last := d.sampledAt
	d.advance(t, 10*time.Hour)
	if !d.sampledAt.After(last) {
		t.Error("there was no sample after the one that panicked")
	}
	d.want(t, map[string]string{"a read-capacity-hours": "10", "a write-capacity-hours": "20"})
}

// TestBillingModeChangeSplitsTheBill checks that usage before a change is billed by the settings of that time.
func TestBillingModeChangeSplitsTheBill(t *testing.T) {
	t.Parallel()
	d := newTestTables(t)
	d.set(telemetry.TableResources{Table: "a", OnDemand: true})
	d.Observe(request("a", 0, 10))
	d.advance(t, time.Hour)
	d.set(telemetry.TableResources{Table: "a", Reads: 1, Writes: 1})
	d.Observe(request("a", 0, 10))
	d.advance(t, 2*time.Hour)
	d.set()
	d.advance(t, time.Hour)
	d.want(t, map[string]string{"a write-request-units": "10", "a read-capacity-hours": "2",
		"a write-capacity-hours": "2"})
}

// TestStorageIsPaidForByTime has a table of 2 GB for half a month that grows to 4 GB in the other half, in hourly
// steps.
func TestStorageIsPaidForByTime(t *testing.T) {
	t.Parallel()
	d := newTestTables(t)
	h := telemetry.TableResources{Table: "a", OnDemand: true, Bytes: 2 << 30, RecoveryBytes: 2 << 30}
	d.keys = 1
	d.set(h)
	d.advance(t, cost.Month/2)
	d.Usage()
	for range 365 {
		d.advance(t, time.Hour)
		h.Bytes += (2 << 30) / 365
		d.set(h)
	}
	d.want(t, map[string]string{"a storage-gb-months": "2.4986", "a pitr-gb-months": "2", " kms-key-months": "1"})
	d.Begin()
	d.want(t, nil)
}

func TestOtherRequestsAreCounted(t *testing.T) {
	t.Parallel()
	d := newTestTables(t)
	d.Observe(&telemetry.Event{Operation: "GetRecords", Status: 200, Response: make([]byte, 1<<20)})
	d.Observe(&telemetry.Event{Operation: "GetRecords", Status: 400})
	d.KeyRequest()
	d.want(t, map[string]string{" stream-reads": "1", " transfer-out-gb": "0.001", " kms-requests": "1"})
}

// TestConsumptionIsBilled checks that what is consumed besides capacity is billed, also of a table that no sample has,
// and that vector indexes have the prices of their table's class.
func TestConsumptionIsBilled(t *testing.T) {
	t.Parallel()
	d := newTestTables(t)
	d.set(telemetry.TableResources{Table: "a", OnDemand: true, InsightRules: 4},
		telemetry.TableResources{Table: "b", OnDemand: true, InfrequentAccess: true})
	e := &telemetry.Event{Consumed: []telemetry.Consumption{
		{Table: "a", Kind: telemetry.CapturedChanges, Quantity: 3}, {Table: "a", Kind: telemetry.InsightEvents, Quantity: 7},
		{Table: "a", Kind: telemetry.VectorWrites, Quantity: 1 << 29},
		{Table: "b", Kind: telemetry.VectorWrites, Quantity: 1 << 30},
		{Table: "b", Kind: telemetry.VectorSearches, Quantity: 1 << 31},
	}}
	if lines := d.Request(e).Lines; len(lines) != 5 || lines[3].Kind != cost.VectorWritesIA ||
		lines[1].Quantity.String() != "7" {
		t.Errorf("one request: %+v", lines)
	}
	d.Observe(e)
	for kind := telemetry.Restored; kind < telemetry.ConsumptionKinds; kind++ {
		d.Consume("", telemetry.Consumption{Table: "new", Kind: kind, Quantity: int64(kind) << 30})
	}
	d.advance(t, cost.Month/2)
	d.want(t, map[string]string{
		"a change-data-capture-units": "3", "a insight-events": "7", "a vector-write-gb": "0.5", "a insight-rule-months": "2",
		"b vector-write-gb-ia": "1", "b vector-search-gb-ia": "2",
		"new restored-gb": "4", "new imported-gb": "5", "new exported-gb": "6", "new incrementally-exported-gb": "7",
		"new bulk-put-gb": "8", "new accelerated-bulk-put-gb": "9",
	})
}

func TestRequestCost(t *testing.T) {
	t.Parallel()
	d := newTestTables(t)
	d.set(telemetry.TableResources{Table: "a", OnDemand: true}, telemetry.TableResources{Table: "b", Writes: 1})
	e := request("a", 0, 2)
	e.Charges = append(e.Charges, telemetry.Charge{Table: "b", Write: true, Units: 5})
	u := d.Request(e)
	if len(u.Lines) != 2 || u.Lines[1].Kind != cost.WriteRequests || u.Lines[1].Quantity.String() != "2" {
		t.Errorf("%+v", u)
	}
}

func TestObservingTakesNoMemory(t *testing.T) {
	d := newTestTables(t)
	d.set(telemetry.TableResources{Table: "a", OnDemand: true})
	e := request("a", 0.5, 1)
	e.Operation = "PutItem"
	if n := testing.AllocsPerRun(100, func() { d.Observe(e) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkObserve(b *testing.B) {
	d := newTestTables(b)
	d.set(telemetry.TableResources{Table: "a", OnDemand: true})
	e := &telemetry.Event{Operation: "PutItem", Status: 200,
		Charges: []telemetry.Charge{{Table: "a", Write: true, Units: 1}}}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			d.Observe(e)
		}
	})
}

// TestCostsOfDroppedTablesAreMerged drops many tables: their costs are added up, and those of other tables are not.
func TestCostsOfDroppedTablesAreMerged(t *testing.T) {
	t.Parallel()
	d := newTestTables(t)
	kept := telemetry.TableResources{Table: "kept", OnDemand: true}
	const dropped = maxSums/2 + 1 // each has two sums; the last is dropped after the others are merged
	for i := range dropped {
		name := fmt.Sprint("dropped-", i)
		d.set(kept, telemetry.TableResources{Table: name, OnDemand: true})
		d.Sample()
		d.Observe(request(name, 1, 2))
		d.Sample()
	}
	d.Observe(request("kept", 5, 7))
	d.set(kept)
	d.want(t, map[string]string{
		"kept read-request-units": "5", "kept write-request-units": "7",
		"(dropped tables) read-request-units":  fmt.Sprint(dropped - 1),
		"(dropped tables) write-request-units": fmt.Sprint(2 * (dropped - 1)),
		"dropped-1000 read-request-units":      "1", "dropped-1000 write-request-units": "2",
	})
}
