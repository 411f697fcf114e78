package naive

import (
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// from generates the FROM clause of a query over the container and adds its aliases to the scope.
func (g *Generator) from(q *ast.Query) {
	q.From = &ast.From{}
	switch n := g.random.IntN(10); {
	case n == 0:
		g.source(q, ast.Source{Alias: "x", In: true, Root: "c", Path: []ast.Step{{Name: "l"}}}, anything)
	case n == 1:
		g.source(q, ast.Source{Alias: "o", Root: "c", Path: []ast.Step{{Name: "o"}}}, object)
	default:
		g.source(q, ast.Source{Alias: "c", Root: "root"}, document)
	}
	for range g.upTo(2) {
		if g.chance(35) {
			g.join(q)
		}
	}
}

func (g *Generator) source(q *ast.Query, s ast.Source, k kind) {
	q.From.Sources = append(q.From.Sources, s)
	g.aliases = append(g.aliases, alias{s.Alias, k})
}

func (g *Generator) name() string {
	g.named++
	return fmt.Sprintf("j%d", g.named)
}

// join generates a join with the elements of an array, with a subquery's rows, or with the elements of arrays that a
// subquery returns.
func (g *Generator) join(q *ast.Query) {
	switch n := g.random.IntN(4); {
	case n < 2:
		g.elements(q)
	case n == 2:
		g.source(q, ast.Source{Alias: g.name(), Query: g.subquery(anything)}, anything)
	default:
		g.source(q, ast.Source{Alias: g.name(), In: true, Query: g.subquery(list)}, anything)
	}
}

func (g *Generator) anyAlias() alias { return choose(g, g.aliases...) }

// subquery generates a subquery over arrays of an alias in scope, or without a FROM clause. Subqueries cannot have TOP,
// OFFSET LIMIT or ORDER BY.
func (g *Generator) subquery(k kind) *ast.Query {
	before := g.aliases
	g.depth++
	defer func() { g.aliases, g.depth = before, g.depth-1 }()
	q := &ast.Query{}
	if g.chance(70) {
		q.From = &ast.From{}
		g.elements(q)
		if g.chance(20) {
			g.elements(q)
		}
		if g.chance(50) {
			q.Where = g.expr(boolean, 1)
		}
	}
	q.Select.Value = g.expr(k, 1)
	q.Select.Distinct = g.chance(10)
	return q
}

func (g *Generator) elements(q *ast.Query) {
	path := []ast.Step{{Name: "l"}}
	if g.chance(15) {
		path = choose(g, []ast.Step{{Name: "o"}, {Name: "l"}}, []ast.Step{{Name: "l"}, {Index: g.upTo(2), IsIndex: true}},
			nil)
	}
	g.source(q, ast.Source{Alias: g.name(), In: true, Root: g.anyAlias().name, Path: path}, anything)
}

// scalarSubquery generates a subquery with at most one row: an aggregate, or a value without a FROM clause.
func (g *Generator) scalarSubquery() *ast.Query {
	q := g.subquery(anything)
	q.Select.Distinct = false
	if q.From == nil {
		return q
	}
	inner := alias{q.From.Sources[0].Alias, anything}
	q.Select.Value = &ast.Call{Name: choose(g, "COUNT", "SUM", "MIN", "MAX", "AVG"),
		Args: []ast.Expr{g.path(inner, anything)}}
	return q
}

// path generates a property of an alias, or of a property of it, or the alias itself if it is not a document.
func (g *Generator) path(of alias, k kind) ast.Expr {
	e := ast.Expr(&ast.Ident{Name: of.name})
	if of.kind == anything && g.chance(60) {
		return e
	}
	names := map[kind]string{boolean: "b", numeric: "n", text: "s", list: "l", object: "o"}
	name, ok := names[k]
	if !ok || g.chance(10) {
		name = choose(g, "id", "n", "s", "b", "o", "l", "missing")
	}
	if name == "o" && k != object && g.chance(60) {
		e = &ast.Member{Of: e, Name: name}
		name = choose(g, "n", "s")
	}
	if name == "l" && k != list && g.chance(60) {
		e = &ast.Index{Of: &ast.Member{Of: e, Name: name}, By: &ast.Literal{Value: doc.Number(float64(g.upTo(2)))}}
		return choose[ast.Expr](g, e, &ast.Member{Of: e, Name: "n"})
	}
	return &ast.Member{Of: e, Name: name, Bracket: g.chance(5)}
}

func (g *Generator) literal(k kind) ast.Expr {
	switch k {
	case boolean:
		return &ast.Literal{Value: doc.Bool(g.chance(50))}
	case numeric:
		return &ast.Literal{Value: g.plainNumber()}
	case text:
		return &ast.Literal{Value: g.word()}
	case anything:
		if g.chance(15) {
			return &ast.Literal{}
		}
		if g.chance(15) {
			return &ast.Literal{Value: doc.NullValue()}
		}
		return g.literal(choose(g, boolean, numeric, text))
	}
	return nil
}

// plainNumber returns a number that is not negative, because -1 parses as an operation.
func (g *Generator) plainNumber() doc.Value { return doc.Number(choose(g, 0, 0.5, 1, 2, 2.5, 3, 10)) }
