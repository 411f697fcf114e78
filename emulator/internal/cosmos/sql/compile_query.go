package sql

import (
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// block is a compiled query or subquery.
type block struct {
	under    *block // a subquery in FROM over the container that needs all documents first; its rows are the documents
	sources  []source
	where    test
	keys     []eval // GROUP BY
	keySlots []int
	aggs     []aggregate
	grouped  bool // by keys, or into a single group by aggregates
	distinct bool
	order    []sortKey
	offset   int64
	limit    int64 // of rows after the offset; -1: none
	project  eval
	computes bool // rows may contain numbers that JSON cannot represent
	rank     *ranking
	adjacent bool // with an ordered source, equal rows are adjacent
	byValue  bool // DISTINCT or GROUP BY of one path without ORDER BY: rows come in the order of values, as from an index
}

// source is a source of FROM: a path of a slot's value, or a subquery.
type source struct {
	slot int
	base int
	head eval // a computed property of the base's value, to use instead of it
	path []ast.Step
	in   bool
	sub  *block
}

type sortKey struct {
	value eval
	desc  bool
}

// query compiles a query; top is set unless it is a subquery.
func (c *compiler) query(q *ast.Query, top bool) *block {
	c.scope = &scope{outer: c.scope, names: map[string]int{}}
	defer func() { c.scope = c.scope.outer }()
	c.star(q)
	if top && q.OrderBy != nil && q.OrderBy.Rank {
		c.rankClauses(q)
	}
	b := &block{distinct: q.Select.Distinct, limit: -1}
	outside := c.computes
	c.computes = false
	if q.From != nil {
		c.from(b, q.From)
	}
	c.container = false
	if !top {
		c.subqueryClauses(q)
	}
	inFrom := c.computes
	if q.Where != nil {
		c.row(q.Where, "WHERE")
		b.where = c.test(q.Where)
	}
	if len(q.GroupBy) == 0 {
		c.orderBy(b, q)
	}
	c.computes = inFrom
	c.groupBy(b, q)
	if len(q.GroupBy) > 0 {
		c.orderBy(b, q)
	}
	b.project = c.projection(b, q)
	b.computes = c.computes
	c.computes = b.computes || outside
	c.counts(b, q)
	if c.err == nil && top {
		c.checkOrder(q)
	}
	if c.err == nil {
		c.arrange(b, q)
	}
	return b
}

// subqueryClauses rejects clauses that a subquery may not have. The service reports errors in nested subqueries of FROM
// first (baselines of the .NET SDK's LINQ tests).
func (c *compiler) subqueryClauses(q *ast.Query) {
	if q.OrderBy != nil && q.OrderBy.Rank {
		c.fail(faultRankNested.at(q.OrderBy.Span))
	} else if q.OrderBy != nil {
		c.fail(faultSubOrderBy.at(q.OrderBy.Span))
	}
	if q.Select.Top != nil {
		c.fail(faultSubTop.at(q.Select.Top.Span))
	}
	if q.OffsetLimit != nil {
		c.fail(faultSubLimit.at(q.OffsetLimit.Span))
	}
}

// star rejects SELECT * where it is invalid.
func (c *compiler) star(q *ast.Query) {
	star := ast.Span{Start: q.Select.End - 1, End: q.Select.End}
	switch {
	case !q.Select.Star:
	case q.From == nil:
		c.fail(faultStarNoFrom.at(star))
	case len(q.From.Sources) > 1:
		c.fail(faultStarSingle.at(star))
	case len(q.GroupBy) > 0:
		c.fail(faultStarGroup.at(star))
	}
}

// row rejects aggregates in a clause that is evaluated per row.
func (c *compiler) row(e ast.Expr, clause string) {
	if call := aggregateIn(e); call != nil {
		c.fail(faultAggregatePlace.at(call.Span, clause))
	}
}

func (c *compiler) groupBy(b *block, q *ast.Query) {
	group := &grouping{keys: map[string]int{}, sizes: map[int]bool{}}
	for _, e := range q.GroupBy {
		c.row(e, "GROUP BY")
		if hasSubquery(e) {
			c.fail(faultGroupSubquery.at(e.At()))
		}
		b.keys = append(b.keys, c.expr(e))
		slot := c.slot()
		b.keySlots = append(b.keySlots, slot)
		group.keys[ast.Key(e)] = slot
		group.sizes[c.size(e)] = true
	}
	b.grouped = len(q.GroupBy) > 0 || selectsAggregate(&q.Select)
	if b.grouped {
		c.scope.group = group
	}
}

func selectsAggregate(s *ast.Select) bool {
	for i := range s.Items {
		if aggregateIn(s.Items[i].Expr) != nil {
			return true
		}
	}
	return s.Value != nil && aggregateIn(s.Value) != nil
}

// orderBy compiles the items, which are evaluated per group if there is a GROUP BY. A single group needs no order.
func (c *compiler) orderBy(b *block, q *ast.Query) {
	if q.OrderBy == nil {
		return
	}
	if q.OrderBy.Rank {
		if c.scope.outer == nil {
			c.rank(b, q)
		}
		return
	}
	for i := range q.OrderBy.Items {
		item := &q.OrderBy.Items[i]
		c.row(item.Expr, "ORDER BY")
		desc := item.Order == ast.Descending || item.Order == ast.Unspecified && c.similarity(item.Expr)
		b.order = append(b.order, sortKey{c.expr(item.Expr), desc})
	}
	if len(q.GroupBy) == 0 && selectsAggregate(&q.Select) {
		b.order = nil
	}
}

// The scoring functions. statisticsFunction appears in the rewritten queries of hybrid search plans.
const (
	distanceFunction   = "VECTORDISTANCE"
	scoreFunction      = "FULLTEXTSCORE"
	statisticsFunction = "_FULLTEXTSCORE"
	fusionFunction     = "RRF"
)

// scores are the functions that ORDER BY accepts.
var scores = map[string]bool{distanceFunction: true, statisticsFunction: true}

func (c *compiler) counts(b *block, q *ast.Query) {
	if q.OffsetLimit != nil {
		b.offset = c.count(&q.OffsetLimit.Offset, "an OFFSET clause")
		b.limit = c.count(&q.OffsetLimit.Limit, "a LIMIT clause")
	}
	if q.Select.Top != nil {
		if n := c.count(q.Select.Top, "a TOP clause"); b.limit < 0 || n < b.limit {
			b.limit = n
		}
	}
}

func (c *compiler) count(n *ast.Count, clause string) int64 {
	if n.Param == "" {
		return n.N
	}
	v := c.params.Values[n.Param]
	if f := v.Float(); v.Kind() == doc.Numeric && f == math.Trunc(f) && f >= 0 && f <= math.MaxUint32 {
		return int64(f)
	}
	c.fail(faultCount.at(n.Span, clause))
	return 0
}
