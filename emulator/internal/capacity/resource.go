package capacity

import (
	"math"
	"sync"
	"time"
)

// Units are read and write units, a second or in all.
type Units struct{ Read, Write float64 }

func (u Units) of(op int) float64 {
	if op == write {
		return u.Write
	}
	return u.Read
}

const read, write = 0, 1

// Config is what a table or an index was given.
type Config struct {
	Name  string // of the table; of an index, table/index
	ARN   string
	Index bool // a global secondary index
	// OnDemand is the capacity mode; without it, Provisioned is the capacity.
	OnDemand    bool
	Provisioned Units
	// Max are the ceilings of a table on demand that its owner set; 0 is none.
	Max Units
	// Warm is what the table can do at once at least, however little it did before; 0 is what its mode begins with.
	Warm Units
	// LocalIndexes says that the table has local secondary indexes, which keep an item collection on one partition.
	LocalIndexes bool
	// Enforce has requests refused. Without it, they are only counted.
	Enforce bool
}

// Resource is the capacity of one table or global secondary index, and the load on it. It is safe for concurrent use.
type Resource struct {
	mu         sync.Mutex
	config     Config
	warm       [2]float64 // that was reached at any time
	limits     [2]limits
	peaks      [2]peak
	partitions []*partition // in the order of their ranges
	nextID     uint32
	minute     int64 // since 1970, to which the counts of the partitions and keys belong
	units      [2]float64
	keys       *sketch // nil before the first request
	history    []record
}

// limits are what holds a whole table or index back, in the order in which they are tried.
type limits struct {
	quota   bucket // of the account, for what is on demand
	ceiling bucket // that the owner set, for what is on demand
	own     bucket // provisioned, or what the previous peak allows
}

// New makes the capacity of a new table or index.
func New(c Config, now time.Time) *Resource {
	r := &Resource{minute: minuteOf(now.UnixNano())}
	r.plan(c, now.UnixNano())
	return r
}

// Update gives the table or index another capacity. What it saved, its partitions and its peak stay.
func (r *Resource) Update(c Config, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.roll(now.UnixNano())
	r.plan(c, now.UnixNano())
}

// Name is the table's name, or table/index.
func (r *Resource) Name() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.config.Name
}

// ARN names the table or index as the service's errors do.
func (r *Resource) ARN() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.config.ARN
}

// Warm is what the table or index can do in a second at once, its warm throughput, as of the last request.
func (r *Resource) Warm() Units {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Units{r.warm[read], r.warm[write]}
}

// plan derives limits and partitions from a configuration. r.mu must be held, or r be new.
func (r *Resource) plan(c Config, now int64) {
	if c.OnDemand != r.config.OnDemand {
		r.limits = [2]limits{} // of the other mode: nothing was saved in this one
	}
	r.config = c
	for op := range r.limits {
		r.raise(op)
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

// raise brings the warm throughput up to what mode, owner and peak say. It never falls. ("Understanding DynamoDB warm
// throughput": 12,000 and 4,000 on demand; with provisioned capacity the highest that there was.)
func (r *Resource) raise(op int) {
	c, w := &r.config, &r.warm[op]
	*w = max(*w, c.Warm.of(op))
	if !c.OnDemand {
		*w = max(*w, c.Provisioned.of(op))
		return
	}
	*w = max(*w, Units{initialReads, initialWrites}.of(op), peakGrowth*r.peaks[op].previous)
}

// addPartitions makes as many partitions as the capacity needs, none of which has a larger share of the hashes than it
// can do of the capacity. They are never merged. (For provisioned capacity, reads through 3,000 plus writes through
// 1,000, as AWS's guide of 2012 to 2018 has it; for warm throughput, as many as can do either.)
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
	for i := r.widest(); float64(r.width(i))*need > 1<<32+hashDust && r.halve(i, now); i = r.widest() {
	}
}
