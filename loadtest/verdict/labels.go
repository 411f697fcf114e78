package verdict

import (
	"cmp"
	"strings"
)

// unitsPrefix is the prefix of the metrics of request units, before the name of the operation.
const unitsPrefix = "ru_"

// Label returns the name of a metric in reports, such as "Latency p99" for p99_ms. The limits of a profile use the
// metric's own name. Label returns other names, such as those of an operation's database calls, as they are.
func Label(metric string) string {
	if operation, is := strings.CutPrefix(metric, unitsPrefix); is {
		return "Request units of " + strings.ReplaceAll(operation, "_", " ")
	}
	return cmp.Or(labels()[metric], metric)
}

// labels returns the names of the metrics in reports, without their units, which the limits state.
func labels() map[string]string {
	return map[string]string{
		"p50_ms": "Latency p50", "p99_ms": "Latency p99", "max_ms": "Latency max",
		"write_p99_ms": "Latency p99 of writes", "read_p99_ms": "Latency p99 of reads",
		"index_p99_ms": "Latency p99 of index reads", "added_p99_ms": "Backend overhead p99",
		"error_share": "Share of failed requests", "rate_share": "Throughput",
		"write_requests_per_second": "Writes", "read_requests_per_second": "Reads",
		"write_units_per_second": "Write units", "read_units_per_second": "Read units",
		"month_dollars": "Cost", "unprocessed_items": "Unprocessed items",
		"lost": "Lost writes", "duplicated": "Duplicated writes", "unacknowledged": "Unacknowledged writes",
		"stale_registrations": "Stale registrations",
		"throttled":           "Throttled requests", "throttled_requests": "Throttled requests",
		"scale_at_peak": "Autoscaled throughput at peak", "scale_off_peak": "Autoscaled throughput off peak",
		"partition_use": "Busiest partition", "key_share": "Hottest key", "index_key_share": "Hottest index key",
		"index_key_use": "Hottest index key",
		"item_count":    "Stored items", "table_bytes": "Stored data", "item_bytes": "Item size",
		"bytes_per_user": "Stored data per user", "user_bytes": "Size of users", "batch_bytes": "Size of batches",
		"event_bytes": "Size of events", "reminder_bytes": "Size of reminders", "device_bytes": "Size of devices",
		"readings_per_second": "Stored readings", "rejected_readings": "Rejected readings",
		"hot_devices": "Hot devices", "hot_devices_misreported": "Misreported hot devices",
		"hottest_key_share": "Hottest API key", "key_lookups_per_second": "API key lookups",
		"key_partition_use": "Hottest API key", "device_index_use": "Device index",
	}
}
