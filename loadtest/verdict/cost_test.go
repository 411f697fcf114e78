package verdict

import (
	"testing"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// TestPrice prices ten minutes of 1,000 writes and 2,000 reads per second.
func TestPrice(t *testing.T) {
	t.Parallel()
	for id, stated := range map[string]string{"TL-L1": "none", "PE-L1": "$1.13 per month (PE-C1)", "writes": ""} {
		r := &result.Report{Profile: profile.Profile{ID: id}, Seconds: 600,
			Consumed: []result.Consumed{{Table: "a", WriteUnits: 400_000, ReadUnits: 1_200_000},
				{Table: "a", Index: "i", WriteUnits: 200_000}}}
		c, err := Price(r)
		if err != nil || c.Run.String() != "0.525" || c.Month.String() != "2299.5" || c.Stated != stated {
			t.Errorf("%s: %v %+v", id, err, c)
		}
	}
	if c, err := Price(new(result.Report)); c != nil || err != nil {
		t.Errorf("a run without a meter costs %+v, %v", c, err)
	}
}
