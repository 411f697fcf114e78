package plan

import (
	"slices"
	"strings"
)

// Unsupported returns the error, a BadRequest, for a plan that needs features which a client does not support.
// supported is the client's header x-ms-cosmos-supported-query-features. The error is nil if the client supports all of
// them.
func (p *Plan) Unsupported(supported string) error {
	has := map[string]bool{}
	for f := range strings.SplitSeq(supported, ",") {
		has[strings.TrimSpace(f)] = true
	}
	lines := []string{}
	for _, f := range p.requiredFeatures() {
		if !has[f] {
			lines = append(lines, "\r\nQuery contained "+f+", which the calling client does not support.")
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return &UnsupportedError{Message: "Query contains 1 or more unsupported features. " +
		"Upgrade your SDK to a version that does support the requested features:" + strings.Join(lines, "")}
}

// UnsupportedError is the error for a plan that a client cannot execute: 400 BadRequest.
type UnsupportedError struct{ Message string }

// Error returns the message as the service writes it.
func (e *UnsupportedError) Error() string { return e.Message }

// operators returns the aggregates that a client merges.
func (i *Info) operators() []string {
	found := slices.Clone(i.Aggregates)
	for _, name := range i.AliasAggregates {
		if name != "" {
			found = append(found, name)
		}
	}
	return found
}

// requiredFeatures returns the features that a client needs, in the service's order.
func (p *Plan) requiredFeatures() []string {
	if p.Hybrid != nil {
		if p.Hybrid.Weights != nil {
			return []string{"HybridSearch", "WeightedRankFusion"}
		}
		return []string{"HybridSearch"}
	}
	i := p.Info
	operators := i.operators()
	single := len(operators) == 1
	needed := []string{}
	for _, f := range []struct {
		name string
		is   bool
	}{
		{"Aggregate", single && i.SelectValue},
		{"Distinct", i.Distinct != "None" && i.DistinctCount == nil},
		{"GroupBy", len(i.GroupByExpressions) > 0},
		{"MultipleAggregates", len(operators) > 1},
		{"MultipleOrderBy", len(i.OrderBy) > 1},
		{"OffsetAndLimit", i.Limit != nil},
		{"OrderBy", len(i.OrderBy) == 1},
		{"Top", i.Top != nil},
		{"NonValueAggregate", len(operators) > 0 && !(single && i.SelectValue)},
		{"DCount", i.DistinctCount != nil},
		{"NonStreamingOrderBy", i.NonStreaming},
		{"ListAndSetAggregate", slices.Contains(operators, "MakeList") || slices.Contains(operators, "MakeSet")},
		{"CountIf", slices.Contains(operators, "CountIf")},
	} {
		if f.is {
			needed = append(needed, f.name)
		}
	}
	return needed
}
