package plan

import (
	"math"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// Hybrid is the plan of ORDER BY RANK: one query per score, whose ranks the client fuses. Text scores need statistics
// over all partitions; a separate query returns them, and clients put them into the placeholders of the other queries.
type Hybrid struct {
	Statistics         string // the query; empty unless RequiresStatistics is set
	RequiresStatistics bool
	Components         []*Info
	Weights            []float64 // of RRF with weights; nil: equal weights
	Skip, Take         *int64
}

// The placeholders in the queries of a hybrid search. The last two are followed by the index of the component.
const (
	totalDocuments = "{documentdb-formattablehybridsearchquery-totaldocumentcount}"
	totalWords     = "{documentdb-formattablehybridsearchquery-totalwordcount-"
	hitCounts      = "{documentdb-formattablehybridsearchquery-hitcountsarray-"
)

// least is the minimum number of rows of a component, so that ranks are meaningful. Components return twice as many
// rows as the query takes, and at least twice this number.
const least = 60

// score is one of the expressions whose ranks are fused.
type score struct {
	expr      ast.Expr  // as in the rewritten queries
	text      *ast.Call // the original call of FullTextScore; nil: another score
	direction ast.Order
	missing   float64 // replaces the score of an item that has none: the worst score
}

// scores returns the scores of ORDER BY RANK; nil without ORDER BY RANK.
func (b *builder) scores() ([]score, error) {
	order := b.Query.OrderBy
	if order == nil || !order.Rank || b.root == "" {
		return nil, nil
	}
	exprs := []ast.Expr{order.Items[0].Expr}
	if isCall(exprs[0], "RRF") {
		exprs = exprs[0].(*ast.Call).Args
		if n := len(exprs) - 1; n > 0 && b.constantOf(exprs[n]).Kind() == doc.List {
			exprs = exprs[:n] // without the weights
		}
	}
	found := []score{}
	for _, e := range exprs {
		if !isCall(e, "VectorDistance") && (!isCall(e, "FullTextScore") || len(e.(*ast.Call).Args) == 0) {
			return nil, &Error{Code: "SC2221",
				Message: "The ORDER BY RANK clause must be followed by a VectorDistance and/or a FullTextScore function call."}
		}
		found = append(found, b.score(e.(*ast.Call), len(found)))
	}
	if b.hybridBytes(found) > maxHybrid {
		return nil, &Error{Code: "SC3009",
			Message: "The plan of the ORDER BY RANK clause is too large. Use fewer score functions and search terms."}
	}
	return found, nil
}

// maxHybrid is the emulator's own limit of a hybrid plan, in bytes: each of its queries repeats the query with all
// scores, and its statistics repeat a path for each term. The service documents no limit.
const maxHybrid = 16 << 20

// hybridBytes returns about how many bytes the queries of a hybrid plan have.
func (b *builder) hybridBytes(scores []score) int {
	query, statistics := len(b.Query.String()), 0
	for _, s := range scores {
		query += len(ast.Key(s.expr))
		if s.text != nil {
			statistics += len(ast.ScoreTerms(s.text)) * len(ast.Key(s.text.Args[0]))
		}
	}
	return len(scores)*query + statistics
}

func (b *builder) score(call *ast.Call, component int) score {
	switch {
	case isCall(call, "FullTextScore"):
		n := strconv.Itoa(component) + "}"
		return score{text: call, direction: ast.Descending, missing: -1, expr: &ast.Call{Name: "_FullTextScore",
			Args: []ast.Expr{
				call.Args[0], &ast.Array{Elements: ast.ScoreTerms(call)},
				&ast.Verbatim{Text: totalDocuments}, &ast.Verbatim{Text: totalWords + n}, &ast.Verbatim{Text: hitCounts + n},
			}}}
	case b.distance(call) == "euclidean":
		return score{expr: call, direction: ast.Ascending, missing: worstDistance}
	}
	return score{expr: call, direction: ast.Descending, missing: -worstDistance}
}

// worstDistance replaces the distance of an item without a vector. The service's value is unknown; it only has to rank
// after all others.
const worstDistance = 1e308

func (b *builder) hybrid(scores []score) *Hybrid {
	h := &Hybrid{Weights: b.weights(), Skip: b.offset, Take: b.limit}
	if h.Take == nil {
		h.Take = b.top
	}
	for i, w := range h.Weights {
		if w >= 0 {
			continue
		}
		// The worst becomes the best, with the same weight: with a negative weight, SDKs would reverse the order again
		// (HybridSearchQueryTests of the .NET SDK, fullTextSearch.spec.ts of @azure/cosmos).
		h.Weights[i] = -w
		if i < len(scores) {
			scores[i].direction = ast.Ascending + ast.Descending - scores[i].direction
			scores[i].missing = -scores[i].missing
		}
	}
	for i := range scores {
		h.Components = append(h.Components, b.component(scores, i))
	}
	b.statistics(h, scores)
	return h
}

// weights returns the last argument of RRF if it is an array.
func (b *builder) weights() []float64 {
	call, ok := b.Query.OrderBy.Items[0].Expr.(*ast.Call)
	if !ok || !isCall(call, "RRF") || len(call.Args) == 0 {
		return nil
	}
	var weights []float64
	for _, w := range b.constantOf(call.Args[len(call.Args)-1]).Elements() {
		weights = append(weights, w.Float())
	}
	return weights
}

// component plans the query that ranks by one of the scores. Each of its rows includes all scores, for the client to
// rank by.
func (b *builder) component(scores []score, i int) *Info {
	own, window := scores[i], *b
	enough := func(n int64) *int64 { n = min(2*max(least, n), math.MaxUint32); return &n }
	switch {
	case b.limit != nil:
		zero := int64(0)
		window.offset, window.limit = &zero, enough(*b.offset+*b.limit)
	case b.top != nil:
		window.top = enough(*b.top)
	}
	all := &ast.Array{}
	for _, s := range scores {
		all.Elements = append(all.Elements, &ast.Binary{Op: ast.Coalesce, L: s.expr,
			R: &ast.Literal{Value: doc.Number(s.missing)}})
	}
	q := window.ordered([]ast.Expr{own.expr}, object("payload", b.payload(), "componentScores", all))
	q.OrderBy = &ast.OrderBy{Items: []ast.OrderItem{{Expr: own.expr, Order: own.direction}}}
	return &Info{
		Distinct: "None", Top: window.top, Offset: window.offset, Limit: window.limit, NonStreaming: true,
		OrderBy: []string{map[ast.Order]string{ast.Ascending: "Ascending",
			ast.Descending: "Descending"}[own.direction]},
		OrderByExpressions: printed([]ast.Expr{own.expr}), Rewritten: q.String(),
	}
}

// statistics plans the query for the statistics that text scores need of all documents.
func (b *builder) statistics(h *Hybrid, scores []score) {
	texts := &ast.Array{}
	for _, s := range scores {
		if s.text == nil {
			continue
		}
		hits, path := &ast.Array{}, s.text.Args[0]
		for _, word := range ast.ScoreTerms(s.text) {
			contains := &ast.Call{Name: "FullTextContains", Args: []ast.Expr{path, word}}
			hits.Elements = append(hits.Elements, &ast.Call{Name: "COUNTIF", Args: []ast.Expr{contains}})
		}
		words := &ast.Call{Name: "_FullTextWordCount", Args: []ast.Expr{path}}
		texts.Elements = append(texts.Elements, object("totalWordCount", &ast.Call{Name: "SUM", Args: []ast.Expr{words}},
			"hitCounts", hits))
	}
	if len(texts.Elements) == 0 {
		return
	}
	one := &ast.Literal{Value: doc.Number(1)}
	q := ast.Query{From: &ast.From{Sources: b.Query.From.Sources[:1]}, Select: ast.Select{Items: []ast.SelectItem{
		{Expr: &ast.Call{Name: "COUNT", Args: []ast.Expr{one}}, Alias: "documentCount"},
		{Expr: texts, Alias: "fullTextStatistics"},
	}}}
	h.RequiresStatistics, h.Statistics = true, q.String()
}
