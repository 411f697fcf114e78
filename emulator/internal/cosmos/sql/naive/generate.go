package naive

import (
	"fmt"
	"math/rand/v2"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// Generator generates random queries and documents from a seed.
type Generator struct {
	random  *rand.Rand
	aliases []alias // in scope
	named   int
	depth   int  // of subqueries
	inner   bool // subqueries are not allowed here: inside aggregates, as in the service
}

// An alias is an alias of the FROM clause with the usual kind of its value.
type alias struct {
	name string
	kind kind
}

// kind is the kind of value that a generated expression should have. It usually does.
type kind int

const (
	anything kind = iota
	boolean
	numeric
	text
	list
	object
	document
)

// NewGenerator returns a Generator. The same seed always generates the same.
func NewGenerator(seed uint64) *Generator {
	return &Generator{random: rand.New(rand.NewPCG(seed, seed))}
}

func (g *Generator) chance(percent int) bool { return g.random.IntN(100) < percent }
func (g *Generator) upTo(n int) int          { return g.random.IntN(n + 1) }

func choose[T any](g *Generator, from ...T) T { return from[g.random.IntN(len(from))] }

// World generates up to a dozen documents, and parameters.
func (g *Generator) World() *World {
	w := &World{Params: map[string]doc.Value{
		"@n": g.number(), "@s": g.word(), "@l": g.array(1), "@any": g.value(2),
		"@few": doc.Number(float64(g.upTo(3))),
	}}
	for i := range g.upTo(12) {
		w.Documents = append(w.Documents, g.document(i))
	}
	return w
}

// document generates a document whose properties usually have a fixed type and may be missing: n number, s string, b
// boolean, o object, l array.
func (g *Generator) document(i int) doc.Value {
	d := doc.Object(doc.Member{Name: "id", Value: doc.String(fmt.Sprint(i))})
	for _, p := range []struct {
		name string
		make func() doc.Value
	}{
		{"n", g.number}, {"s", g.word}, {"b", func() doc.Value { return doc.Bool(g.chance(50)) }},
		{"o", func() doc.Value { return g.object(1) }}, {"l", func() doc.Value { return g.array(2) }},
	} {
		switch {
		case g.chance(15):
		case g.chance(10):
			d = d.With(p.name, g.value(2))
		default:
			d = d.With(p.name, p.make())
		}
	}
	return d
}

func (g *Generator) number() doc.Value {
	return doc.Number(choose(g, -2, -1, 0, 0.5, 1, 2, 2.5, 3, 10, 1e10))
}

func (g *Generator) word() doc.Value {
	return doc.String(choose(g, "", "a", "ab", "b", "Ab", "a%b", "é", "abab", "10"))
}

func (g *Generator) array(depth int) doc.Value {
	elements := make([]doc.Value, g.upTo(3))
	for i := range elements {
		elements[i] = g.value(depth - 1)
	}
	return doc.Array(elements...)
}

func (g *Generator) object(depth int) doc.Value {
	o := doc.Object()
	for _, name := range []string{"n", "s", "l"}[:g.upTo(3)] {
		o = o.With(name, g.value(depth-1))
	}
	return o
}

func (g *Generator) value(depth int) doc.Value {
	switch n := g.random.IntN(8); {
	case n < 3:
		return g.number()
	case n < 5:
		return g.word()
	case n == 5:
		return choose(g, doc.NullValue(), doc.Bool(true), doc.Bool(false))
	case depth <= 0:
		return g.number()
	case n == 6:
		return g.array(depth)
	}
	return g.object(depth)
}

// Query generates a query over the container.
func (g *Generator) Query() *ast.Query {
	g.aliases, g.named, g.depth, g.inner = nil, 0, 0, false
	q := &ast.Query{}
	if g.chance(3) {
		q.Select.Value = g.expr(anything, 3)
		return q
	}
	g.from(q)
	if g.chance(60) {
		q.Where = g.expr(boolean, 3)
	}
	switch n := g.random.IntN(10); {
	case n < 2:
		g.grouped(q)
	case n < 4:
		g.aggregated(q)
	default:
		g.plain(q)
	}
	g.cut(q)
	return q
}

func (g *Generator) cut(q *ast.Query) {
	if g.chance(15) {
		q.Select.Top = g.count(5)
	} else if g.chance(15) {
		q.OffsetLimit = &ast.OffsetLimit{Offset: *g.count(4), Limit: *g.count(5)}
	}
}

func (g *Generator) count(most int) *ast.Count {
	if g.chance(20) {
		return &ast.Count{Param: "@few"}
	}
	return &ast.Count{N: int64(g.upTo(most))}
}

// plain generates a SELECT clause without aggregates, and possibly an ORDER BY if rows are whole documents: the order
// of rows of the same document is not specified.
func (g *Generator) plain(q *ast.Query) {
	joined := len(q.From.Sources) > 1
	switch {
	case !joined && g.chance(25):
		q.Select.Star = true
	case g.chance(50):
		q.Select.Value = g.expr(anything, 3)
	default:
		g.items(q)
	}
	q.Select.Distinct = g.chance(15)
	if !joined && !q.From.Sources[0].In && g.chance(40) {
		g.orderBy(q)
	}
}

func (g *Generator) items(q *ast.Query) {
	for i := range 1 + g.upTo(2) {
		q.Select.Items = append(q.Select.Items, ast.SelectItem{Expr: g.expr(anything, 2), Alias: fmt.Sprintf("f%d", i)})
	}
}

func (g *Generator) orderBy(q *ast.Query) {
	by := &ast.OrderBy{}
	used := map[string]bool{}
	for range 1 + g.upTo(1) {
		path := g.path(g.aliases[0], anything)
		if text := ast.Print(path); used[text] {
			continue
		} else {
			used[text] = true
		}
		by.Items = append(by.Items, ast.OrderItem{Expr: path, Order: choose(g, ast.Unspecified, ast.Ascending,
			ast.Descending)})
	}
	q.OrderBy = by
}

func (g *Generator) grouped(q *ast.Query) {
	for i := range 1 + g.upTo(1) {
		key := g.path(g.anyAlias(), anything)
		q.GroupBy = append(q.GroupBy, key)
		q.Select.Items = append(q.Select.Items, ast.SelectItem{Expr: key, Alias: fmt.Sprintf("k%d", i)})
	}
	for i := range g.upTo(2) {
		q.Select.Items = append(q.Select.Items, ast.SelectItem{Expr: g.aggregates(), Alias: fmt.Sprintf("a%d", i)})
	}
	if g.chance(20) {
		q.Select.Value, q.Select.Items = &ast.Array{Elements: []ast.Expr{q.GroupBy[0], g.aggregate()}}, nil
	}
}

func (g *Generator) aggregated(q *ast.Query) {
	if g.chance(50) {
		q.Select.Value = g.aggregates()
		return
	}
	for i := range 1 + g.upTo(2) {
		q.Select.Items = append(q.Select.Items, ast.SelectItem{Expr: g.aggregates(), Alias: fmt.Sprintf("a%d", i)})
	}
}

// aggregates generates an expression of aggregates.
func (g *Generator) aggregates() ast.Expr {
	switch g.random.IntN(8) {
	case 0:
		return &ast.Binary{Op: choose(g, ast.Add, ast.Mul, ast.Gt, ast.Eq), L: g.aggregate(), R: g.literal(numeric)}
	case 1:
		return &ast.Object{Properties: []ast.Property{{Name: "n", Value: g.aggregate()}, {Name: "s", Value: g.aggregate()}}}
	case 2:
		return &ast.Array{Elements: []ast.Expr{g.aggregate(), g.literal(anything), g.aggregate()}}
	case 3:
		return &ast.Call{Name: "IIF", Args: []ast.Expr{g.literal(boolean), g.aggregate(), g.aggregate()}}
	case 4:
		return &ast.Cond{If: &ast.Call{Name: "IS_DEFINED", Args: []ast.Expr{g.aggregate()}}, Then: g.aggregate(),
			Else: g.aggregate()}
	}
	return g.aggregate()
}

func (g *Generator) aggregate() ast.Expr {
	name := choose(g, "COUNT", "SUM", "AVG", "MIN", "MAX", "COUNTIF", "MAKELIST", "MAKESET")
	k := anything
	switch name {
	case "SUM", "AVG":
		k = numeric
	case "COUNTIF":
		k = boolean
	}
	g.inner = true
	defer func() { g.inner = false }()
	return &ast.Call{Name: name, Args: []ast.Expr{g.expr(k, 2)}}
}
