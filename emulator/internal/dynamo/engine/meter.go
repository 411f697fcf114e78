package engine

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
)

// ApplyCapacity applies the capacity of a table's definition to the table and each of its global indexes. Measurements
// under the previous definition continue. No operation may use the table yet.
func (a *Account) ApplyCapacity(t *Table) {
	now := a.Engine.Clock.Now()
	t.Stats.setCapacity(a.capacityConfig(t), now)
	for _, x := range t.Indexes {
		if !x.Local { // a local one uses the table's capacity
			x.Stats.setCapacity(a.indexCapacityConfig(t, x), now)
		}
	}
}

// applyNewCapacity applies the capacity of a definition only to a new table and to new indexes.
func (a *Account) applyNewCapacity(t *Table) {
	now := a.Engine.Clock.Now()
	if t.Stats.Meter == nil {
		t.Stats.setCapacity(a.capacityConfig(t), now)
	}
	for _, x := range t.Indexes {
		if !x.Local && x.Stats.Meter == nil {
			x.Stats.setCapacity(a.indexCapacityConfig(t, x), now)
		}
	}
}

func (s *Stats) setCapacity(c capacity.Config, now time.Time) {
	if s.Meter == nil {
		s.Meter = capacity.New(c, now)
		return
	}
	s.Meter.Update(c, now)
}

func (a *Account) capacityConfig(t *Table) capacity.Config {
	d := t.Def
	return capacity.Config{
		Name: d.Name, ARN: d.ARN, OnDemand: d.BillingMode == OnDemand, Provisioned: d.Throughput.units(),
		Max: d.OnDemand.units(), Warm: d.Warm.units(), LocalIndexes: len(d.Local) > 0, Enforce: a.Engine.Throttling,
	}
}

func (a *Account) indexCapacityConfig(t *Table, x *Index) capacity.Config {
	d := t.Def.Global[IndexAt(t.Def.Global, x.Name)]
	return capacity.Config{
		Name: t.Def.Name + "/" + x.Name, ARN: t.Def.ARN + "/index/" + x.Name, Index: true,
		OnDemand: t.Def.BillingMode == OnDemand, Provisioned: d.Throughput.units(), Max: d.OnDemand.units(),
		Warm: d.Warm.units(), Enforce: a.Engine.Throttling,
	}
}

func (u Throughput) units() capacity.Units {
	return capacity.Units{Read: float64(u.ReadCapacityUnits), Write: float64(u.WriteCapacityUnits)}
}

func (u OnDemandThroughput) units() capacity.Units {
	return capacity.Units{Read: float64(u.Reads), Write: float64(u.Writes)}
}

// KeyPrefixLength is the number of leading bytes in a store key that identify the table or index. A hash of hashLength
// bytes follows.
const KeyPrefixLength, hashLength = 5, 4

// chargeAt returns the charge, still without units, at a key of the table or of its index x. inCollection means that
// the key belongs to an item collection, and is not merely where a Scan begins.
func (t *Table) chargeAt(x *Index, key []byte, inCollection bool) capacity.Charge {
	c := capacity.Charge{Resource: t.Stats.Meter, Key: key}
	keys := &t.Keys
	if x != nil {
		keys = &x.Keys
		if !x.Local {
			c.Resource = x.Stats.Meter
		}
	}
	if len(key) < KeyPrefixLength {
		return c
	}
	c.Key = key[KeyPrefixLength:]
	if inCollection && len(c.Key) > hashLength {
		c.Collection = hashLength
		for i := range keys.Hash {
			c.Collection += item.KeyLen(c.Key[c.Collection:], keys.Hash[i].Type)
		}
	}
	return c
}

// chargeWrite charges the caller for a change, in the table and in each index that it changed. It runs in the change's
// transaction: on an error nothing is written. Writes of the service itself have no caller and cost nothing, except in
// the replicas that they reach.
func (c *Change) chargeWrite() error {
	switch {
	case c.arrival != nil:
		return c.arrival.charge(c)
	case c.Request == nil:
		return nil
	}
	c.Request.charges = c.appendCharges(c.Request.charges[:0])
	if throttled := c.Request.takeCapacity(c.Request.charges); throttled != nil {
		return c.Request.RecordThrottle(c.Table, throttled)
	}
	c.Request.addCharge(c.Table, nil, true, c.units.table*c.costFactor())
	for _, x := range c.units.indexes {
		c.Request.addCharge(c.Table, x.index, true, x.units)
		if !x.index.Local {
			c.Request.recordAccesses(c.Table, x.index, 1)
		}
	}
	c.Request.recordAccesses(c.Table, nil, 1)
	return nil
}

// appendCharges appends the charges of a change, in the table and in each index that it changed.
func (c *Change) appendCharges(dst []capacity.Charge) []capacity.Charge {
	charge := c.Table.chargeAt(nil, c.Key, true)
	charge.Write, charge.Units = true, c.units.table*c.costFactor()
	dst = append(dst, charge)
	for _, x := range c.units.indexes {
		charge := c.Table.chargeAt(x.index, x.key, true)
		charge.Write, charge.Units = true, x.units
		dst = append(dst, charge)
	}
	return dst
}

// updatePartitionSizes applies a committed change to the stored sizes of partitions.
func (c *Change) updatePartitionSizes() {
	if len(c.counts) == 0 { // nothing was written
		return
	}
	charge := c.Table.chargeAt(nil, c.Key, true)
	charge.Resource.Grow(charge.Key, int64(c.NewSize-c.OldSize))
	for _, x := range c.units.indexes {
		charge := c.Table.chargeAt(x.index, x.key, true)
		charge.Resource.Grow(charge.Key, int64(x.sizeDelta))
	}
}

// ChargeRead charges the caller for a read of items of the table, or of its index x, at a key; for a Scan, at the key
// where the page begins. On an error the response is withheld.
func (r *Request) ChargeRead(t *Table, x *Index, items int, units float64, key []byte, scan bool) error {
	if units == 0 {
		return nil
	}
	charge := t.chargeAt(x, key, !scan)
	charge.Units = units
	r.charges = append(r.charges[:0], charge)
	if throttled := r.takeCapacity(r.charges); throttled != nil {
		return r.RecordThrottle(t, throttled)
	}
	r.addCharge(t, x, false, units)
	r.recordAccesses(t, x, items)
	return nil
}

// takeCapacity admits all charges or, if there is no capacity for one of them, none.
func (r *Request) takeCapacity(charges []capacity.Charge) *capacity.Throttled {
	return capacity.Take(r.Engine.Clock.Now(), charges)
}

// RecordThrottle records that a table or an index had no capacity left, and returns the error.
func (r *Request) RecordThrottle(t *Table, throttled *capacity.Throttled) error {
	throttle := t.throttle(throttled)
	r.Event.Throttles = append(r.Event.Throttles, throttle)
	x, _ := t.Index(throttle.Index)
	r.recordThrottledKey(t, x)
	return throttledError(throttled)
}

// throttle describes that the table, or an index of it, had no capacity left.
func (t *Table) throttle(throttled *capacity.Throttled) telemetry.Throttle {
	limit := map[capacity.Limit]telemetry.Limit{
		capacity.Provisioned: telemetry.ProvisionedLimit, capacity.KeyRange: telemetry.KeyRangeLimit,
		capacity.MaxOnDemand: telemetry.OnDemandLimit, capacity.AccountLimit: telemetry.AccountLimit,
	}[throttled.Limit]
	d := telemetry.Throttle{Table: t.Def.Name, Write: throttled.Write, Limit: limit}
	for _, x := range t.Indexes {
		if x.Stats.Meter == throttled.Resource {
			d.Index = x.Name
		}
	}
	return d
}

// AddWrite adds the cost of a change.
func (c *ConsumedCapacity) AddWrite(w *Change) {
	c.Table += w.units.table * w.costFactor()
	for _, x := range w.units.indexes {
		c.AddIndex(x.index, x.units)
	}
	for _, x := range w.units.vectors {
		c.addVector(x)
	}
}
