package sql

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// ranking is a compiled ORDER BY RANK.
type ranking struct {
	components []component
	fuses      bool // RRF
	weights    []float64
}

// component is a score of a ranking: a vector distance, or a text that FullTextScore compares with all others.
type component struct {
	value   eval
	nearest bool   // the smallest value is the best
	terms   []eval // of FullTextScore
}

// rank compiles ORDER BY RANK.
func (c *compiler) rank(b *block, q *ast.Query) {
	for i := range q.OrderBy.Items {
		if q.OrderBy.Items[i].Order != ast.Unspecified {
			c.fail(faultRankSort.at(q.OrderBy.Span))
		}
	}
	if b.rank = c.ranking(q.OrderBy); b.rank == nil || len(q.OrderBy.Items) != 1 {
		c.fail(faultRankCall.at(q.OrderBy.Span))
	}
}

// rankClauses rejects clauses that cannot be combined with ORDER BY RANK.
func (c *compiler) rankClauses(q *ast.Query) {
	if q.From != nil && len(q.From.Sources) > 1 {
		c.fail(faultRankJoin.at(ast.Span{Start: q.From.Sources[0].Start, End: q.From.End}))
	}
	for i := 0; q.From != nil && i < len(q.From.Sources); i++ {
		s := &q.From.Sources[i]
		if s.Query != nil {
			c.fail(faultRankSubquery.at(s.RootAt))
		}
		if s.In {
			c.fail(faultRankIn.at(s.Span))
		}
	}
	if len(q.GroupBy) > 0 || q.Select.Distinct || selectsAggregate(&q.Select) {
		c.fail(faultRankGroup.at(q.OrderBy.Span))
	}
}

// ranking compiles the expression of ORDER BY RANK. It returns nil if the expression is not a score.
func (c *compiler) ranking(by *ast.OrderBy) *ranking {
	call, ok := by.Items[0].Expr.(*ast.Call)
	if !ok || call.UDF {
		return nil
	}
	if !strings.EqualFold(call.Name, fusionFunction) {
		part, ok := c.component(call)
		if !ok {
			return nil
		}
		return &ranking{components: []component{part}}
	}
	r := &ranking{fuses: true}
	for i, arg := range call.Args {
		if call, ok := arg.(*ast.Call); ok && !call.UDF {
			if part, ok := c.component(call); ok {
				r.components = append(r.components, part)
				continue
			}
		}
		if i != len(call.Args)-1 || i == 0 {
			return nil
		}
		c.weights(r, arg, by.Span)
	}
	if len(r.components) < 2 {
		return nil
	}
	return r
}

// weights parses RRF's last argument. at is the position of the clause.
func (c *compiler) weights(r *ranking, e ast.Expr, at ast.Span) {
	if list, ok := e.(*ast.Array); ok && len(list.Elements) == len(r.components) {
		for _, element := range list.Elements {
			if n, ok := element.(*ast.Literal); ok && n.Value.Kind() == doc.Numeric {
				r.weights = append(r.weights, n.Value.Float())
			}
		}
	}
	if len(r.weights) != len(r.components) {
		c.fail(faultRankWeights.at(at))
	}
}

func (c *compiler) component(e *ast.Call) (component, bool) {
	switch strings.ToUpper(e.Name) {
	case distanceFunction:
		return component{value: c.call(e), nearest: !c.similarity(e)}, true
	case scoreFunction:
		if len(e.Args) > 1 {
			return component{value: c.expr(e.Args[0]), terms: c.all(ast.ScoreTerms(e))}, true
		}
	}
	return component{}, false
}

// embedding returns the missing arguments of a call of VECTORDISTANCE without options: those of the container's vector
// policy.
func (c *compiler) embedding(e *ast.Call) []eval {
	const whole = 4
	if len(e.Args) < 2 || len(e.Args) >= whole {
		return nil
	}
	for _, arg := range e.Args[:2] {
		m, ok := arg.(*ast.Member)
		if !ok {
			continue
		}
		if options, ok := c.params.Embeddings[documentPath(m)]; ok {
			return []eval{constantValue(doc.Bool(false)), constantValue(options)}[len(e.Args)-2:]
		}
	}
	return nil
}

// documentPath returns c.a.b as "/a/b".
func documentPath(m *ast.Member) string {
	path := ""
	for {
		path = "/" + m.Name + path
		of, ok := m.Of.(*ast.Member)
		if !ok {
			return path
		}
		m = of
	}
}

// similarity reports whether an expression is a score whose greatest value is the best, as for all distances but
// euclidean.
func (c *compiler) similarity(e ast.Expr) bool {
	call, ok := e.(*ast.Call)
	if !ok || !strings.EqualFold(call.Name, distanceFunction) {
		return ok
	}
	options := c.params.Env.Embedding
	if given := c.embedding(call); len(given) > 0 {
		options = given[len(given)-1](nil)
	}
	if len(call.Args) > 3 {
		if v, ok := (&Program{params: c.params}).constant(call.Args[3]); ok {
			options = v
		}
	}
	return !builtin.NearestFirst(options)
}

// candidate is a row for ORDER BY RANK, with the values of its components.
type candidate struct {
	entry
	values []doc.Value
}

// ranked returns all rows sorted by the score of the only component or, for RRF, by the fused ranks of all components.
func (r *run) ranked() ([]entry, error) {
	var all []candidate
	err := r.documents(func(at []byte) bool {
		return r.block.forEachRow(r.frame, 0, func() bool {
			r.page.Matched++
			c := candidate{entry: entry{position: bytes.Clone(at), row: r.block.project(r.frame)}}
			for _, part := range r.block.rank.components {
				c.values = append(c.values, part.value(r.frame))
			}
			if c.row.Defined() {
				r.accountRow(&c.entry, c.values...)
				all = append(all, c)
			}
			return r.frame.checkRowsHeld(len(all))
		})
	})
	if err != nil {
		return nil, err
	}
	scores := make([][]float64, len(r.block.rank.components))
	for i := range scores {
		scores[i] = r.scores(all, i)
	}
	rows := make([]entry, len(all))
	for i := range all {
		rows[i] = all[i].entry
		rows[i].keys = []doc.Value{doc.Number(r.fused(scores, i))}
	}
	rows = r.finishRows(rows)
	return rows, r.frame.err
}

// scores returns the values of a component, or for RRF its ranks, from 1. The greatest value is the best. A negative
// weight reverses the order.
func (r *run) scores(all []candidate, i int) []float64 {
	part := &r.block.rank.components[i]
	reverse := part.nearest != (r.block.rank.weights != nil && r.block.rank.weights[i] < 0)
	scores := make([]float64, len(all))
	var statistics []doc.Value
	if part.terms != nil {
		statistics = r.statistics(all, i)
	}
	for n := 0; n < len(all) && r.frame.err == nil; n++ {
		v := all[n].values[i]
		if part.terms != nil {
			v = r.function(statisticsFunction, append([]doc.Value{v}, statistics...)...)
		}
		switch scores[n] = v.Float(); {
		case !v.Defined():
			scores[n] = math.Inf(-1) // no text or no vector: last
		case reverse:
			scores[n] = -scores[n]
		}
	}
	if !r.block.rank.fuses {
		return scores
	}
	order := make([]int, len(all))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	ranks, rank := make([]float64, len(all)), 0.0
	for i, n := range order {
		if i == 0 || scores[n] != scores[order[i-1]] {
			rank++ // equal scores have equal ranks, as in the SDKs
		}
		ranks[n] = rank
	}
	return ranks
}

func (r *run) fused(scores [][]float64, n int) float64 {
	if !r.block.rank.fuses {
		return scores[0][n]
	}
	ranks := make([]int, len(scores))
	for i := range scores {
		ranks[i] = int(scores[i][n])
	}
	return builtin.Fuse(ranks, r.block.rank.weights)
}

// statistics returns the statistics for scoring texts: the terms, the numbers of texts and words, and the number of
// texts with each term.
func (r *run) statistics(all []candidate, i int) []doc.Value {
	var terms []doc.Value
	for _, term := range r.block.rank.components[i].terms {
		terms = append(terms, term(r.frame))
	}
	words := 0.0
	hits := make([]float64, len(terms))
	for n := 0; n < len(all) && r.frame.err == nil; n++ {
		text := all[n].values[i]
		words += r.function("_FULLTEXTWORDCOUNT", text).Float()
		for t := range terms {
			if r.function("FULLTEXTCONTAINS", text, terms[t]).IsTrue() {
				hits[t]++
			}
		}
	}
	counts := make([]doc.Value, len(hits))
	for t := range hits {
		counts[t] = doc.Number(hits[t])
	}
	return []doc.Value{doc.Array(terms...), doc.Number(float64(len(all))), doc.Number(words), doc.Array(counts...)}
}

// function calls a system function. What it takes is released at once: the result is a number or a boolean.
func (r *run) function(name string, args ...doc.Value) doc.Value {
	fn, ok := builtin.Lookup(name)
	if !ok || !r.frame.callable(args) {
		return doc.Value{}
	}
	around, held := r.frame.beginRow(), r.frame.budget.Held()
	v := fn.Call(r.frame.env, args)
	r.frame.called(held, 0)
	r.frame.endRow(around)
	return v
}
