package result

// Stored is the size of a table after the population was created, as reported by the database.
type Stored struct {
	Table string `json:"table"`
	Items int64  `json:"items"`
	Bytes int64  `json:"bytes"`
}

// Size is the size of items of one type, in bytes as the service counts them.
type Size struct {
	Kind  string  `json:"of"`
	Items int64   `json:"items"`
	Bytes int64   `json:"bytes"`
	Mean  float64 `json:"mean"`
	Min   int     `json:"least"`
	Max   int     `json:"most"`
}
