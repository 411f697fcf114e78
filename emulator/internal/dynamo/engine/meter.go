package engine

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
)

// Measure gives a table, and each of its global indexes, the capacity of its definition. What was measured under a
// former definition goes on. No operation may use the table yet.
func (a *Account) Measure(t *Table) {
	now := a.Engine.Clock.Now()
	t.Stats.measure(a.capacityOf(t), now)
	for _, x := range t.Indexes {
		if !x.Local { // a local one uses the table's
			x.Stats.measure(a.capacityOfIndex(t, x), now)
		}
	}
}

// measureNew does so for a table, and for indexes, that are new.
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

// spacePrefix is how many bytes of a key in the store say of which table or index it is; a hash of hashLength follows.
const SpacePrefix, hashLength = 5, 4

// chargeOf is what something costs at a key of the table, or of an index of it; collection says that the key is one of
// an item collection, and not merely where a Scan begins.
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

// chargeWrite charges the caller for a change, in the table and in each index that it changed, in the change's own
// transaction: with an error nothing is written. What the service does by itself has no caller and costs nothing.
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

// grow tells the partitions how the change, which is committed, changed what is stored in them.
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

// factor is what units of the table count in a transaction, which looks at each item twice, and elsewhere.
func (c *Change) factor() float64 {
	if c.Transacted {
		return 2
	}
	return 1
}

// ChargeRead charges the caller for what was read of a table, or of an index of it, at a key or, by a Scan, from one
// on. With an error the answer is withheld.
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

// take has the model admit charges, or refuse them all.
func (a *Request) take(charges []capacity.Charge) *capacity.Throttled {
	return capacity.Take(a.Engine.Clock.Now(), charges)
}

// Throttle notes and answers that a table, or an index of it, had no capacity left.
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
