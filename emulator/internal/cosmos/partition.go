package cosmos

import (
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// keyRange is a partition key range: a range of effective partition keys, with an id that is a number in text.
type keyRange struct {
	id string
	doc.EPKRange
}

// partition is a physical partition of a container: a range, where it came from, and what it does.
type partition struct {
	keyRange
	parents []string                   // the ranges that it was split from, the oldest first
	budget  atomic.Pointer[rateBudget] // the database's where the container shares its throughput
	load    load
	bytes   atomic.Int64 // of the items in it
	items   atomic.Int64
	spared  int64 // bytes up to which it is not split for being full, though it is: a split before left it all there was
}

// Limits of a physical partition.
const (
	// maxPartitionRate is the throughput that one partition can have ("Provisioned throughput in Azure Cosmos DB").
	maxPartitionRate = 10_000
	// startingRate is what a new container beyond maxPartitionRate has for each partition ("Best practices for scaling
	// provisioned throughput (RU/s)"): room to grow to maxPartitionRate without a split.
	startingRate = 6_000
	// maxPartitionBytes is what one partition can hold: 50 GB.
	maxPartitionBytes = 50 << 30
)

// startingPartitions is how many physical partitions a new container of a throughput has.
func startingPartitions(rate int) int {
	if rate <= maxPartitionRate {
		return 1
	}
	return (rate + startingRate - 1) / startingRate
}

// neededPartitions is how many physical partitions a throughput takes at least.
func neededPartitions(rate int) int {
	return max(1, (rate+maxPartitionRate-1)/maxPartitionRate)
}

// newPartitions cuts the whole key space evenly.
func newPartitions(key *doc.PartitionKeyDefinition, n int) []*partition {
	cuts := key.EvenCuts(n)
	var all []*partition
	for i := range n {
		p := &partition{keyRange: keyRange{strconv.Itoa(i), doc.WholeRange()}}
		if i > 0 {
			p.Low = cuts[i-1]
			all[i-1].High = cuts[i-1]
		}
		all = append(all, p)
	}
	return all
}

// partitions are the container's physical partitions, in the order of their keys.
func (c *container) partitions() []*partition { return *c.parts.Load() }

// ranges are the ranges of the container's physical partitions, in the order of their keys.
func (c *container) ranges() []keyRange {
	var all []keyRange
	for _, p := range c.partitions() {
		all = append(all, p.keyRange)
	}
	return all
}

// partitionOf is the physical partition of an effective partition key.
func (c *container) partitionOf(e doc.EPK) *partition {
	all := c.partitions()
	for _, p := range all {
		if p.Holds(e) {
			return p
		}
	}
	return all[len(all)-1]
}

// rangeOf is the range of the physical partition of an effective partition key.
func (c *container) rangeOf(e doc.EPK) keyRange { return c.partitionOf(e).keyRange }

// split parts the partitions until there are n, always the widest of them, and gives the new ones ids that no other ever had.
// Partitions that are too narrow to be parted stay.
func split(key *doc.PartitionKeyDefinition, all []*partition, n int) []*partition {
	all = slices.Clone(all)
	for len(all) < n {
		i := fewestParents(all)
		low, high, ok := all[i].part(key, nextID(all))
		if !ok {
			break
		}
		all = slices.Replace(all, i, i+1, low, high)
	}
	return all
}

// fewestParents is the first of the partitions that were split least often.
func fewestParents(all []*partition) int {
	best := 0
	for i, p := range all {
		if len(p.parents) < len(all[best].parents) {
			best = i
		}
	}
	return best
}

func nextID(all []*partition) int {
	next := 0
	for _, p := range all {
		for _, id := range append([]string{p.id}, p.parents...) {
			if n, err := strconv.Atoi(id); err == nil {
				next = max(next, n+1)
			}
		}
	}
	return next
}

// part is a partition in two halves, of which nothing is counted yet.
func (p *partition) part(key *doc.PartitionKeyDefinition, id int) (low, high *partition, ok bool) {
	middle := key.Middle(p.Low, p.High)
	if middle == nil {
		return nil, nil, false
	}
	parents := append(slices.Clone(p.parents), p.id)
	low = &partition{keyRange: keyRange{strconv.Itoa(id), doc.EPKRange{Low: p.Low, High: middle}}, parents: parents}
	high = &partition{keyRange: keyRange{strconv.Itoa(id + 1), doc.EPKRange{Low: middle, High: p.High}}, parents: parents}
	return low, high, true
}

// record is the partition as it is stored in its container's.
func (p *partition) record() doc.Value {
	return doc.Object(
		doc.Member{Name: "id", Value: doc.String(p.id)},
		doc.Member{Name: "low", Value: doc.String(p.Low.Hex())},
		doc.Member{Name: "high", Value: doc.String(p.High.Hex())},
		doc.Member{Name: "parents", Value: doc.Array(texts(p.parents)...)},
	)
}

// partitionsOf are partitions as they were stored.
func partitionsOf(records []doc.Value) ([]*partition, error) {
	var all []*partition
	for _, v := range records {
		p := &partition{keyRange: keyRange{id: v.Field("id").Str()}}
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
			p.parents = append(p.parents, id.Str())
		}
		all = append(all, p)
	}
	return all, nil
}
