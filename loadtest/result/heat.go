package result

// Heat is how the load of the attack fell on the partitions of a table or an index, as the emulator saw it.
type Heat struct {
	Resource        string  `json:"resource"`
	Partitions      int     `json:"partitions"`
	Reads           float64 `json:"read_units"`
	Writes          float64 `json:"write_units"`
	ReadsPerSecond  float64 `json:"read_units_per_second"`
	WritesPerSecond float64 `json:"write_units_per_second"`
	Use             float64 `json:"use"`                           // the busiest partition's of what one can do
	HottestKey      string  `json:"hottest_key,omitempty"`         // the partition key with most units
	KeyShare        float64 `json:"hottest_key_share"`             // its share of all units
	KeyUnknown      bool    `json:"hottest_key_unknown,omitempty"` // what came before hides it: any of the listed keys may have had no unit since
	Throttled       int64   `json:"throttled,omitempty"`           // requests that were refused
}

// What one partition of a DynamoDB table or index gives: units a second.
const (
	PartitionReads  = 3000
	PartitionWrites = 1000
)
