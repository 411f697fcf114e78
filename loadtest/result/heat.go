package result

// Heat is how the load of the attack was distributed over the partitions of a table or an index, as the emulator
// measured it.
type Heat struct {
	Resource        string  `json:"resource"`
	Partitions      int     `json:"partitions"`
	Reads           float64 `json:"read_units"`
	Writes          float64 `json:"write_units"`
	ReadsPerSecond  float64 `json:"read_units_per_second"`
	WritesPerSecond float64 `json:"write_units_per_second"`
	// of the busiest partition: share of a partition's limit
	Utilization float64 `json:"use"`
	HottestKey  string  `json:"hottest_key,omitempty"` // the partition key with the most units
	KeyShare    float64 `json:"hottest_key_share"`     // its share of all units
	// hidden by earlier load: no listed key certainly consumed units during the attack
	KeyUnknown bool  `json:"hottest_key_unknown,omitempty"`
	Throttled  int64 `json:"throttled,omitempty"` // throttled requests
}

// Over returns the heat of an attack of this many seconds. h is that of an attack of one second with the same units.
func (h Heat) Over(seconds float64) Heat {
	h.ReadsPerSecond, h.WritesPerSecond, h.Utilization = h.Reads/seconds, h.Writes/seconds, h.Utilization/seconds
	return h
}

// The throughput limits of one partition of a DynamoDB table or index, in units per second.
const (
	PartitionReads  = 3000
	PartitionWrites = 1000
)
