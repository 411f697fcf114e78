package result

// Durability compares the writes that responses acknowledged with those that are stored.
type Durability struct {
	Acknowledged int64 `json:"acknowledged"`
	Lost         int64 `json:"lost"`       // acknowledged and not stored, or acknowledged to two requests and stored once
	Duplicated   int64 `json:"duplicated"` // stored more than once
	// Unacknowledged is how many are stored without any acknowledgement; nil if a request failed, because it may have
	// stored some.
	Unacknowledged *int64 `json:"unacknowledged,omitempty"`
}
