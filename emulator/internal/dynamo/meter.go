package dynamo

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
)

// measure gives a table, and each of its global indexes, the capacity of its definition. What was measured under a former
// definition goes on. No operation may use the table yet.
func (a *account) measure(t *table) {
	now := a.service.clock.Now()
	t.stats.measure(a.capacityOf(t), now)
	for _, x := range t.indexes {
		if !x.local { // a local one uses the table's
			x.stats.measure(a.capacityOfIndex(t, x), now)
		}
	}
}

// measureNew does so for a table, and for indexes, that are new.
func (a *account) measureNew(t *table) {
	now := a.service.clock.Now()
	if t.stats.meter == nil {
		t.stats.measure(a.capacityOf(t), now)
	}
	for _, x := range t.indexes {
		if !x.local && x.stats.meter == nil {
			x.stats.measure(a.capacityOfIndex(t, x), now)
		}
	}
}

func (s *stats) measure(c capacity.Config, now time.Time) {
	if s.meter == nil {
		s.meter = capacity.New(c, now)
		return
	}
	s.meter.Update(c, now)
}

func (a *account) capacityOf(t *table) capacity.Config {
	d := t.def
	return capacity.Config{
		Name: d.Name, ARN: d.ARN, OnDemand: d.BillingMode == onDemand, Provisioned: d.Throughput.units(),
		Max: d.OnDemand.units(), Warm: d.Warm.units(), LocalIndexes: len(d.Local) > 0, Enforce: a.service.throttling,
	}
}

func (a *account) capacityOfIndex(t *table, x *index) capacity.Config {
	d := t.def.Global[indexAt(t.def.Global, x.name)]
	return capacity.Config{
		Name: t.def.Name + "/" + x.name, ARN: t.def.ARN + "/index/" + x.name, Index: true,
		OnDemand: t.def.BillingMode == onDemand, Provisioned: d.Throughput.units(), Max: d.OnDemand.units(), Warm: d.Warm.units(), Enforce: a.service.throttling,
	}
}

func (u throughput) units() capacity.Units {
	return capacity.Units{Read: float64(u.ReadCapacityUnits), Write: float64(u.WriteCapacityUnits)}
}

func (u onDemandThroughput) units() capacity.Units {
	return capacity.Units{Read: float64(u.Reads), Write: float64(u.Writes)}
}

// spacePrefix is how many bytes of a key in the store say of which table or index it is; a hash of hashLength follows.
const spacePrefix, hashLength = 5, 4

// chargeOf is what something costs at a key of the table, or of an index of it; collection says that the key is one of an
// item collection, and not merely where a Scan begins.
func (t *table) chargeOf(x *index, key []byte, collection bool) capacity.Charge {
	c := capacity.Charge{Resource: t.stats.meter, Key: key}
	hash := t.keys.hash.typ
	if x != nil {
		hash = x.keys.hash.typ
		if !x.local {
			c.Resource = x.stats.meter
		}
	}
	if len(key) < spacePrefix {
		return c
	}
	c.Key = key[spacePrefix:]
	if collection && len(c.Key) > hashLength {
		c.Collection = hashLength + item.KeyLen(c.Key[hashLength:], hash)
	}
	return c
}

// chargeWrite charges the caller for a change, in the table and in each index that it changed, in the change's own
// transaction: with an error nothing is written. What the service does by itself has no caller and costs nothing.
func (c *change) chargeWrite() error {
	if c.by == nil {
		return nil
	}
	charges := c.by.charges[:0]
	of := c.table.chargeOf(nil, c.key, true)
	of.Write, of.Units = true, c.units.table*c.factor()
	charges = append(charges, of)
	for _, x := range c.units.indexes {
		of := c.table.chargeOf(x.index, x.key, true)
		of.Write, of.Units = true, x.units
		charges = append(charges, of)
	}
	c.by.charges = charges
	if refused := c.by.take(charges); refused != nil {
		return c.by.throttle(c.table, refused)
	}
	c.by.note(c.table, nil, true, c.units.table*c.factor())
	for _, x := range c.units.indexes {
		c.by.note(c.table, x.index, true, x.units)
	}
	return nil
}

// grow tells the partitions how the change, which is committed, changed what is stored in them.
func (c *change) grow() {
	if len(c.counts) == 0 { // nothing was written
		return
	}
	of := c.table.chargeOf(nil, c.key, true)
	of.Resource.Grow(of.Key, int64(c.newSize-c.oldSize))
	for _, x := range c.units.indexes {
		of := c.table.chargeOf(x.index, x.key, true)
		of.Resource.Grow(of.Key, int64(x.grown))
	}
}

// factor is what units of the table count in a transaction, which looks at each item twice, and elsewhere.
func (c *change) factor() float64 {
	if c.transacted {
		return 2
	}
	return 1
}

// chargeRead charges the caller for what was read of a table, or of an index of it, at a key or, by a Scan, from one on.
// With an error the answer is withheld.
func (a *request) chargeRead(t *table, x *index, units float64, key []byte, scan bool) error {
	if units == 0 {
		return nil
	}
	of := t.chargeOf(x, key, !scan)
	of.Units = units
	a.charges = append(a.charges[:0], of)
	if refused := a.take(a.charges); refused != nil {
		return a.throttle(t, refused)
	}
	a.note(t, x, false, units)
	return nil
}

// take has the model admit charges, or refuse them all.
func (a *request) take(charges []capacity.Charge) *capacity.Throttled {
	return capacity.Take(a.service.clock.Now(), charges)
}

// throttle notes and answers that a table, or an index of it, had no capacity left.
func (a *request) throttle(t *table, refused *capacity.Throttled) error {
	var of *index
	for _, x := range t.indexes {
		if x.stats.meter == refused.Resource {
			of = x
		}
	}
	limit := map[capacity.Limit]telemetry.Limit{
		capacity.Provisioned: telemetry.ProvisionedLimit, capacity.KeyRange: telemetry.KeyRangeLimit,
		capacity.MaxOnDemand: telemetry.OnDemandLimit, capacity.AccountLimit: telemetry.AccountLimit,
	}[refused.Limit]
	a.noteThrottle(t, of, refused.Write, limit)
	return throttledError(refused)
}
