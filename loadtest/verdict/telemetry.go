package verdict

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// telemetryMetrics returns the metrics that only telemetry has.
func telemetryMetrics() map[string]metric {
	return map[string]metric{
		"readings_per_second": {unit: "readings/s", scalesWithRate: true, value: always(peakReadings)},
		"rejected_readings":   {unit: "readings", value: rejected},
		"hot_devices": {unit: "devices", value: func(r *result.Report) (float64, bool) {
			return float64(len(r.Hot)), r.HotDevice != nil
		}, remark: hotDevicesRemark},
		"hot_devices_misreported": {unit: "devices", notMeasured: "needs a run of 1 minute or more",
			value: misreportedHotDevices, remark: reportedHotRemark},
		"hottest_key_share": {unit: "× an even share", value: keyMetric(func(k *result.KeyShares) float64 {
			return k.HottestShare / k.FairShare
		})},
		"key_lookups_per_second": {unit: "lookups/s", scalesWithRate: true,
			value: keyMetric(func(k *result.KeyShares) float64 {
				return k.LookupsPerSec
			})},
		"key_partition_use": {unit: "of a partition's 3,000 read units/s", value: keyPartition, remark: keyRemark},
		"device_index_use": {scalesWithPopulation: true, unit: "of a partition's 1,000 write units/s", value: deviceIndex,
			remark: deviceIndexRemark},
	}
}

func keyMetric(f func(*result.KeyShares) float64) func(*result.Report) (float64, bool) {
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
	return thousands.Sprintf(
		"%.1f read units/s over %d keys, %.2f%% on the hottest; a single key would use %.2g of its partition",
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
	return thousands.Sprintf("%.1f write units/s on gsi1pk=devices (peak %.0f): headroom %.0f×",
		c.WritesPerSecond, c.WritePeak, result.PartitionWrites/c.WritesPerSecond)
}

// misreportedHotDevices returns the number of hot devices that the service does not report, plus the number of devices
// that it reports but that are not hot.
func misreportedHotDevices(r *result.Report) (float64, bool) {
	wrong := 0
	for _, h := range r.Hot {
		if !slices.Contains(r.ReportedHot, h.HardwareID) {
			wrong++
		}
	}
	for _, id := range r.ReportedHot {
		if !slices.ContainsFunc(r.Hot, func(h result.HotDevice) bool { return h.HardwareID == id }) {
			wrong++
		}
	}
	return float64(wrong), r.ReportedHot != nil
}

func reportedHotRemark(r *result.Report) string {
	if len(r.ReportedHot) == 0 {
		return ""
	}
	return "reported by the service: " + strings.Join(r.ReportedHot[:min(len(r.ReportedHot), 5)], ", ")
}

func hotDevicesRemark(r *result.Report) string {
	var list []string
	for _, h := range r.Hot[:min(len(r.Hot), 5)] {
		list = append(list, h.Advice)
	}
	return strings.Join(list, "; ")
}
