package capacity

import "time"

// Charge is what a request costs one table or index.
type Charge struct {
	Resource *Resource
	Write    bool
	Units    float64
	// Key is where in the key space: the hash of the partition key, the partition key, the sort key, in the order of
	// the store. A read of many items names where it begins. It is not kept.
	Key []byte
	// Collection is how many bytes of Key all items of the partition key have in common; 0 if the charge belongs to no
	// one partition key, as a Scan's.
	Collection int
}

func (c *Charge) op() int {
	if c.Write {
		return write
	}
	return read
}

// Limit is what a request exceeded.
type Limit uint8

// The limits, in the words of the service's throttling reasons ("Diagnosing throttling",
// throttling-diagnosing-workflow).
const (
	NoLimit      Limit = iota
	Provisioned        // the provisioned capacity and what was saved of it
	KeyRange           // a partition's maximum, or what a table on demand has grown to
	AccountLimit       // the account's quota for each table and index on demand
	MaxOnDemand        // the ceiling that the owner set
)

func (l Limit) String() string {
	return [...]string{"", "ProvisionedThroughputExceeded", "KeyRangeThroughputExceeded", "AccountLimitExceeded", "MaxOnDemandThroughputExceeded"}[l]
}

// Throttled is a request that was refused: by which table or index, and why.
type Throttled struct {
	Resource *Resource
	Write    bool
	Limit    Limit
	Index    bool
	OnDemand bool
}

// Reason is the service's throttling reason, such as TableWriteProvisionedThroughputExceeded.
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

// Take charges a request, all of it or, if any table, index or partition has no capacity left, nothing: then it says
// which. A write that an index has no capacity for is so held back as a whole ("Understanding Global Secondary Index
// (GSI) write throttling and back pressure").
func Take(now time.Time, charges []Charge) *Throttled {
	at := now.UnixNano()
	for i := range charges {
		c := &charges[i]
		limit := c.Resource.take(at, c)
		if limit == NoLimit {
			continue
		}
		for j := range i {
			charges[j].Resource.giveBack(&charges[j])
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

// take charges one table or index, or says what is exceeded.
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
		if limit == NoLimit && !p.left[op].open(now) {
			limit = KeyRange
		}
		if limit != NoLimit {
			p.throttled++
			r.keys.throttle(c)
			return limit
		}
		r.limits[op].spend(c.Units)
		p.left[op].spend(c.Units)
	}
	r.count(p, c, op)
	return NoLimit
}

// exceeded is the first limit that has no capacity left.
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
		return KeyRange // what is on demand grows by partitions
	}
	return NoLimit
}

func (l *limits) spend(units float64) {
	l.own.spend(units)
	l.quota.spend(units)
	l.ceiling.spend(units)
}

// count notes what was admitted.
func (r *Resource) count(p *partition, c *Charge, op int) {
	r.units[op] += c.Units
	p.units[op] += c.Units
	if p.units[op] >= p.nextSample[op] {
		p.sample(c, op)
	}
	r.keys.add(c, op)
}

// giveBack undoes a charge whose request was refused elsewhere.
func (r *Resource) giveBack(c *Charge) {
	op := c.op()
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.find(c.Key)
	r.limits[op].spend(-c.Units)
	p.left[op].spend(-c.Units)
	r.units[op] -= c.Units
	p.units[op] -= c.Units
	r.keys.takeBack(c, op)
}
