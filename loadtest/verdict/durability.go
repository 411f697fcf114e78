package verdict

import (
	"slices"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// NeedsDurability reports whether a limit needs a comparison of acknowledged with stored writes.
func NeedsDurability(r *result.Report) bool {
	about := durabilityMetrics()
	return slices.ContainsFunc(r.Profile.Limits, func(l profile.Limit) bool { _, is := about[l.Metric]; return is })
}

// durabilityMetrics returns the metrics that compare acknowledged with stored writes.
func durabilityMetrics() map[string]metric {
	of := func(f func(*result.Durability) int64) func(*result.Report) (float64, bool) {
		return func(r *result.Report) (float64, bool) {
			if r.Durability == nil {
				return 0, false
			}
			return float64(f(r.Durability)), true
		}
	}
	return map[string]metric{
		"lost": {unit: "acknowledged writes", countsFailures: true, value: of(func(k *result.Durability) int64 {
			return k.Lost
		})},
		"duplicated": {unit: "acknowledged writes", countsFailures: true, value: of(func(k *result.Durability) int64 {
			return k.Duplicated
		})},
		"unacknowledged": {unit: "writes", countsFailures: true, notMeasured: "failed requests may have stored items",
			value: func(r *result.Report) (float64, bool) {
				if r.Durability == nil || r.Durability.Unacknowledged == nil {
					return 0, false
				}
				return float64(*r.Durability.Unacknowledged), true
			}},
		"stale_registrations": {unit: "devices", countsFailures: true, value: func(r *result.Report) (float64, bool) {
			return optional(r.Stale)
		}},
	}
}
