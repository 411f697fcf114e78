package engine

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
)

// arrival is a write of another region as it reaches a replica. It consumes capacity there: one replicated write unit
// for each KB of the item, and write units for the entries of indexes. (Developer guide, "Understanding Amazon DynamoDB
// billing for global tables".) A deletion by time to live costs nothing where it happens, but here. ("Throughput
// capacity planning for DynamoDB global tables".)
type arrival struct {
	engine  *Engine
	from    uint32 // id of the table that was written
	written time.Time
	forced  bool     // it does not wait for capacity
	request *Request // that wrote, while it is in progress; nil: another one did, or none
	charges []telemetry.Charge
}

// arrivalThrottled reports that a replica has no capacity left for a write of another region.
type arrivalThrottled struct {
	table uint32 // id of the replica
	limit *capacity.Throttled
}

func (*arrivalThrottled) Error() string { return "the replica has no write capacity left" }

// charge charges the replica for the change. Error: arrivalThrottled.
func (r *arrival) charge(c *Change) error {
	charges := c.appendCharges(nil)
	for i := range charges {
		charges[i].Forced = r.forced
	}
	if throttled := capacity.Take(r.engine.Clock.Now(), charges); throttled != nil {
		return &arrivalThrottled{c.Table.Def.ID, throttled}
	}
	r.charges = append(r.charges[:0], telemetry.Charge{Table: c.Table.Def.Name, Write: true, Units: c.units.table})
	for _, x := range c.units.indexes {
		r.charges = append(r.charges, telemetry.Charge{Table: c.Table.Def.Name, Index: x.index.Name, Local: x.index.Local,
			Write: true, Units: x.units})
	}
	return nil
}

// report reports that the write reached the replica to, or that it is throttled there.
func (r *arrival) report(to *Table, throttle *telemetry.Throttle) {
	s := r.engine
	source, target := s.located(r.from), s.located(to.Def.ID)
	if s.OnReplicatedWrite == nil || source == nil || target == nil {
		return
	}
	s.OnReplicatedWrite(&telemetry.ReplicatedWrite{Source: source.Account.Name, Account: target.Account.Name,
		Region: to.Def.Region(), Table: to.Def.Name, Strong: to.IsStrong(), Written: r.written, Time: s.Clock.Now(),
		Charges: r.charges, Throttle: throttle})
}
