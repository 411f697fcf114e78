package telemetry

import "fmt"

// Names of indexes and partitions, as documented.
const (
	indexListing = "gsi1"               // of devices and of api_keys
	indexKeyHash = "api_key_hash_index" // of api_keys

	// One partition lists all devices, and one all keys (TL-D5): kept as locked. An index partition supports 1,000
	// writes per second; 10,000 devices with one update in 5 minutes need 33 (TL-D7).
	partitionDevices = "devices"
	partitionAPIKeys = "api_keys"
)

// tsBatch returns the sort key of a reading (TL-R6): 13 digits, so that text order is time order.
func tsBatch(timestampMS int64, batchID string) string {
	return fmt.Sprintf("%013d#%s", timestampMS, batchID)
}

// tsBatchFrom and tsBatchTo return the bounds of a time range's sort keys, both inclusive (TL-P6): no batch_id sorts
// after U+FFFF.
func tsBatchFrom(ms int64) string { return fmt.Sprintf("%013d#", ms) }
func tsBatchTo(ms int64) string   { return fmt.Sprintf("%013d#\uffff", ms) }
