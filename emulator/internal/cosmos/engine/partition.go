package engine

import (
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
)

// PartitionKeyRange is a partition key range: a range of effective partition keys, with a decimal number as its id.
type PartitionKeyRange struct {
	ID string
	doc.EPKRange
}

// Partition is a physical partition of a container: its range, its ancestors, its throughput and its load.
type Partition struct {
	PartitionKeyRange
	Parents      []string                              // the ids of the ranges it was split from, oldest first
	Budget       atomic.Pointer[throughput.RateBudget] // the database's if the container shares its throughput
	Load         throughput.Load
	Bytes        atomic.Int64 // of its items
	Items        atomic.Int64
	noSplitBelow int64 // no split up to this size in bytes: it was still too large after the last split
}

// newPartitions divides the whole key space evenly.
func newPartitions(key *doc.PartitionKeyDefinition, n int) []*Partition {
	cuts := key.EvenBoundaries(n)
	var all []*Partition
	for i := range n {
		p := &Partition{PartitionKeyRange: PartitionKeyRange{strconv.Itoa(i), doc.FullRange()}}
		if i > 0 {
			p.Low = cuts[i-1]
			all[i-1].High = cuts[i-1]
		}
		all = append(all, p)
	}
	return all
}

// Partitions returns the container's physical partitions in key order.
func (c *Container) Partitions() []*Partition { return *c.partitions.Load() }

// Ranges returns the ranges of the container's physical partitions in key order.
func (c *Container) Ranges() []PartitionKeyRange {
	var all []PartitionKeyRange
	for _, p := range c.Partitions() {
		all = append(all, p.PartitionKeyRange)
	}
	return all
}

// PartitionOf returns the physical partition of an effective partition key.
func (c *Container) PartitionOf(e doc.EPK) *Partition {
	all := c.Partitions()
	for _, p := range all {
		if p.Contains(e) {
			return p
		}
	}
	return all[len(all)-1]
}

// RangeOf returns the range of the physical partition of an effective partition key.
func (c *Container) RangeOf(e doc.EPK) PartitionKeyRange { return c.PartitionOf(e).PartitionKeyRange }

// split splits partitions until there are n, each time the one that was split least often, and gives the new ones ids
// that were never used. It stops early at a partition that is too narrow to split.
func split(key *doc.PartitionKeyDefinition, all []*Partition, n int) []*Partition {
	all = slices.Clone(all)
	for len(all) < n {
		i := fewestParents(all)
		low, high, ok := all[i].halves(key, nextID(all))
		if !ok {
			break
		}
		all = slices.Replace(all, i, i+1, low, high)
	}
	return all
}

// fewestParents returns the index of the first partition among those that were split least often.
func fewestParents(all []*Partition) int {
	best := 0
	for i, p := range all {
		if len(p.Parents) < len(all[best].Parents) {
			best = i
		}
	}
	return best
}

// LastRangeID returns the highest id that any of the container's partition key ranges has had. Each split raises it.
func (c *Container) LastRangeID() int { return nextID(c.Partitions()) - 1 }

// nextID returns an id that no partition has had.
func nextID(all []*Partition) int {
	next := 0
	for _, p := range all {
		for _, id := range append([]string{p.ID}, p.Parents...) {
			if n, err := strconv.Atoi(id); err == nil {
				next = max(next, n+1)
			}
		}
	}
	return next
}

// halves returns the two halves of a partition, with counts of zero.
func (p *Partition) halves(key *doc.PartitionKeyDefinition, id int) (low, high *Partition, ok bool) {
	middle := key.Midpoint(p.Low, p.High)
	if middle == nil {
		return nil, nil, false
	}
	parents := append(slices.Clone(p.Parents), p.ID)
	low = &Partition{PartitionKeyRange: PartitionKeyRange{strconv.Itoa(id), doc.EPKRange{Low: p.Low, High: middle}},
		Parents: parents}
	high = &Partition{PartitionKeyRange: PartitionKeyRange{strconv.Itoa(id + 1), doc.EPKRange{Low: middle, High: p.High}},
		Parents: parents}
	return low, high, true
}

// record returns the stored form of the partition, which is part of its container's.
func (p *Partition) record() doc.Value {
	return doc.Object(
		doc.Member{Name: "id", Value: doc.String(p.ID)},
		doc.Member{Name: "low", Value: doc.String(p.Low.Hex())},
		doc.Member{Name: "high", Value: doc.String(p.High.Hex())},
		doc.Member{Name: "parents", Value: doc.Array(StringValues(p.Parents)...)},
	)
}

// parsePartitions returns the partitions that stored forms describe.
func parsePartitions(records []doc.Value) ([]*Partition, error) {
	var all []*Partition
	for _, v := range records {
		p := &Partition{PartitionKeyRange: PartitionKeyRange{ID: v.Field("id").Str()}}
		var err error
		if low := v.Field("low").Str(); low != "" {
			if p.Low, err = doc.ParseEPK(low); err != nil {
				return nil, err
			}
		}
		if p.High, err = doc.ParseEPK(v.Field("high").Str()); err != nil {
			return nil, err
		}
		for _, id := range v.Field("parents").Elements() {
			p.Parents = append(p.Parents, id.Str())
		}
		all = append(all, p)
	}
	return all, nil
}

// RangeByID returns the range of the physical partition with an id.
func (c *Container) RangeByID(id string) (PartitionKeyRange, bool) {
	for _, r := range c.Ranges() {
		if r.ID == id {
			return r, true
		}
	}
	return PartitionKeyRange{}, false
}

// StringValues returns strings as JSON strings.
func StringValues(all []string) []doc.Value {
	values := make([]doc.Value, len(all))
	for i, text := range all {
		values[i] = doc.String(text)
	}
	return values
}

// HasRange reports whether a physical partition with an id exists. A partition that was split no longer does: its
// session token applies to its children.
func (c *Container) HasRange(id string) bool {
	return slices.ContainsFunc(c.Ranges(), func(r PartitionKeyRange) bool { return r.ID == id })
}

// setRate sets the rate of a partition's budget, in request units per second.
func (p *Partition) setRate(rate float64) {
	if b := p.Budget.Load(); b != nil {
		b.SetRate(rate)
		return
	}
	p.Budget.Store(throughput.NewRateBudget(rate))
}
