package loadtest

import (
	"fmt"
	"slices"
	"strings"
)

// What one partition of a DynamoDB table or index gives: units a second.
const (
	partitionReads  = 3000
	partitionWrites = 1000
)

// A metric is a figure of a report that a limit can be put on.
type metric struct {
	unit   string
	scales bool // with the rate of the run
	of     func(*Report) (value float64, measured bool)
	remark func(*Report) string
}

// metrics are the names that a profile's limits use.
var metrics = map[string]metric{
	"p50_ms":                 {unit: "ms", of: sure(func(r *Report) float64 { return r.Latency.P50 })},
	"p99_ms":                 {unit: "ms", of: sure(func(r *Report) float64 { return r.Latency.P99 })},
	"max_ms":                 {unit: "ms", of: sure(func(r *Report) float64 { return r.Latency.Max })},
	"error_share":            {of: sure(func(r *Report) float64 { return share(r.Errors, r.Requests) }), remark: firstError},
	"rate_share":             {unit: "of the planned rate", of: sure(rateShare)},
	"readings_per_second":    {unit: "readings/s", scales: true, of: sure(peakReadings)},
	"rejected_readings":      {unit: "readings", of: sure(func(r *Report) float64 { return float64(r.Readings.Rejected) })},
	"hot_devices":            {unit: "devices", of: sure(func(r *Report) float64 { return float64(len(r.Hot)) }), remark: namesOfHot},
	"hottest_key_share":      {unit: "times its fair share", of: sure(func(r *Report) float64 { return r.Keys.HottestShare / r.Keys.FairShare })},
	"key_lookups_per_second": {unit: "lookups/s", scales: true, of: sure(func(r *Report) float64 { return r.Keys.LookupsPerSec })},
	"key_partition_use":      {unit: "of a partition's 3,000 read units/s", of: keyPartition, remark: keyRemark},
	"write_units_per_second": {unit: "write units/s", scales: true, of: writeUnits},
	"read_units_per_second":  {unit: "read units/s", scales: true, of: readUnits},
	"write_p99_ms":           {unit: "ms", of: sure(func(r *Report) float64 { return r.worst(true) })},
	"read_p99_ms":            {unit: "ms", of: sure(func(r *Report) float64 { return r.worst(false) })},
	"unprocessed_items":      {unit: "items", of: sure(func(r *Report) float64 { return float64(r.Unprocessed) })},
	"device_index_use":       {unit: "of a partition's 1,000 write units/s", of: deviceIndex, remark: deviceIndexRemark},
}

func sure(f func(*Report) float64) func(*Report) (float64, bool) {
	return func(r *Report) (float64, bool) { return f(r), true }
}

func share(part, whole int64) float64 {
	if whole == 0 {
		return 1 // a run without requests proves nothing
	}
	return float64(part) / float64(whole)
}

// rateShare compares the requests that succeeded, a second until the last answer, with those planned.
func rateShare(r *Report) float64 {
	return r.Throughput / (float64(r.Profile.Requests()) / r.Profile.Duration().Seconds())
}

func peakReadings(r *Report) float64 { return r.Stages[r.Profile.peak()].ReadingsPerSecond }

// charged finds what an index was charged, by the end of its table's name, since tables carry a prefix.
func (r *Report) charged(table, index string) (Consumed, bool) {
	i := slices.IndexFunc(r.Consumed, func(c Consumed) bool { return strings.HasSuffix(c.Table, table) && c.Index == index })
	if i < 0 {
		return Consumed{}, false
	}
	return r.Consumed[i], true
}

// keyPartition is the load that the hottest key puts on its partition of the hash index.
func keyPartition(r *Report) (float64, bool) {
	c, measured := r.charged("api_keys", "api_key_hash_index")
	return c.ReadsPerSecond * r.Keys.HottestShare / partitionReads, measured
}

func keyRemark(r *Report) string {
	c, _ := r.charged("api_keys", "api_key_hash_index")
	return fmt.Sprintf("%.1f read units/s over %d keys, %.2f%% of them on the hottest; one key for all would use %.2g of its partition",
		c.ReadsPerSecond, r.Keys.Keys, 100*r.Keys.HottestShare, c.ReadsPerSecond/partitionReads)
}

// deviceIndex is the load on the one partition, gsi1pk = devices, that every device update writes (TL-D5).
func deviceIndex(r *Report) (float64, bool) {
	c, measured := r.charged("devices", "gsi1")
	return c.WritesPerSecond / partitionWrites, measured
}

func deviceIndexRemark(r *Report) string {
	c, _ := r.charged("devices", "gsi1")
	if c.WritesPerSecond == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f write units/s on gsi1pk=devices (%.0f in the busiest second): headroom %.0fx",
		c.WritesPerSecond, c.WritePeak, partitionWrites/c.WritesPerSecond)
}

// writeUnits is what all tables and indexes were charged for writes.
func writeUnits(r *Report) (units float64, measured bool) {
	for _, c := range r.Consumed {
		units += c.WritesPerSecond
	}
	return units, len(r.Consumed) > 0
}

// readUnits is what all tables and indexes were charged for reads.
func readUnits(r *Report) (units float64, measured bool) {
	for _, c := range r.Consumed {
		units += c.ReadsPerSecond
	}
	return units, len(r.Consumed) > 0
}

// worst is the highest p99 of the kinds of request on tables that write, or of those that read.
func (r *Report) worst(writes bool) (p99 float64) {
	for _, k := range r.Kinds {
		if tableKinds[k.Request].writes == writes {
			p99 = max(p99, k.Latency.P99)
		}
	}
	return p99
}

func firstError(r *Report) string {
	worst := ""
	for text, n := range r.ErrorTexts {
		if n > r.ErrorTexts[worst] || n == r.ErrorTexts[worst] && text < worst {
			worst = text
		}
	}
	return worst
}

func namesOfHot(r *Report) string {
	var list []string
	for _, h := range r.Hot[:min(len(r.Hot), 5)] {
		list = append(list, h.Advice)
	}
	return strings.Join(list, "; ")
}
