package capacity

import "time"

// Charge is the cost of a request in one table or index.
type Charge struct {
	Resource *Resource
	Write    bool
	Units    float64
	// Key is the position in the key space: the hash of the partition key, the partition key, the sort key, in the
	// store's order. For a read of many items it is where the read begins. It is not retained.
	Key []byte
	// Collection is the length of the prefix of Key that all items with the partition key share; 0 if the charge does
	// not belong to one partition key, as for a Scan.
	Collection int
	// Forced means that the charge is admitted even if there is no capacity left, which later ones then have to wait for.
	Forced bool
}

func (c *Charge) op() int {
	if c.Write {
		return write
	}
	return read
}

// Limit is the limit that a request exceeded.
type Limit uint8

// The limits, by the service's throttling reasons ("Diagnosing throttling", throttling-diagnosing-workflow).
const (
	NoLimit      Limit = iota
	Provisioned        // the provisioned capacity and its saved part
	KeyRange           // a partition's maximum, or the current capacity of an on-demand table
	AccountLimit       // the account's quota for each on-demand table and index
	MaxOnDemand        // the configured maximum
)

func (l Limit) String() string {
	return [...]string{"", "ProvisionedThroughputExceeded", "KeyRangeThroughputExceeded", "AccountLimitExceeded",
		"MaxOnDemandThroughputExceeded"}[l]
}

// Throttled is a throttled request: the table or index, and the reason.
type Throttled struct {
	Resource *Resource
	Write    bool
	Limit    Limit
	Index    bool
	OnDemand bool
}

// Reason returns the service's throttling reason, such as TableWriteProvisionedThroughputExceeded.
func (t *Throttled) Reason() string {
	what, op := "Table", "Read"
	if t.Index {
		what = "Index"
	}
	if t.Write {
		op = "Write"
	}
	return what + op + t.Limit.String()
}

// Take charges a request. If any table, index or partition has no capacity left, it charges nothing and returns which.
// So an index without capacity throttles the whole write ("Understanding Global Secondary Index (GSI) write throttling
// and back pressure").
func Take(now time.Time, charges []Charge) *Throttled {
	at := now.UnixNano()
	for i := range charges {
		c := &charges[i]
		limit := c.Resource.take(at, c)
		if limit == NoLimit {
			continue
		}
		for j := range i {
			charges[j].Resource.refund(&charges[j])
		}
		return c.Resource.throttled(c.Write, limit)
	}
	return nil
}

func (r *Resource) throttled(isWrite bool, limit Limit) *Throttled {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &Throttled{Resource: r, Write: isWrite, Limit: limit, Index: r.config.Index, OnDemand: r.config.OnDemand}
}

// take charges one table or index, or returns the exceeded limit.
func (r *Resource) take(now int64, c *Charge) Limit {
	op := c.op()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.roll(now)
	if r.keys == nil {
		r.keys = new(sketch)
	}
	p := r.find(c.Key)
	if r.config.Enforce {
		limit := r.limits[op].exceeded(now, r.config.OnDemand)
		if limit == NoLimit && !p.buckets[op].open(now) {
			limit = KeyRange
		}
		if limit != NoLimit && !c.Forced {
			p.throttled++
			r.keys.throttle(c)
			return limit
		}
		r.limits[op].spend(c.Units)
		p.buckets[op].spend(c.Units)
	}
	r.count(p, c, op)
	return NoLimit
}

// exceeded returns the first limit without capacity.
func (l *limits) exceeded(now int64, onDemand bool) Limit {
	switch {
	case !onDemand && !l.own.open(now):
		return Provisioned
	case !onDemand:
		return NoLimit
	case !l.ceiling.open(now):
		return MaxOnDemand
	case !l.quota.open(now):
		return AccountLimit
	case !l.own.open(now):
		return KeyRange // on-demand capacity grows by partitions
	}
	return NoLimit
}

func (l *limits) spend(units float64) {
	l.own.spend(units)
	l.quota.spend(units)
	l.ceiling.spend(units)
}

// count records an admitted charge.
func (r *Resource) count(p *partition, c *Charge, op int) {
	r.units[op] += c.Units
	p.units[op] += c.Units
	if p.units[op] >= p.nextSample[op] {
		p.sample(c, op)
	}
	r.keys.add(c, op)
}

// refund undoes a charge whose request another table or index throttled.
func (r *Resource) refund(c *Charge) {
	op := c.op()
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.find(c.Key)
	r.limits[op].spend(-c.Units)
	p.buckets[op].spend(-c.Units)
	r.units[op] -= c.Units
	p.units[op] -= c.Units
	r.keys.subtract(c, op)
}
