package result

// UnitCost is the request units that an operation consumed, as the backend reports them, beside the document's figure.
type UnitCost struct {
	Operation  string  `json:"operation"`
	Calls      int64   `json:"calls"`
	RU         float64 `json:"ru"`                   // mean request units per call
	Documented float64 `json:"documented,omitempty"` // 0: not documented
}

// DocumentedUnits returns the request units that the notification document states, by the backend's names of
// operations.
func DocumentedUnits() map[string]float64 {
	return map[string]float64{"enqueue": 5, "process": 15, "list": 3, "mark": 5, "set preferences": 5, "register": 10}
}
