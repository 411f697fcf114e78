package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// heatMetrics returns the metrics of the load by partition.
func heatMetrics() map[string]metric {
	all := map[string]metric{
		"partition_use": {unit: "of a partition's capacity", value: heatMetric(func(h result.Heat) float64 {
			return h.Utilization
		}), remark: heatRemark},
		"key_share": {unit: "of the table's capacity units", value: hottestKey(false, tableKeyShare),
			remark: keyShareRemark},
		"index_key_share": {unit: "of the index's capacity units", value: hottestKey(true, indexKeyShare),
			remark: indexKeyRemark},
		"index_key_use": {unit: "of a partition's capacity", value: heatMetric(indexKeyUse), remark: indexKeyRemark},
		"throttled":     {unit: "requests", value: throttled},
	}
	for name, m := range all {
		m.notMeasured = "only an emulator reports it, for its last 3 hours"
		all[name] = m
	}
	return all
}

// tableKeyShare returns the hottest key's share of a table's load, and 0 for an index, which may have few keys by
// design.
func tableKeyShare(h result.Heat) float64 {
	if isIndex(h) {
		return 0
	}
	return h.KeyShare
}

func isIndex(h result.Heat) bool { return strings.Contains(h.Resource, "/") }

// indexKeyShare returns the hottest key's share of an index's load, and 0 for a table.
func indexKeyShare(h result.Heat) float64 {
	if !isIndex(h) {
		return 0
	}
	return h.KeyShare
}

// indexKeyUse returns how much of a partition's limit the hottest key of an index uses, which is never more than the
// busiest partition uses.
func indexKeyUse(h result.Heat) float64 {
	return min(h.Utilization, indexKeyShare(h)*max(h.WritesPerSecond/result.PartitionWrites,
		h.ReadsPerSecond/result.PartitionReads))
}

// hottestKey returns a figure of the hottest keys of tables or of indexes. It is unmeasured if the load of creating the
// population hides all of them.
func hottestKey(ofIndexes bool, share func(result.Heat) float64) func(*result.Report) (float64, bool) {
	return func(r *result.Report) (float64, bool) {
		most, measured := heatMetric(share)(r)
		hidden := slices.ContainsFunc(r.Heat, func(h result.Heat) bool { return isIndex(h) == ofIndexes && h.KeyUnknown })
		return most, measured && (most > 0 || !hidden)
	}
}

// throttled returns the number of throttled requests. It is not measured on a target that does not throttle although
// the profile requires it.
func throttled(r *result.Report) (float64, bool) {
	n, measured := heatMetric(func(h result.Heat) float64 { return float64(h.Throttled) })(r)
	return n, measured && r.NotApplied == ""
}

func heatMetric(f func(result.Heat) float64) func(*result.Report) (float64, bool) {
	return func(r *result.Report) (most float64, measured bool) {
		for _, h := range r.Heat {
			most, measured = max(most, f(h)), true
		}
		return most, measured
	}
}

// NeedsHeat reports whether a limit needs the load by partition.
func NeedsHeat(r *result.Report) bool {
	about := heatMetrics()
	return slices.ContainsFunc(r.Profile.Limits, func(l profile.Limit) bool { _, is := about[l.Metric]; return is })
}

// heatRemark describes the busiest partition and its headroom.
func heatRemark(r *result.Report) string {
	if len(r.Heat) == 0 {
		return ""
	}
	h := slices.MaxFunc(r.Heat, func(a, b result.Heat) int { return cmp.Compare(a.Utilization, b.Utilization) })
	return thousands.Sprintf("%s, %d partitions: headroom %.0f×", h.Resource, h.Partitions, 1/max(h.Utilization, 1e-6))
}

// indexKeyRemark names the hottest key of the indexes, and its share.
func indexKeyRemark(r *result.Report) string {
	if len(r.Heat) == 0 {
		return ""
	}
	h := slices.MaxFunc(r.Heat, func(a, b result.Heat) int { return cmp.Compare(indexKeyShare(a), indexKeyShare(b)) })
	return fmt.Sprintf("%s: hottest key %s, with %.0f%% of %.1f write units/s", h.Resource, h.HottestKey, 100*h.KeyShare,
		h.WritesPerSecond)
}

func keyShareRemark(r *result.Report) string {
	if len(r.Heat) == 0 {
		return ""
	}
	h := slices.MaxFunc(r.Heat, func(a, b result.Heat) int { return cmp.Compare(tableKeyShare(a), tableKeyShare(b)) })
	return fmt.Sprintf("%s: hottest key %s", h.Resource, h.HottestKey)
}
