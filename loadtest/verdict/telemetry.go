package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/loadtest/result"
)

// telemetryMetrics returns the metrics that only telemetry has.
func telemetryMetrics() map[string]metric {
	return map[string]metric{
		"readings_per_second":    {unit: "readings/s", scales: true, of: sure(peakReadings)},
		"rejected_readings":      {unit: "readings", of: rejected},
		"hot_devices":            {unit: "devices", of: func(r *result.Report) (float64, bool) { return float64(len(r.Hot)), r.HotDevice != nil }, remark: namesOfHot},
		"hot_devices_mistold":    {unit: "devices", absent: "needs a run of 1 minute or more", of: mistold, remark: namedHot},
		"hottest_key_share":      {unit: "× an even share", of: ofKeys(func(k *result.KeyShares) float64 { return k.HottestShare / k.FairShare })},
		"key_lookups_per_second": {unit: "lookups/s", scales: true, of: ofKeys(func(k *result.KeyShares) float64 { return k.LookupsPerSec })},
		"key_partition_use":      {unit: "of a partition's 3,000 read units/s", of: keyPartition, remark: keyRemark},
		"device_index_use":       {grows: true, unit: "of a partition's 1,000 write units/s", of: deviceIndex, remark: deviceIndexRemark},
	}
}

func ofKeys(f func(*result.KeyShares) float64) func(*result.Report) (float64, bool) {
	return func(r *result.Report) (float64, bool) {
		if r.Keys == nil {
			return 0, false
		}
		return f(r.Keys), true
	}
}

func rejected(r *result.Report) (float64, bool) {
	if r.Readings == nil {
		return 0, false
	}
	return float64(r.Readings.Rejected), true
}

func peakReadings(r *result.Report) float64 { return r.Stages[r.Profile.Peak()].ReadingsPerSecond }

// keyPartition returns the load that the hottest key puts on its partition of the hash index.
func keyPartition(r *result.Report) (float64, bool) {
	c, measured := charged(r, "api_keys", "api_key_hash_index")
	if r.Keys == nil || !measured {
		return 0, false
	}
	return c.ReadsPerSecond * r.Keys.HottestShare / result.PartitionReads, true
}

func keyRemark(r *result.Report) string {
	c, _ := charged(r, "api_keys", "api_key_hash_index")
	return fmt.Sprintf("%.1f read units/s over %d keys, %.2f%% on the hottest; a single key would use %.2g of its partition",
		c.ReadsPerSecond, r.Keys.Keys, 100*r.Keys.HottestShare, c.ReadsPerSecond/result.PartitionReads)
}

// deviceIndex returns the load on the one partition, gsi1pk = devices, that every device update writes (TL-D5).
func deviceIndex(r *result.Report) (float64, bool) {
	c, measured := charged(r, "devices", "gsi1")
	return c.WritesPerSecond / result.PartitionWrites, measured
}

func deviceIndexRemark(r *result.Report) string {
	c, _ := charged(r, "devices", "gsi1")
	if c.WritesPerSecond == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f write units/s on gsi1pk=devices (peak %.0f): headroom %.0f×",
		c.WritesPerSecond, c.WritePeak, result.PartitionWrites/c.WritesPerSecond)
}

// mistold returns the number of devices that wrote too much but are not named by the service, plus those that it names
// but that did not.
func mistold(r *result.Report) (float64, bool) {
	wrong := 0
	for _, h := range r.Hot {
		if !slices.Contains(r.NamedHot, h.HardwareID) {
			wrong++
		}
	}
	for _, id := range r.NamedHot {
		if !slices.ContainsFunc(r.Hot, func(h result.HotDevice) bool { return h.HardwareID == id }) {
			wrong++
		}
	}
	return float64(wrong), r.NamedHot != nil
}

func namedHot(r *result.Report) string {
	if len(r.NamedHot) == 0 {
		return ""
	}
	return "reported by the service: " + strings.Join(r.NamedHot[:min(len(r.NamedHot), 5)], ", ")
}

func namesOfHot(r *result.Report) string {
	var list []string
	for _, h := range r.Hot[:min(len(r.Hot), 5)] {
		list = append(list, h.Advice)
	}
	return strings.Join(list, "; ")
}
