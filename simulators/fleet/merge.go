package fleet

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Merge adds the results of all shards of a fleet, given in any order. Errors: there are none, they are of different
// fleets, or a shard is missing or there twice.
func Merge(parts []Result) (Result, error) {
	if len(parts) == 0 {
		return Result{}, errors.New("no results of shards")
	}
	parts = slices.SortedFunc(slices.Values(parts), func(a, b Result) int {
		return cmp.Compare(a.Shard.Number, b.Shard.Number)
	})
	sum := parts[0]
	for i, p := range parts {
		switch {
		case p.Devices != sum.Devices || p.Seed != sum.Seed || p.Shard.Of != sum.Shard.Of || !p.From.Equal(sum.From):
			return sum, errors.New("the results are of different fleets: give all shards the same --devices, --seed and --start")
		case p.Shard.Number != i+1 || p.Shard.Of < len(parts):
			return sum, fmt.Errorf("a fleet needs each of its shards once; these have %d of %d", len(parts), sum.Shard.Of)
		case i > 0:
			sum.addShard(p)
		}
	}
	if len(parts) != sum.Shard.Of {
		return sum, fmt.Errorf("a fleet needs each of its shards once; these have %d of %d", len(parts), sum.Shard.Of)
	}
	sum.Shard.Number, sum.Shard.Of = 0, 0
	return sum, nil
}

// addShard adds the counts of another shard.
func (res *Result) addShard(p Result) {
	for _, c := range []struct{ sum, n *int64 }{
		{&res.Requests, &p.Requests}, {&res.Errors, &p.Errors}, {&res.ResponsesLost, &p.ResponsesLost},
		{&res.Registrations, &p.Registrations}, {&res.Reboots, &p.Reboots}, {&res.Crashes, &p.Crashes},
		{&res.Outages, &p.Outages}, {&res.Undelivered, &p.Undelivered}, {&res.Made, &p.Made}, {&res.Sent, &p.Sent},
		{&res.Stored, &p.Stored}, {&res.Duplicate, &p.Duplicate}, {&res.Rejected, &p.Rejected},
		{&res.ReadBack, &p.ReadBack}, {&res.Matched, &p.Matched}, {&res.Lost, &p.Lost}, {&res.StoredTwice, &p.StoredTwice},
		{&res.Changed, &p.Changed}, {&res.Unexpected, &p.Unexpected},
	} {
		*c.sum += *c.n
	}
	if p.To.After(res.To) {
		res.To = p.To
	}
	res.WallSeconds = max(res.WallSeconds, p.WallSeconds)
	res.Reconciled = res.Reconciled && p.Reconciled
	for _, text := range p.Faults {
		res.fault(text)
	}
}
