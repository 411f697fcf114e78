package advice

import (
	"math"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/cost"
)

func TestUnitsMonthly(t *testing.T) {
	t.Parallel()
	v, err := newReview("")
	if err != nil {
		t.Fatal(err)
	}
	v.Span = time.Hour
	v.Tables["provisioned"] = &Table{Read: 5, Write: 5, Indexes: map[string]*Index{
		"local": {Local: true}, "global": {Read: 5}}}
	v.Tables["demand"] = &Table{OnDemand: true, Indexes: map[string]*Index{}}
	hours := cost.Month.Hours()
	for _, c := range []struct {
		table, index string
		want         float64 // of 7200 read and 3600 write units in an hour: two and one all the time
	}{
		{"demand", "", hours * (7200*v.price(cost.ReadRequests) + 3600*v.price(cost.WriteRequests))},
		{"unknown", "", hours * (7200*v.price(cost.ReadRequests) + 3600*v.price(cost.WriteRequests))},
		{"provisioned", "", hours * (2*v.price(cost.ReadHours) + v.price(cost.WriteHours))},
		{"provisioned", "local", hours * (2*v.price(cost.ReadHours) + v.price(cost.WriteHours))},
		{"provisioned", "global", hours * (2*v.price(cost.ReadHours) + v.price(cost.WriteHours))},
	} {
		if got := v.unitsMonthly(c.table, c.index, 7200, 3600); math.Abs(got-c.want) > 1e-6 || got <= 0 {
			t.Errorf("%s %s costs %g, want %g", c.table, c.index, got, c.want)
		}
	}
}
