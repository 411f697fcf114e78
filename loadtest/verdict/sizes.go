package verdict

import (
	"slices"

	"github.com/tabletop-db/tabletop/loadtest/result"
)

// sizeMetrics returns the metrics of the stored data.
func sizeMetrics() map[string]metric {
	all := map[string]metric{
		"item_count": {unit: "items", scalesWithPopulation: true, needsSizes: true,
			value: storedMetric(func(s result.Stored) float64 {
				return float64(s.Items)
			})},
		"table_bytes": {unit: "bytes", scalesWithPopulation: true, needsSizes: true,
			value: storedMetric(func(s result.Stored) float64 {
				return float64(s.Bytes)
			})},
		"item_bytes": {unit: "bytes on average", needsSizes: true, value: storedMetric(func(s result.Stored) float64 {
			return float64(s.Bytes) / float64(s.Items)
		})},
		"bytes_per_user": {unit: "bytes", needsSizes: true, value: bytesPerUser},
	}
	for _, sort := range []string{"user", "batch", "event", "reminder", "device"} {
		all[sort+"_bytes"] = metric{unit: "bytes (largest item)", needsSizes: true,
			value: func(r *result.Report) (float64, bool) {
				return largestItem(r, sort)
			}}
	}
	return all
}

// storedMetric returns a metric of all tables together.
func storedMetric(f func(result.Stored) float64) func(*result.Report) (float64, bool) {
	return func(r *result.Report) (float64, bool) {
		var sum result.Stored
		for _, s := range r.Stored {
			sum.Items, sum.Bytes = sum.Items+s.Items, sum.Bytes+s.Bytes
		}
		if sum.Items == 0 {
			return 0, false
		}
		return f(sum), true
	}
}

func bytesPerUser(r *result.Report) (float64, bool) {
	bytes, measured := storedMetric(func(s result.Stored) float64 { return float64(s.Bytes) })(r)
	users := r.Profile.Population["users"]
	return bytes / float64(max(users, 1)), measured && users > 0
}

func largestItem(r *result.Report, sort string) (float64, bool) {
	i := slices.IndexFunc(r.Sizes, func(s result.Size) bool { return s.Kind == sort })
	if i < 0 {
		return 0, false
	}
	return float64(r.Sizes[i].Max), true
}
