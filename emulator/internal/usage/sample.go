package usage

import (
	"maps"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/internal/model/cost"
)

// gigabyte is AWS's GB in bytes.
const gigabyte = 1 << 30

// The clock triggers a sample of the tables every hour while they change, and less and less often, down to once a day,
// while they do not.
const (
	minInterval = time.Hour
	maxInterval = 24 * time.Hour
)

// Sample reads the state of the tables, after one has changed.
func (r *Recorder) Sample() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sample()
}

// Close stops the timed samples.
func (r *Recorder) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cancelTimer != nil {
		r.cancelTimer()
	}
	r.closed = true
}

// scheduleSample schedules the next timed sample. r.mu must be held.
func (r *Recorder) scheduleSample(changed bool) {
	if r.cancelTimer != nil {
		r.cancelTimer()
		r.cancelTimer = nil
	}
	if r.closed || len(r.last) == 0 && r.counts == (counts{}) {
		return
	}
	r.interval = min(2*r.interval, maxInterval)
	if changed || r.interval == 0 {
		r.interval = minInterval
	}
	r.cancelTimer = r.clock.At(r.sampledAt.Add(r.interval), r.Sample)
}

// sample adds the usage since the last sample, with the settings that tables had then; a change of settings triggers a
// sample at once. The next sample is scheduled even if this one panics. r.mu must be held.
func (r *Recorder) sample() {
	changed := true
	defer func() { r.scheduleSample(changed) }()
	now := r.clock.Now()
	span := now.Sub(r.sampledAt)
	r.sampledAt = now
	current := map[tableRef]telemetry.TableResources{}
	for _, h := range r.tables.AppendTableResources(nil) {
		current[tableRef{h.Account, h.Table}] = h
	}
	for at, was := range r.last {
		is, kept := current[at]
		if !kept {
			is = was
		}
		r.addHolding(at, was, is, span)
	}
	r.consumed(current)
	r.count(span)
	r.mergeDropped(current)
	changed = !maps.Equal(r.last, current)
	r.last = current
}

// addHolding adds what a table had over a span of time.
func (r *Recorder) addHolding(at tableRef, previous, current telemetry.TableResources, span time.Duration) {
	if span <= 0 {
		return
	}
	storage, reads, writes := cost.Storage, cost.ReadHours, cost.WriteHours
	if previous.InfrequentAccess {
		storage, reads, writes = cost.StorageIA, cost.ReadHoursIA, cost.WriteHoursIA
	}
	r.overTime(at, storage, previous.Bytes+current.Bytes, 2*gigabyte, span, cost.Month)
	if previous.RecoveryBytes > 0 {
		r.overTime(at, cost.Recovery, previous.RecoveryBytes+max(current.RecoveryBytes, previous.RecoveryBytes), 2*gigabyte,
			span, cost.Month)
	}
	r.overTime(at, reads, previous.Reads, 1, span, time.Hour)
	r.overTime(at, replicated(previous, writes), previous.Writes-previous.IndexWrites, 1, span, time.Hour)
	r.overTime(at, writes, previous.IndexWrites, 1, span, time.Hour)
	r.overTime(at, cost.InsightRules, previous.InsightRules, 1, span, cost.Month)
}

// overTime adds n/per of a resource over a span, in units of unit.
func (r *Recorder) overTime(at tableRef, kind cost.Kind, n, per int64, span, unit time.Duration) {
	if n != 0 {
		r.add(at, kind, cost.Fraction(n, per).Mul(cost.Fraction(int64(span), int64(unit))))
	}
}

func (r *Recorder) add(at tableRef, kind cost.Kind, quantity cost.Amount) {
	s := sum{at.name(), kind}
	r.sums[s] = r.sums[s].Add(quantity)
}

// name returns the name of the table in the usage.
func (t tableRef) name() string {
	if t.account == "" || t.table == "" {
		return t.table
	}
	key, region, _ := strings.Cut(t.account, "/") // an account is an access key and a region
	return key + "@" + region + ":" + t.table
}

// maxSums is how many sums are kept before those of dropped tables are merged: those of about 500 tables.
const maxSums = 2000

// droppedTables is the name in the usage for tables that do not exist any more, once there are many. No table can have
// it.
const droppedTables = "(dropped tables)"

// mergeDropped adds the sums of dropped tables up under one name, if there are many sums. r.mu must be held.
func (r *Recorder) mergeDropped(current map[tableRef]telemetry.TableResources) {
	if len(r.sums) <= max(maxSums, 8*len(current)) {
		return
	}
	named := map[string]bool{"": true, droppedTables: true}
	for at := range current {
		named[at.name()] = true
	}
	for s, quantity := range r.sums {
		if !named[s.table] {
			merged := sum{droppedTables, s.kind}
			r.sums[merged] = r.sums[merged].Add(quantity)
			delete(r.sums, s)
		}
	}
}

// consumed empties the tallies. The capacity units of on-demand tables are billed.
func (r *Recorder) consumed(current map[tableRef]telemetry.TableResources) {
	for at, is := range current {
		if r.tally[at] == nil {
			r.tallyOf(at).configure(is)
		}
	}
	for at, t := range r.tally {
		reads, writes, indexWrites := t.reads.Swap(0), t.writes.Swap(0), t.indexWrites.Swap(0)
		if kinds := t.kinds.Load(); kinds != nil {
			r.halves(at, kinds.read, reads)
			r.halves(at, kinds.write, writes)
			r.halves(at, kinds.indexWrite, indexWrites)
		}
		for kind := range t.consumed {
			if n := t.consumed[kind].Swap(0); n > 0 {
				kind, quantity := billed(telemetry.ConsumptionKind(kind), n, t.infrequent.Load())
				r.add(at, kind, quantity)
			}
		}
		is, kept := current[at]
		t.configure(is)
		if !kept {
			delete(r.tally, at)
		}
	}
}

// configure sets how what a table consumes from now on is billed.
func (t *tally) configure(is telemetry.TableResources) {
	t.kinds.Store(kindsOf(is))
	t.infrequent.Store(is.InfrequentAccess)
}

// halves adds half units.
func (r *Recorder) halves(at tableRef, kind cost.Kind, n int64) {
	if n > 0 {
		r.add(at, kind, cost.Fraction(n, 2))
	}
}

// count adds the resources besides tables over a span.
func (r *Recorder) count(span time.Duration) {
	if span > 0 {
		r.overTime(tableRef{}, cost.Keys, int64(r.counts.keys), 1, span, cost.Month)
		r.overTime(tableRef{}, cost.Alarms, int64(r.counts.alarms), 1, span, cost.Month)
		r.overTime(tableRef{}, cost.Backups, r.counts.backups, gigabyte, span, cost.Month)
	}
	r.counts = r.others.count()
}

// SampleOthers samples everything if the number of resources besides tables has changed since the last sample.
func (r *Recorder) SampleOthers() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.others.count() != r.counts {
		r.sample()
	}
}

// count returns the current numbers.
func (o OtherResources) count() (c counts) {
	if o.Keys != nil {
		c.keys = o.Keys()
	}
	if o.Alarms != nil {
		c.alarms = o.Alarms()
	}
	if o.BackupBytes != nil {
		c.backups = o.BackupBytes()
	}
	return c
}
