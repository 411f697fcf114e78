package sql

import (
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// block is a compiled query or subquery.
type block struct {
	under    *block // a subquery in FROM over the container that needs all documents first; its rows are the documents here
	sources  []source
	where    test
	keys     []eval // GROUP BY
	keySlots []int
	aggs     []aggregate
	grouped  bool // by keys, or into one group by aggregates alone
	distinct bool
	order    []sortKey
	offset   int64
	limit    int64 // of rows behind the offset; -1: all
	project  eval
	computes bool // rows may hold numbers that are no JSON
	rank     *ranking
	adjacent bool // with the source in order, rows that are alike stand side by side
	byValue  bool // DISTINCT or GROUP BY of one path without ORDER BY: rows come in the order of values, as from an index
}

// source is one source of FROM: a path of a slot's value, or a subquery.
type source struct {
	slot int
	base int
	head eval // in place of the base's value: a computed property of it
	path []ast.Step
	in   bool
	sub  *block
}

type sortKey struct {
	value eval
	desc  bool
}

// query compiles a query; top says that it is not a subquery.
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

// subqueryClauses refuses what a subquery may not have. The service does so once it has seen the subqueries in FROM:
// theirs come first (baselines of the SDK for .NET's LINQ tests).
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

// star refuses SELECT * where it means nothing.
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

// row refuses aggregates in a clause that sees rows.
func (c *compiler) row(e ast.Expr, clause string) {
	if call := aggregateIn(e); call != nil {
		c.fail(faultAggregatePlace.at(call.Span, clause))
	}
}

func (c *compiler) groupBy(b *block, q *ast.Query) {
	group := &grouping{keys: map[string]int{}}
	for _, e := range q.GroupBy {
		c.row(e, "GROUP BY")
		if hasSubquery(e) {
			c.fail(faultGroupSubquery.at(e.At()))
		}
		b.keys = append(b.keys, c.expr(e))
		slot := c.slot()
		b.keySlots = append(b.keySlots, slot)
		group.keys[ast.Key(e)] = slot
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

// orderBy compiles the items: over groups where there is a GROUP BY. One group alone has no order.
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

// The functions that give scores. That of statistics stands in the queries that plans of hybrid searches hold.
const (
	distanceFunction   = "VECTORDISTANCE"
	scoreFunction      = "FULLTEXTSCORE"
	statisticsFunction = "_FULLTEXTSCORE"
	fusionFunction     = "RRF"
)

// scores are the functions that ORDER BY takes.
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
