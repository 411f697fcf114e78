package throughput

// The charges of operations in request units. The figures are from Microsoft's documentation and from a live account;
// testdata/charges.yaml lists all of them with their sources, and how close this model comes to each.

const (
	ChargeMetadataRead  = 1
	ChargeMetadataWrite = 5
)

// Kilobyte is the unit of item sizes, in bytes.
const Kilobyte = 1024

// figure is a published charge for an item size in kilobytes.
type figure struct{ size, charge float64 }

// The charges of point reads and writes without indexing ("Request Units in Azure Cosmos DB", estimating throughput
// needs; "Azure Cosmos DB as a key value store"). Between two figures, the charge is interpolated linearly.
var (
	readFigures  = []figure{{1, 1}, {4, 1.3}, {64, 10}, {100, 10}}
	WriteFigures = []figure{{1, 5}, {4, 7}, {64, 48}, {100, 50}}
)

// BySize returns the charge for an item size in bytes. Beyond the last figure it grows in proportion to the size.
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

// ChargeRead returns the charge of a point read of an item.
func ChargeRead(bytes int) float64 { return BySize(readFigures, bytes) }

// The charges of a query page: for the page in each physical partition that it visits, for each index lookup of a
// condition or an order, for each index entry read, for each document loaded and each kilobyte of it, for each kilobyte
// of rows, and, per document, for each function call in a filter that no index serves.
const (
	chargePage     = 2.23
	chargeLookup   = 0.55
	chargeEntry    = 0.0003
	chargeDocument = 0.0135
	chargeLoaded   = 0.0053 // per kilobyte
	chargeOutput   = 0.002  // per kilobyte
	chargeCall     = 0.019
)

// QueryReads counts the reads of a query page.
type QueryReads struct {
	Documents  int // loaded
	Bytes      int // of these documents
	Output     int // size of the rows in bytes
	Entries    int // index entries read
	Lookups    int // index lookups
	Calls      int // function calls per document
	Matched    int // rows that passed the filter
	Partitions int // physical partitions; 0 counts as 1
}

// ChargeQuery returns the charge of a query page.
func ChargeQuery(r QueryReads) float64 {
	return chargePage*float64(max(1, r.Partitions)) + chargeLookup*float64(r.Lookups) + chargeEntry*float64(r.Entries) +
		(chargeDocument+chargeCall*float64(r.Calls))*float64(r.Documents) +
		(chargeLoaded*float64(r.Bytes)+chargeOutput*float64(r.Output))/Kilobyte
}
