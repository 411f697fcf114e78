// Package plan creates query plans as the gateway does: what a client must do to run a query over several partitions,
// including the queries that it sends to each.
//
// The reference is Microsoft's: the baselines of its planner in azure-cosmos-dotnet-v3 (QueryPlanBaselineTests.*.xml),
// and the comparisons of its Rust driver with a live account. Both are in testdata. A rewritten query is ordinary SQL
// that runs like any other.
package plan

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// Request is a query over a container to be planned.
type Request struct {
	Query      *ast.Query // must compile: the planner only checks what Compile does not
	Parameters map[string]doc.Value
	Key        *doc.PartitionKeyDefinition

	// Distance returns the distance function (cosine, dotproduct, euclidean) of the vectors at a path such as
	// /embedding; empty: none. Nil: no path has vectors.
	Distance func(path string) string
}

// Plan is a query plan. Either Info or Hybrid is set.
type Plan struct {
	Info   *Info
	Ranges []Range // where matching items may be; sorted and disjoint
	Hybrid *Hybrid
}

// Info is the plan of a query, or of a component of a hybrid search.
type Info struct {
	Distinct           string // None, Ordered or Unordered
	Top, Offset, Limit *int64
	OrderBy            []string // Ascending or Descending
	OrderByExpressions []string
	GroupByExpressions []string
	GroupByAliases     []string
	Aggregates         []string          // of SELECT VALUE: at most one
	AliasAggregates    map[string]string // by alias; empty: a value of the group, not an aggregate
	Rewritten          string            // empty: the original query
	SelectValue        bool
	DistinctCount      *string // the alias of the count of distinct values; empty for SELECT VALUE
	NonStreaming       bool    // ORDER BY a score: all rows are needed before the first is known
}

// New plans a query. The error is an *Error.
func New(r *Request) (*Plan, error) {
	b := builder{Request: r, root: rootAlias(r.Query)}
	if err := b.counts(); err != nil {
		return nil, err
	}
	p := &Plan{Ranges: Ranges(r)}
	scores, err := b.scores()
	if err != nil {
		return nil, err
	}
	if len(scores) > 0 {
		p.Hybrid = b.hybrid(scores)
		return p, nil
	}
	p.Info = &Info{Top: b.top, Offset: b.offset, Limit: b.limit, SelectValue: r.Query.Select.Value != nil}
	return p, b.fill(p)
}

// builder is the state of planning a query.
type builder struct {
	*Request
	root               string // the alias of the container's items; empty: none
	top, offset, limit *int64
}

// fill plans a query that is not a hybrid search.
func (b *builder) fill(p *Plan) error {
	info, q := p.Info, b.Query
	info.Distinct = distinctType(q)
	aggregates, err := b.aggregates()
	if err != nil {
		return err
	}
	switch {
	case q.From == nil: // one row, which needs no partition
	case b.root == "" && q.OrderBy != nil:
		return &Error{Message: "ORDER BY needs an alias of the subquery in the FROM clause."}
	case b.distinctCount(info):
	case len(aggregates) > 0 || len(q.GroupBy) > 0:
		b.group(info, aggregates)
	case q.OrderBy != nil:
		b.orderBy(info)
	case info.Distinct != "None" && (b.top != nil || b.limit != nil):
		info.Rewritten = b.withoutWindow().String()
	case b.limit != nil && p.IsSingleKey():
		info.Offset, info.Limit = nil, nil // the partition applies them
	case b.limit != nil:
		info.Rewritten = b.widenLimit(q).String()
	}
	return nil
}

// IsSingleKey reports whether the query reads one logical partition, or nothing at all.
func (p *Plan) IsSingleKey() bool { return IsSingleKey(p.Ranges) }

func rootAlias(q *ast.Query) string {
	if q.From == nil || len(q.From.Sources) == 0 {
		return ""
	}
	if s := q.From.Sources[0]; s.Alias != "" {
		return s.Alias
	} else if len(s.Path) > 0 && !s.Path[len(s.Path)-1].IsIndex {
		return s.Path[len(s.Path)-1].Name
	} else {
		return s.Root
	}
}

func distinctType(q *ast.Query) string {
	switch {
	case !q.Select.Distinct, q.From == nil && q.Select.Value != nil && constant(q.Select.Value):
		return "None"
	case q.Select.Value != nil && q.OrderBy != nil && len(q.OrderBy.Items) == 1 && isPath(q.Select.Value) &&
		ast.Print(q.Select.Value) == ast.Print(q.OrderBy.Items[0].Expr):
		return "Ordered"
	}
	return "Unordered"
}

func isPath(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.Member:
		return isPath(e.Of)
	}
	return false
}

// constant reports whether an expression consists of literals only.
func constant(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Literal:
		return true
	case *ast.Unary:
		return constant(e.X)
	case *ast.Binary:
		return constant(e.L) && constant(e.R)
	case *ast.Array:
		return all(e.Elements, constant)
	case *ast.Object:
		for _, p := range e.Properties {
			if !constant(p.Value) {
				return false
			}
		}
		return true
	}
	return false
}

func all(exprs []ast.Expr, is func(ast.Expr) bool) bool {
	for _, e := range exprs {
		if !is(e) {
			return false
		}
	}
	return true
}
