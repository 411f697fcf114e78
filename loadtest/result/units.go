package result

// UnitCost is what an operation took of Cosmos DB, as the backend tells it, beside what its document says.
type UnitCost struct {
	Operation  string  `json:"operation"`
	Calls      int64   `json:"calls"`
	RU         float64 `json:"ru"`                   // request units of one, in the mean
	Documented float64 `json:"documented,omitempty"` // 0: the document says nothing
}

// DocumentedUnits are the figures of the notifications' document, by the backend's names of operations.
func DocumentedUnits() map[string]float64 {
	return map[string]float64{"enqueue": 5, "process": 15, "list": 3, "mark": 5, "set preferences": 5, "register": 10}
}
