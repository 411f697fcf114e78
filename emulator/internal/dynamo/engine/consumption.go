package engine

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"

// Consume records what the request consumed of a table, besides capacity units.
func (r *Request) Consume(t *Table, kind telemetry.ConsumptionKind, quantity int64) {
	for i := range r.Event.Consumed {
		if c := &r.Event.Consumed[i]; c.Table == t.Def.Name && c.Kind == kind {
			c.Quantity += quantity
			return
		}
	}
	r.Event.Consumed = append(r.Event.Consumed, telemetry.Consumption{Table: t.Def.Name, Kind: kind, Quantity: quantity})
}

// ReportConsumption reports what an account consumed of a table without a request, or after the answer to it.
func (a *Account) ReportConsumption(table string, kind telemetry.ConsumptionKind, quantity int64) {
	if a.Engine.OnConsumption != nil && quantity > 0 {
		a.Engine.OnConsumption(a.Name, telemetry.Consumption{Table: table, Kind: kind, Quantity: quantity})
	}
}

// reportConsumption reports what a committed change cost besides capacity units: change data capture, whoever made the
// change, and the bytes that a request wrote to vector indexes, here or in another region.
func (s *Engine) reportConsumption(c *Change) {
	consume := func(kind telemetry.ConsumptionKind, quantity int64) { c.Request.Consume(c.Table, kind, quantity) }
	if c.Request == nil {
		at := s.located(c.Table.Def.ID)
		if at == nil {
			return
		}
		consume = func(kind telemetry.ConsumptionKind, quantity int64) {
			at.Account.ReportConsumption(at.Def.Name, kind, quantity)
		}
	}
	if c.captured > 0 {
		consume(telemetry.CapturedChanges, c.captured)
	}
	if c.Request == nil && c.arrival == nil {
		return
	}
	for _, x := range c.units.vectors {
		consume(telemetry.VectorWrites, int64(x.bytes))
	}
}

// capturedUnits returns the change data capture units of a change that the table's log records: one for each KB of the
// larger image (AWS, "Using Kinesis Data Streams to capture changes to DynamoDB", and "Best practices for understanding
// your AWS billing and usage reports"). 0: no Kinesis destination receives it.
func (c *Change) capturedUnits() int64 {
	if d := c.Table.Def.Delivering(); d == nil || d.End != 0 {
		return 0
	}
	return int64(UnitsFor(max(c.OldSize, c.NewSize), writeUnit))
}
