package verdict

import (
	"testing"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// TestAccessVerdicts checks that a call that is not listed, one that is made too often, one that is not made, and units
// outside the span each fail.
func TestAccessVerdicts(t *testing.T) {
	t.Parallel()
	one := profile.Span{Min: 1, Max: 1}
	a := profile.Access{ID: "TL-L4", Request: "key", Reads: &one, Calls: map[string]profile.Span{"GetItem k": one,
		"UpdateItem k": {Min: 0, Max: 1}}}
	for name, test := range map[string]struct {
		kind  result.KindStats
		units result.State
		calls result.State
	}{
		"as listed": {result.KindStats{Metered: 4, ReadUnits: 4, Calls: []result.Call{{Path: "GetItem k", Times: 1},
			{Path: "UpdateItem k", Times: 0.5}}}, result.Pass, result.Pass},
		"the optional one": {result.KindStats{Metered: 4, ReadUnits: 4,
			Calls: []result.Call{{Path: "GetItem k", Times: 1}}}, result.Pass, result.Pass},
		"half the units": {result.KindStats{Metered: 4, ReadUnits: 2,
			Calls: []result.Call{{Path: "GetItem k", Times: 1}}}, result.Fail, result.Pass},
		"twice the units": {result.KindStats{Metered: 4, ReadUnits: 8,
			Calls: []result.Call{{Path: "GetItem k", Times: 2}}}, result.Fail, result.Fail},
		"an unlisted call": {result.KindStats{Metered: 4, ReadUnits: 4, Calls: []result.Call{{Path: "GetItem k", Times: 1},
			{Path: "Scan k", Times: 0.01}}}, result.Pass, result.Fail},
		"a call is not made": {result.KindStats{Metered: 4, ReadUnits: 4}, result.Pass, result.Fail},
		"no meter":           {result.KindStats{}, result.NotMeasured, result.NotMeasured},
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
