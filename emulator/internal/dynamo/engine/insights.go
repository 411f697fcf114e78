package engine

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"

// ThrottledKeys is the mode of contributor insights that reports throttled keys only.
const ThrottledKeys = "THROTTLED_KEYS"

// active reports whether contributor insights have rules. c may be nil.
func (c *ContributorInsights) active() bool { return c != nil && c.Enabled && !c.Failed }

// rules returns the number of rules: of partition keys, and of whole keys if there is a sort key; each for throttled
// keys and, unless the mode excludes them, for accessed keys. c may be nil.
func (c *ContributorInsights) rules(keys *KeySchema) int64 {
	switch {
	case !c.active():
		return 0
	case c.Mode == ThrottledKeys:
		return eventsPerItem(keys)
	}
	return 2 * eventsPerItem(keys)
}

// eventsPerItem is the number of events that contributor insights bill for an access to an item: one, or two with a
// sort key (AWS, "Best practices for understanding your AWS billing and usage reports in DynamoDB").
func eventsPerItem(keys *KeySchema) int64 {
	if len(keys.Range) > 0 {
		return 2
	}
	return 1
}

// insightsOf returns the contributor insights of a global index; for other indexes and for nil, those of the table.
func (t *Table) insightsOf(x *Index) (*ContributorInsights, *KeySchema) {
	if x == nil || x.Local {
		return t.Def.Insights, &t.Keys
	}
	return t.Def.Global[IndexAt(t.Def.Global, x.Name)].Insights, &x.Keys
}

// recordAccesses records the events of contributor insights for items that were read or written.
func (r *Request) recordAccesses(t *Table, x *Index, items int) {
	if c, keys := t.insightsOf(x); c.active() && c.Mode != ThrottledKeys && items > 0 {
		r.Consume(t, telemetry.InsightEvents, int64(items)*eventsPerItem(keys))
	}
}

// recordThrottledKey records the events of contributor insights for an item whose access was throttled.
func (r *Request) recordThrottledKey(t *Table, x *Index) {
	if c, keys := t.insightsOf(x); c.active() {
		r.Consume(t, telemetry.InsightEvents, eventsPerItem(keys))
	}
}
