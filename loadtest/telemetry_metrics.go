package loadtest

import (
	"fmt"
	"strings"
)

// telemetryMetrics are those that only runs of telemetry have.
func telemetryMetrics() map[string]metric {
	return map[string]metric{
		"readings_per_second":    {unit: "readings/s", scales: true, of: sure(peakReadings)},
		"rejected_readings":      {unit: "readings", of: rejected},
		"hot_devices":            {unit: "devices", of: func(r *Report) (float64, bool) { return float64(len(r.Hot)), r.HotDevice != nil }, remark: namesOfHot},
		"hottest_key_share":      {unit: "times its fair share", of: ofKeys(func(k *KeyShares) float64 { return k.HottestShare / k.FairShare })},
		"key_lookups_per_second": {unit: "lookups/s", scales: true, of: ofKeys(func(k *KeyShares) float64 { return k.LookupsPerSec })},
		"key_partition_use":      {unit: "of a partition's 3,000 read units/s", of: keyPartition, remark: keyRemark},
		"device_index_use":       {grows: true, unit: "of a partition's 1,000 write units/s", of: deviceIndex, remark: deviceIndexRemark},
	}
}

func ofKeys(f func(*KeyShares) float64) func(*Report) (float64, bool) {
	return func(r *Report) (float64, bool) {
		if r.Keys == nil {
			return 0, false
		}
		return f(r.Keys), true
	}
}

func rejected(r *Report) (float64, bool) {
	if r.Readings == nil {
		return 0, false
	}
	return float64(r.Readings.Rejected), true
}

func peakReadings(r *Report) float64 { return r.Stages[r.Profile.peak()].ReadingsPerSecond }

// keyPartition is the load that the hottest key puts on its partition of the hash index.
func keyPartition(r *Report) (float64, bool) {
	c, measured := r.charged("api_keys", "api_key_hash_index")
	if r.Keys == nil || !measured {
		return 0, false
	}
	return c.ReadsPerSecond * r.Keys.HottestShare / partitionReads, true
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

func namesOfHot(r *Report) string {
	var list []string
	for _, h := range r.Hot[:min(len(r.Hot), 5)] {
		list = append(list, h.Advice)
	}
	return strings.Join(list, "; ")
}
