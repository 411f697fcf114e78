package cosmos

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

// What an operation costs in request units. The figures come from what Microsoft publishes and from what a live account
// answered; testdata/charges.yaml has them all with their sources, and how near this model comes to each.

const (
	chargeMetadataRead  = 1
	chargeMetadataWrite = 5
)

// kilobyte is what the service counts items by.
const kilobyte = 1024

// figure is a published charge for an item of a size in kilobytes.
type figure struct{ size, charge float64 }

// What point reads and writes cost without an index ("Request Units in Azure Cosmos DB", estimating throughput needs; "Azure
// Cosmos DB as a key value store"). Between the figures the charge is taken to grow evenly.
var (
	readFigures  = []figure{{1, 1}, {4, 1.3}, {64, 10}, {100, 10}}
	writeFigures = []figure{{1, 5}, {4, 7}, {64, 48}, {100, 50}}
)

// bySize is the charge for an item of so many bytes. Beyond the last figure it grows with the size.
func bySize(figures []figure, bytes int) float64 {
	size := float64(bytes) / kilobyte
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

// chargeRead is what a point read of an item costs.
func chargeRead(bytes int) float64 { return bySize(readFigures, bytes) }

// readCost is what a read costs at the request's consistency level: twice as much where it meets several replicas ("Consistency
// levels in Azure Cosmos DB", consistency guarantees and throughput).
func (c *call) readCost(charge float64) float64 {
	if c.doubled {
		return 2 * charge
	}
	return charge
}

// What the index adds to a write: for the item's system properties, for each value, and for each object or array that holds
// values. Live account, October 2026: creates of 4, 5, 14 and, nested twice, 9 values cost 6.67, 7.05, 10.48 and 9.14.
const (
	chargeIndexed = 0.146
	chargeValue   = 0.381
	chargeNode    = 0.28
)

// rewriting is how much of a write's charge it costs more to replace an item than to make it. Live account, October 2026:
// 10.67 where the create cost 6.67, and 11.05 where it cost 7.05.
const rewriting = 0.8

// chargeWrite is what it costs to make an item, or to delete it.
func chargeWrite(i *item) float64 { return bySize(writeFigures, i.size()) + i.indexing }

// chargeReplace is what it costs to put an item in another's place.
func chargeReplace(i *item) float64 {
	return chargeWrite(i) + rewriting*bySize(writeFigures, i.size())
}

// What a page of a query costs: itself, in each physical partition that it visits, each index that it looks a condition or its order up in, each entry of these, each
// document that it loads and each kilobyte of that, each kilobyte of rows, and each call of a function in a filter that no
// index serves, for each document.
const (
	chargePage     = 2.23
	chargeLookup   = 0.55
	chargeEntry    = 0.0003
	chargeDocument = 0.0135
	chargeLoaded   = 0.0053 // for a kilobyte
	chargeOutput   = 0.002  // for a kilobyte
	chargeCall     = 0.019
)

// queryReads is what a page took.
type queryReads struct {
	documents int // that were loaded
	bytes     int // of them
	output    int // bytes of rows
	entries   int // of indexes that were looked at
	indexes   int // that were used
	calls     int // of functions, for each document
	matched   int // rows that passed the filter
	visits    int // of physical partitions; 0 counts as 1
}

// chargeQuery is what a page of a query costs.
func chargeQuery(r queryReads) float64 {
	return chargePage*float64(max(1, r.visits)) + chargeLookup*float64(r.indexes) + chargeEntry*float64(r.entries) +
		(chargeDocument+chargeCall*float64(r.calls))*float64(r.documents) +
		(chargeLoaded*float64(r.bytes)+chargeOutput*float64(r.output))/kilobyte
}

// indexCharge is what the index adds to the write of a document.
func (x *Policy) indexCharge(document doc.Value) float64 {
	if x.none {
		return 0
	}
	values, nodes := 0, 0
	if x.everything {
		values, nodes = allTerms(document)
	} else {
		values, nodes = x.terms(document, nil)
	}
	return chargeIndexed + chargeValue*float64(values) + chargeNode*float64(max(0, nodes-1))
}

// allTerms counts the values of a document, and the objects and arrays that hold some.
func allTerms(v doc.Value) (values, nodes int) {
	if v.Len() == 0 {
		return 1, 0
	}
	for _, e := range distinct(v.Elements()) {
		n, m := allTerms(e)
		values, nodes = values+n, nodes+m
	}
	for _, member := range v.Members() {
		n, m := allTerms(member.Value)
		values, nodes = values+n, nodes+m
	}
	return values, nodes + 1
}

// distinct are the elements of an array without those that are there before.
func distinct(elements []doc.Value) []doc.Value {
	if len(elements) < 2 {
		return elements
	}
	seen := make(map[string]bool, len(elements))
	var once []doc.Value
	for _, e := range elements {
		if key := e.JSON(); !seen[key] {
			seen[key] = true
			once = append(once, e)
		}
	}
	return once
}

// terms counts the values that the policy has indexed, and the objects and arrays that hold some. What an array has several
// times is one term: the index knows that a path has a value, not how often ("Schema-agnostic indexing with Azure DocumentDB",
// VLDB 2015).
func (x *Policy) terms(v doc.Value, steps []doc.PathStep) (values, nodes int) {
	if v.Len() == 0 {
		if x.serves(steps) {
			return 1, 0
		}
		return 0, 0
	}
	for _, e := range distinct(v.Elements()) {
		n, m := x.terms(e, append(steps, doc.PathStep{Element: true}))
		values, nodes = values+n, nodes+m
	}
	for _, member := range v.Members() {
		n, m := x.terms(member.Value, append(steps, doc.PathStep{Name: member.Name}))
		values, nodes = values+n, nodes+m
	}
	if values > 0 {
		nodes++
	}
	return values, nodes
}
