package verdict

import (
	"testing"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// TestAccessVerdicts checks that an unlisted call, one that is made too often, one that is not made, and units beyond
// the span each miss the verdict.
func TestAccessVerdicts(t *testing.T) {
	t.Parallel()
	one := profile.Span{Least: 1, Most: 1}
	a := profile.Access{ID: "TL-L4", Request: "key", Reads: &one, Calls: map[string]profile.Span{"GetItem k": one, "UpdateItem k": {Least: 0, Most: 1}}}
	for name, test := range map[string]struct {
		kind  result.KindStats
		units result.State
		calls result.State
	}{
		"as listed":          {result.KindStats{Metered: 4, ReadUnits: 4, Calls: []result.Call{{Path: "GetItem k", Times: 1}, {Path: "UpdateItem k", Times: 0.5}}}, result.Held, result.Held},
		"the optional one":   {result.KindStats{Metered: 4, ReadUnits: 4, Calls: []result.Call{{Path: "GetItem k", Times: 1}}}, result.Held, result.Held},
		"half the units":     {result.KindStats{Metered: 4, ReadUnits: 2, Calls: []result.Call{{Path: "GetItem k", Times: 1}}}, result.Missed, result.Held},
		"twice the units":    {result.KindStats{Metered: 4, ReadUnits: 8, Calls: []result.Call{{Path: "GetItem k", Times: 2}}}, result.Missed, result.Missed},
		"a call of no list":  {result.KindStats{Metered: 4, ReadUnits: 4, Calls: []result.Call{{Path: "GetItem k", Times: 1}, {Path: "Scan k", Times: 0.01}}}, result.Held, result.Missed},
		"a call is not made": {result.KindStats{Metered: 4, ReadUnits: 4}, result.Held, result.Missed},
		"nothing was seen":   {result.KindStats{}, result.Unmeasured, result.Unmeasured},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.kind.Request = "key"
			v := accessVerdicts(a, &result.Report{Kinds: []result.KindStats{test.kind}})
			if len(v) != 2 || v[0].State != test.units || v[1].State != test.calls {
				t.Errorf("%+v", v)
			}
		})
	}
}
