package advice

import (
	"time"

	"github.com/tabletop-db/tabletop/internal/model/cost"
)

// unitsMonthly returns what units that requests to a table or an index consumed cost in US dollars a month at the rate
// of the recording: on demand as requests, otherwise as the capacity that they use, at least.
func (v *Review) unitsMonthly(table, index string, read, write float64) float64 {
	if t := v.Tables[table]; t != nil && !t.OnDemand && t.capacity(index) {
		hours := time.Hour.Seconds()
		return v.monthly(cost.ReadHours, read/hours) + v.monthly(cost.WriteHours, write/hours)
	}
	return v.monthly(cost.ReadRequests, read) + v.monthly(cost.WriteRequests, write)
}

// capacity reports whether the table, or a global index of it, is known to have provisioned capacity.
func (t *Table) capacity(index string) bool {
	if x := t.Indexes[index]; x != nil && !x.Local {
		return x.Read > 0
	}
	return t.Read > 0
}
