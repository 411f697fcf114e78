package result

// Kept is what became of the things that answers said were made.
type Kept struct {
	Acknowledged int64 `json:"acknowledged"`
	Lost         int64 `json:"lost"`    // acknowledged and not there, or acknowledged to two requests and there once
	Doubled      int64 `json:"doubled"` // there more than once
	// Unacknowledged is how many are there that no answer told of; nil where a request failed, which may have made
	// some.
	Unacknowledged *int64 `json:"unacknowledged,omitempty"`
}
