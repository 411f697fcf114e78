package throughput

// What an operation costs in request units. The figures come from what Microsoft publishes and from what a live account
// answered; testdata/charges.yaml has them all with their sources, and how near this model comes to each.

const (
	ChargeMetadataRead  = 1
	ChargeMetadataWrite = 5
)

// Kilobyte is what the service counts items by.
const Kilobyte = 1024

// figure is a published charge for an item of a size in kilobytes.
type figure struct{ size, charge float64 }

// What point reads and writes cost without an index ("Request Units in Azure Cosmos DB", estimating throughput needs;
// "Azure Cosmos DB as a key value store"). Between the figures the charge is taken to grow evenly.
var (
	readFigures  = []figure{{1, 1}, {4, 1.3}, {64, 10}, {100, 10}}
	WriteFigures = []figure{{1, 5}, {4, 7}, {64, 48}, {100, 50}}
)

// BySize is the charge for an item of so many bytes. Beyond the last figure it grows with the size.
func BySize(figures []figure, bytes int) float64 {
	size := float64(bytes) / Kilobyte
	low := figures[0]
	for _, high := range figures {
		if size <= high.size {
			if high == low {
				return high.charge
			}
			return low.charge + (size-low.size)*(high.charge-low.charge)/(high.size-low.size)
		}
		low = high
	}
	return low.charge * size / low.size
}

// ChargeRead is what a point read of an item costs.
func ChargeRead(bytes int) float64 { return BySize(readFigures, bytes) }

// What a page of a query costs: itself, in each physical partition that it visits, each index that it looks a condition
// or its order up in, each entry of these, each document that it loads and each kilobyte of that, each kilobyte of
// rows, and each call of a function in a filter that no index serves, for each document.
const (
	chargePage     = 2.23
	chargeLookup   = 0.55
	chargeEntry    = 0.0003
	chargeDocument = 0.0135
	chargeLoaded   = 0.0053 // for a kilobyte
	chargeOutput   = 0.002  // for a kilobyte
	chargeCall     = 0.019
)

// QueryReads is what a page took.
type QueryReads struct {
	Documents int // that were loaded
	Bytes     int // of them
	Output    int // bytes of rows
	Entries   int // of indexes that were looked at
	Indexes   int // that were used
	Calls     int // of functions, for each document
	Matched   int // rows that passed the filter
	Visits    int // of physical partitions; 0 counts as 1
}

// ChargeQuery is what a page of a query costs.
func ChargeQuery(r QueryReads) float64 {
	return chargePage*float64(max(1, r.Visits)) + chargeLookup*float64(r.Indexes) + chargeEntry*float64(r.Entries) +
		(chargeDocument+chargeCall*float64(r.Calls))*float64(r.Documents) +
		(chargeLoaded*float64(r.Bytes)+chargeOutput*float64(r.Output))/Kilobyte
}
