package result

// Stored is what a table has as the database itself counts it, once the population is there.
type Stored struct {
	Table string `json:"table"`
	Items int64  `json:"items"`
	Bytes int64  `json:"bytes"`
}

// Size is how large the items of one sort are, in bytes as the service counts them.
type Size struct {
	Of    string  `json:"of"`
	Items int64   `json:"items"`
	Bytes int64   `json:"bytes"`
	Mean  float64 `json:"mean"`
	Least int     `json:"least"`
	Most  int     `json:"most"`
}
