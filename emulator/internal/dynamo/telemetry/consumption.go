package telemetry

// Consumption is usage that is billed by quantity, besides capacity units.
type Consumption struct {
	Table    string
	Kind     ConsumptionKind
	Quantity int64 // in the kind's unit
}

// ConsumptionKind is a kind of Consumption.
type ConsumptionKind uint8

// The kinds, with their units.
const (
	CapturedChanges     ConsumptionKind = iota // change data capture units of Kinesis destinations
	InsightEvents                              // events of contributor insights
	VectorWrites                               // bytes written to vector indexes
	VectorSearches                             // bytes read by searches
	Restored                                   // bytes of tables and indexes
	Imported                                   // bytes of objects, uncompressed
	Exported                                   // bytes of tables, by full exports
	ExportedChanges                            // bytes of changes, by incremental exports
	BulkPuts                                   // bytes written by bulk puts of the standard tier
	AcceleratedBulkPuts                        // bytes written by bulk puts of the accelerated tier
	ConsumptionKinds                           // the number of kinds
)
