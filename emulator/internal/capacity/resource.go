package capacity

import (
	"math"
	"sync"
	"time"
)

// Units are read and write units, either in total or per second.
type Units struct{ Read, Write float64 }

func (u Units) of(op int) float64 {
	if op == write {
		return u.Write
	}
	return u.Read
}

const read, write = 0, 1

// Config is the capacity settings of a table or an index.
type Config struct {
	Name  string // the table's name; for an index, table/index
	ARN   string
	Index bool // a global secondary index
	// OnDemand is the capacity mode. Without it, Provisioned is the capacity.
	OnDemand    bool
	Provisioned Units
	// Max is the configured maximum throughput of an on-demand table; 0 is none.
	Max Units
	// Warm is the warm throughput that the table has at least; 0 is the minimum of its mode.
	Warm Units
	// LocalIndexes means that the table has local secondary indexes, which keep an item collection in one partition.
	LocalIndexes bool
	// Enforce enables throttling. Without it, requests are only counted.
	Enforce bool
}

// Resource is the capacity of one table or global secondary index, and its load. It is safe for concurrent use.
type Resource struct {
	mu         sync.Mutex
	config     Config
	warm       [2]float64 // the warm throughput, which never falls
	limits     [2]limits
	peaks      [2]peak
	partitions []*partition // in the order of their ranges
	nextID     uint32
	minute     int64 // the current minute since 1970
	units      [2]float64
	keys       *sketch // nil before the first request
	history    []record
}

// limits are the limits of a whole table or index, in the order in which they are checked.
type limits struct {
	quota   bucket // of the account, for on-demand
	ceiling bucket // the configured maximum, for on-demand
	own     bucket // provisioned, or what the previous peak allows
}

// New returns the Resource of a new table or index.
func New(c Config, now time.Time) *Resource {
	r := &Resource{minute: minuteOf(now.UnixNano())}
	r.plan(c, now.UnixNano())
	return r
}

// Update changes the capacity of the table or index. Saved capacity, partitions and peak stay.
func (r *Resource) Update(c Config, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.roll(now.UnixNano())
	r.plan(c, now.UnixNano())
}

// Name returns the table's name, or table/index.
func (r *Resource) Name() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.config.Name
}

// ARN returns the ARN of the table or index, as errors show it.
func (r *Resource) ARN() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.config.ARN
}

// Warm returns the warm throughput of the table or index, as of the last request.
func (r *Resource) Warm() Units {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Units{r.warm[read], r.warm[write]}
}

// plan derives limits and partitions from a configuration. r.mu must be held, unless r is new.
func (r *Resource) plan(c Config, now int64) {
	if c.OnDemand != r.config.OnDemand {
		r.limits = [2]limits{} // of the other mode: nothing was saved in this one
	}
	r.config = c
	for op := range r.limits {
		r.raiseWarm(op)
		l := &r.limits[op]
		if !c.OnDemand {
			l.own.set(now, c.Provisioned.of(op), burstSeconds)
			continue
		}
		l.quota.set(now, TableQuota, 1)
		l.own.set(now, r.warm[op], 1)
		l.ceiling.set(now, c.Max.of(op), 1)
	}
	r.addPartitions(now)
}

// raiseWarm raises the warm throughput to what mode, configuration and peak imply. It never falls. ("Understanding
// DynamoDB warm throughput": 12,000 and 4,000 for on-demand; for provisioned capacity, the highest so far.)
func (r *Resource) raiseWarm(op int) {
	c, w := &r.config, &r.warm[op]
	*w = max(*w, c.Warm.of(op))
	if !c.OnDemand {
		*w = max(*w, c.Provisioned.of(op))
		return
	}
	*w = max(*w, Units{initialReads, initialWrites}.of(op), peakGrowth*r.peaks[op].previous)
}

// addPartitions adds the partitions that the capacity needs, so that the share of the hashes of none exceeds the share
// of the capacity that a partition can serve. Partitions are never merged. (Provisioned capacity needs reads/3,000 +
// writes/1,000, as in AWS's guide of 2012 to 2018; warm throughput needs the larger of the two.)
func (r *Resource) addPartitions(now int64) {
	need := max(r.warm[read]/partitionReads, r.warm[write]/partitionWrites)
	if c := &r.config; !c.OnDemand {
		need = max(need, c.Provisioned.Read/partitionReads+c.Provisioned.Write/partitionWrites)
	}
	need = min(need, maxPlanned)
	if r.partitions == nil {
		r.firstPartitions(max(1, int(math.Ceil(need))), now)
		return
	}
	for i := r.widest(); float64(r.width(i))*need > 1<<32+hashRounding && r.halve(i, now); i = r.widest() {
	}
}
