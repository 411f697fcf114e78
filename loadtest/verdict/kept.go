package verdict

import (
	"slices"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// AboutKept reports whether a limit needs acknowledged and stored things compared.
func AboutKept(r *result.Report) bool {
	about := keptMetrics()
	return slices.ContainsFunc(r.Profile.Limits, func(l profile.Limit) bool { _, is := about[l.Metric]; return is })
}

// keptMetrics returns the metrics of acknowledged and stored things.
func keptMetrics() map[string]metric {
	of := func(f func(*result.Kept) int64) func(*result.Report) (float64, bool) {
		return func(r *result.Report) (float64, bool) {
			if r.Kept == nil {
				return 0, false
			}
			return float64(f(r.Kept)), true
		}
	}
	return map[string]metric{
		"lost":    {unit: "acknowledged writes", failures: true, of: of(func(k *result.Kept) int64 { return k.Lost })},
		"doubled": {unit: "acknowledged writes", failures: true, of: of(func(k *result.Kept) int64 { return k.Doubled })},
		"unacknowledged": {unit: "writes", failures: true, absent: "failed requests may have stored items", of: func(r *result.Report) (float64, bool) {
			if r.Kept == nil || r.Kept.Unacknowledged == nil {
				return 0, false
			}
			return float64(*r.Kept.Unacknowledged), true
		}},
		"stale_registrations": {unit: "devices", failures: true, of: func(r *result.Report) (float64, bool) { return ifKnown(r.Stale) }},
	}
}
