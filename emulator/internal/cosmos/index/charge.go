package index

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

// The request units that indexing adds to a write: for the item's system properties, for each value, and for each
// object or array with indexed values. Live account, October 2026: creates of 4, 5, 14 and, nested twice, 9 values cost
// 6.67, 7.05, 10.48 and 9.14.
const (
	chargeItem  = 0.146
	chargeValue = 0.381
	chargeNode  = 0.28
)

// WriteCharge returns the request units that indexing adds to the write of a document.
func (x *Policy) WriteCharge(document doc.Value) float64 {
	if x.none {
		return 0
	}
	values, nodes := 0, 0
	if x.indexesAll {
		values, nodes = allTerms(document)
	} else {
		values, nodes = x.terms(document, nil)
	}
	return chargeItem + chargeValue*float64(values) + chargeNode*float64(max(0, nodes-1))
}

// allTerms returns the number of values in a document, and of objects and arrays that contain values.
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

// distinct returns the elements of an array without duplicates.
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

// terms returns the number of indexed values, and of objects and arrays that contain some. Equal elements of an array
// count as one term: the index records that a path has a value, not how often ("Schema-agnostic indexing with Azure
// DocumentDB", VLDB 2015).
func (x *Policy) terms(v doc.Value, steps []doc.PathStep) (values, nodes int) {
	if v.Len() == 0 {
		if x.Includes(steps) {
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
