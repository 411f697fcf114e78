package fleet

import "github.com/tabletop-db/tabletop/simulators/sim"

// Merge adds the results of all shards of a fleet, as sim.Merge does.
func Merge(parts []Result) (Result, error) {
	return sim.Merge(parts, func(r *Result) *sim.Run { return &r.Run }, (*Result).addShard)
}

// addShard adds the counts of another shard.
func (res *Result) addShard(p *Result) {
	for _, c := range []struct{ sum, n *int64 }{
		{&res.Registrations, &p.Registrations}, {&res.Reboots, &p.Reboots}, {&res.Crashes, &p.Crashes},
		{&res.Outages, &p.Outages}, {&res.Undelivered, &p.Undelivered}, {&res.Made, &p.Made}, {&res.Sent, &p.Sent},
		{&res.Stored, &p.Stored}, {&res.Duplicate, &p.Duplicate}, {&res.Rejected, &p.Rejected},
		{&res.ReadBack, &p.ReadBack}, {&res.Matched, &p.Matched}, {&res.Lost, &p.Lost}, {&res.StoredTwice, &p.StoredTwice},
		{&res.Changed, &p.Changed}, {&res.Unexpected, &p.Unexpected},
	} {
		*c.sum += *c.n
	}
	res.BrokenInvariants = max(res.BrokenInvariants, p.BrokenInvariants) // of one database, or of one for each shard
}
