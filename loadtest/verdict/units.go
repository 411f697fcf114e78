package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/loadtest/result"
)

// unitMetrics returns one metric for each operation with a documented figure, and those of throttling and autoscale.
func unitMetrics() map[string]metric {
	all := map[string]metric{
		"scale_at_peak": {unit: timesAutoscaleMinimum, value: func(r *result.Report) (float64, bool) {
			return scaling(r, func(i int) bool { return i == r.Profile.Peak() })
		}},
		"scale_off_peak": {unit: timesAutoscaleMinimum, value: func(r *result.Report) (float64, bool) {
			return scaling(r, func(i int) bool { return i != r.Profile.Peak() })
		}},
		"throttled_requests": {unit: "requests", countsFailures: true, value: func(r *result.Report) (float64, bool) {
			return optional(r.Throttled)
		}},
	}
	for operation, documented := range result.DocumentedUnits() {
		all[unitsPrefix+strings.ReplaceAll(operation, " ", "_")] = metric{unit: "RU",
			value: func(r *result.Report) (float64, bool) {
				i := slices.IndexFunc(r.RequestUnits, func(u result.UnitCost) bool { return u.Operation == operation })
				if i < 0 {
					return 0, false
				}
				return r.RequestUnits[i].RU, true
			},
			remark:      func(*result.Report) string { return fmt.Sprintf("documented: about %g RU", documented) },
			notMeasured: "the mix does not include this operation",
		}
	}
	return all
}

// timesAutoscaleMinimum is the unit of a container's throughput relative to its autoscale minimum.
const timesAutoscaleMinimum = "× the autoscale minimum"

// autoscaleMinimum is the minimum throughput as a fraction of the autoscale maximum ("Create containers with autoscale
// throughput").
const autoscaleMinimum = 0.1

// scaling returns the throughput of the busiest container in some stages, relative to the autoscale minimum: above 1 it
// has scaled up, at 10 it is at its maximum.
func scaling(r *result.Report, of func(stage int) bool) (most float64, measured bool) {
	for i, s := range r.Stages {
		if of(i) && s.RequestUnitsPerSecond != nil && r.Profile.Autoscale > 0 {
			most, measured = max(most, *s.RequestUnitsPerSecond/(autoscaleMinimum*float64(r.Profile.Autoscale))), true
		}
	}
	return most, measured
}
