package telemetry

import "fmt"

// Names of indexes and partitions, as the document has them.
const (
	indexListing = "gsi1"               // of devices and of api_keys
	indexKeyHash = "api_key_hash_index" // of api_keys

	// One partition lists all devices, one all keys (TL-D5): kept as locked. An index partition takes 1,000 writes
	// a second; 10,000 devices that are heard of once in 5 minutes are 33 (TL-D7).
	partitionDevices = "devices"
	partitionAPIKeys = "api_keys"
)

// tsBatch is the sort key of a reading (TL-R6): 13 digits, so that text order is time order.
func tsBatch(timestampMS int64, batchID string) string {
	return fmt.Sprintf("%013d#%s", timestampMS, batchID)
}

// tsBatchFrom and tsBatchTo bound the sort keys of a time range, both ends included (TL-P6): no batch_id sorts
// after U+FFFF.
func tsBatchFrom(ms int64) string { return fmt.Sprintf("%013d#", ms) }
func tsBatchTo(ms int64) string   { return fmt.Sprintf("%013d#\uffff", ms) }
