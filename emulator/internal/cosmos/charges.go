package cosmos

// What an operation costs in request units. Sources stand beside the figures.

const (
	chargeMetadataRead  = 1
	chargeMetadataWrite = 5
)

// kilobyte is what the service counts items by.
const kilobyte = 1024

// chargeRead is what a point read costs: 1 RU for an item of up to 1 KB, and as much for each further one ("Request Units in
// Azure Cosmos DB").
func chargeRead(size int) float64 {
	return float64(max(1, (size+kilobyte-1)/kilobyte))
}

// chargeWrite is what a write of an item costs.
func chargeWrite(size int) float64 { return 5 * chargeRead(size) }

// chargeQuery is what a page of a query costs.
func chargeQuery(r queryReads) float64 {
	return 2.2 + 0.03*float64(r.documents) + float64(r.output)/(8*kilobyte)
}
