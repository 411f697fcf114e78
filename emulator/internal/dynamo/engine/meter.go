package engine

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
)

// Measure applies the capacity of a table's definition to the table and each of its global indexes. Measurements under
// the previous definition continue. No operation may use the table yet.
func (a *Account) Measure(t *Table) {
	now := a.Engine.Clock.Now()
	t.Stats.measure(a.capacityOf(t), now)
	for _, x := range t.Indexes {
		if !x.Local { // a local one uses the table's capacity
			x.Stats.measure(a.capacityOfIndex(t, x), now)
		}
	}
}

// measureNew applies the capacity of a definition only to a new table and to new indexes.
func (a *Account) measureNew(t *Table) {
	now := a.Engine.Clock.Now()
	if t.Stats.Meter == nil {
		t.Stats.measure(a.capacityOf(t), now)
	}
	for _, x := range t.Indexes {
		if !x.Local && x.Stats.Meter == nil {
			x.Stats.measure(a.capacityOfIndex(t, x), now)
		}
	}
}

func (s *Stats) measure(c capacity.Config, now time.Time) {
	if s.Meter == nil {
		s.Meter = capacity.New(c, now)
		return
	}
	s.Meter.Update(c, now)
}

func (a *Account) capacityOf(t *Table) capacity.Config {
	d := t.Def
	return capacity.Config{
		Name: d.Name, ARN: d.ARN, OnDemand: d.BillingMode == OnDemand, Provisioned: d.Throughput.units(),
		Max: d.OnDemand.units(), Warm: d.Warm.units(), LocalIndexes: len(d.Local) > 0, Enforce: a.Engine.Throttling,
	}
}

func (a *Account) capacityOfIndex(t *Table, x *Index) capacity.Config {
	d := t.Def.Global[IndexAt(t.Def.Global, x.Name)]
	return capacity.Config{
		Name: t.Def.Name + "/" + x.Name, ARN: t.Def.ARN + "/index/" + x.Name, Index: true,
		OnDemand: t.Def.BillingMode == OnDemand, Provisioned: d.Throughput.units(), Max: d.OnDemand.units(), Warm: d.Warm.units(), Enforce: a.Engine.Throttling,
	}
}

func (u Throughput) units() capacity.Units {
	return capacity.Units{Read: float64(u.ReadCapacityUnits), Write: float64(u.WriteCapacityUnits)}
}

func (u OnDemandThroughput) units() capacity.Units {
	return capacity.Units{Read: float64(u.Reads), Write: float64(u.Writes)}
}

// SpacePrefix is the number of leading bytes in a store key that identify the table or index. A hash of hashLength
// bytes follows.
const SpacePrefix, hashLength = 5, 4

// chargeOf returns the charge, still without units, at a key of the table or of its index x. collection means that the
// key belongs to an item collection, and is not merely where a Scan begins.
func (t *Table) chargeOf(x *Index, key []byte, collection bool) capacity.Charge {
	c := capacity.Charge{Resource: t.Stats.Meter, Key: key}
	hash := t.Keys.Hash.Type
	if x != nil {
		hash = x.Keys.Hash.Type
		if !x.Local {
			c.Resource = x.Stats.Meter
		}
	}
	if len(key) < SpacePrefix {
		return c
	}
	c.Key = key[SpacePrefix:]
	if collection && len(c.Key) > hashLength {
		c.Collection = hashLength + item.KeyLen(c.Key[hashLength:], hash)
	}
	return c
}

// chargeWrite charges the caller for a change, in the table and in each index that it changed. It runs in the change's
// transaction: on an error nothing is written. Writes of the service itself have no caller and cost nothing.
func (c *Change) chargeWrite() error {
	if c.By == nil {
		return nil
	}
	charges := c.By.charges[:0]
	of := c.Table.chargeOf(nil, c.Key, true)
	of.Write, of.Units = true, c.units.table*c.factor()
	charges = append(charges, of)
	for _, x := range c.units.indexes {
		of := c.Table.chargeOf(x.index, x.key, true)
		of.Write, of.Units = true, x.units
		charges = append(charges, of)
	}
	c.By.charges = charges
	if refused := c.By.take(charges); refused != nil {
		return c.By.Throttle(c.Table, refused)
	}
	c.By.note(c.Table, nil, true, c.units.table*c.factor())
	for _, x := range c.units.indexes {
		c.By.note(c.Table, x.index, true, x.units)
	}
	return nil
}

// grow applies a committed change to the stored sizes of partitions.
func (c *Change) grow() {
	if len(c.counts) == 0 { // nothing was written
		return
	}
	of := c.Table.chargeOf(nil, c.Key, true)
	of.Resource.Grow(of.Key, int64(c.NewSize-c.OldSize))
	for _, x := range c.units.indexes {
		of := c.Table.chargeOf(x.index, x.key, true)
		of.Resource.Grow(of.Key, int64(x.grown))
	}
}

// factor multiplies the table's units: 2 in a transaction, which prepares and commits each item, otherwise 1.
func (c *Change) factor() float64 {
	if c.Transacted {
		return 2
	}
	return 1
}

// ChargeRead charges the caller for a read of the table, or of its index x, at a key; for a Scan, at the key where the
// page begins. On an error the answer is withheld.
func (a *Request) ChargeRead(t *Table, x *Index, units float64, key []byte, scan bool) error {
	if units == 0 {
		return nil
	}
	of := t.chargeOf(x, key, !scan)
	of.Units = units
	a.charges = append(a.charges[:0], of)
	if refused := a.take(a.charges); refused != nil {
		return a.Throttle(t, refused)
	}
	a.note(t, x, false, units)
	return nil
}

// take admits all charges or, if there is no capacity for one of them, none.
func (a *Request) take(charges []capacity.Charge) *capacity.Throttled {
	return capacity.Take(a.Engine.Clock.Now(), charges)
}

// Throttle records that a table or an index had no capacity left, and returns the error.
func (a *Request) Throttle(t *Table, refused *capacity.Throttled) error {
	var of *Index
	for _, x := range t.Indexes {
		if x.Stats.Meter == refused.Resource {
			of = x
		}
	}
	limit := map[capacity.Limit]telemetry.Limit{
		capacity.Provisioned: telemetry.ProvisionedLimit, capacity.KeyRange: telemetry.KeyRangeLimit,
		capacity.MaxOnDemand: telemetry.OnDemandLimit, capacity.AccountLimit: telemetry.AccountLimit,
	}[refused.Limit]
	a.noteThrottle(t, of, refused.Write, limit)
	return ThrottledError(refused)
}
