package naive

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// expr generates an expression that usually is of a kind.
func (g *Generator) expr(k kind, depth int) ast.Expr {
	if g.chance(8) {
		k = anything
	}
	if k == anything && g.chance(70) {
		k = choose(g, boolean, numeric, text, list, object)
	}
	if depth <= 0 || g.chance(25) {
		return g.leaf(k)
	}
	if g.chance(12) {
		return g.ofAnyKind(k, depth)
	}
	switch k {
	case boolean:
		return g.condition(depth)
	case numeric:
		return g.calculation(depth)
	case text:
		return g.textual(depth)
	case list:
		return g.listing(depth)
	case object:
		return g.objectOf(depth)
	}
	return g.leaf(k)
}

// nests reports whether a subquery is allowed here.
func (g *Generator) nests() bool { return len(g.aliases) > 0 && !g.inner && g.depth < 2 }

func (g *Generator) leaf(k kind) ast.Expr {
	if len(g.aliases) > 0 && g.chance(65) {
		return g.path(g.anyAlias(), k)
	}
	if g.chance(15) {
		return &ast.Param{Name: choose(g, "@n", "@s", "@l", "@any", "@none")}
	}
	switch k {
	case list:
		return &ast.Array{Elements: []ast.Expr{g.literal(anything)}}
	case object:
		return &ast.Object{Properties: []ast.Property{{Name: "n", Value: g.literal(anything)}}}
	}
	return g.literal(k)
}

func (g *Generator) exprs(k kind, depth, most int) []ast.Expr {
	list := make([]ast.Expr, 1+g.upTo(most-1))
	for i := range list {
		list[i] = g.expr(k, depth-1)
	}
	return list
}

// ofAnyKind generates an expression that can have any kind.
func (g *Generator) ofAnyKind(k kind, depth int) ast.Expr {
	switch g.random.IntN(5) {
	case 0:
		return &ast.Cond{If: g.expr(boolean, depth-1), Then: g.expr(k, depth-1), Else: g.expr(k, depth-1)}
	case 1:
		return &ast.Binary{Op: ast.Coalesce, L: g.expr(k, depth-1), R: g.expr(k, depth-1)}
	case 2:
		// the service takes no other (SC2990)
		return &ast.Index{Of: g.expr(list, depth-1), By: &ast.Literal{Value: doc.Number(float64(g.upTo(3)))}}
	case 3:
		return &ast.Call{Name: "IIF", Args: []ast.Expr{g.expr(boolean, depth-1), g.expr(k, depth-1), g.expr(k, depth-1)}}
	}
	if !g.nests() {
		return g.leaf(k)
	}
	return &ast.Subquery{Kind: ast.Scalar, Query: g.scalarSubquery()}
}

func (g *Generator) condition(depth int) ast.Expr {
	not := g.chance(25)
	switch g.random.IntN(9) {
	case 0, 1:
		k := choose(g, anything, boolean, numeric, text)
		op := choose(g, ast.Eq, ast.Ne, ast.Lt, ast.Le, ast.Gt, ast.Ge)
		return &ast.Binary{Op: op, L: g.expr(k, depth-1), R: g.expr(k, depth-1)}
	case 2, 3:
		return &ast.Binary{Op: choose(g, ast.And, ast.Or), L: g.expr(boolean, depth-1), R: g.expr(boolean, depth-1)}
	case 4:
		return &ast.Unary{Op: ast.Not, X: g.expr(boolean, depth-1)}
	case 5:
		k := choose(g, numeric, text)
		return &ast.Between{Not: not, X: g.expr(k, depth-1), Low: g.expr(k, 0), High: g.expr(k, 0)}
	case 6:
		k := choose(g, numeric, text, anything)
		return &ast.In{Not: not, X: g.expr(k, depth-1), List: g.exprs(k, 1, 3)}
	case 7:
		return g.likeness(not, depth)
	}
	if g.nests() && g.chance(40) {
		return &ast.Subquery{Kind: ast.Exists, Query: g.subquery(anything)}
	}
	return g.function(boolean, depth)
}

func (g *Generator) likeness(not bool, depth int) ast.Expr {
	pattern := choose(g, "a%", "%b", "%a%", "_b", "a", "", "%", "[a-c]%", "[^a]b", "a[%]b", "A_")
	e := &ast.Like{Not: not, X: g.expr(text, depth-1), Pattern: text1(pattern)}
	if g.chance(20) {
		e.Pattern = g.expr(text, 0)
	}
	if g.chance(20) {
		e.Pattern, e.HasEscape, e.Escape = text1("a!%b"), true, "!"
	}
	return e
}

func (g *Generator) calculation(depth int) ast.Expr {
	switch n := g.random.IntN(8); {
	case n < 4:
		op := choose(g, ast.Add, ast.Sub, ast.Mul, ast.Add, ast.Sub, ast.Div, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor,
			ast.ShiftLeft, ast.ShiftRight, ast.ShiftRightZero)
		return &ast.Binary{Op: op, L: g.expr(numeric, depth-1), R: g.expr(numeric, depth-1)}
	case n == 4:
		return &ast.Unary{Op: choose(g, ast.Minus, ast.Plus, ast.BitNot), X: g.expr(numeric, depth-1)}
	}
	return g.function(numeric, depth)
}

func (g *Generator) textual(depth int) ast.Expr {
	if g.chance(40) {
		return &ast.Binary{Op: ast.Concat, L: g.expr(text, depth-1), R: g.expr(text, depth-1)}
	}
	return g.function(text, depth)
}

func (g *Generator) listing(depth int) ast.Expr {
	switch {
	case g.chance(40):
		return &ast.Array{Elements: g.exprs(anything, depth, 3)}
	case g.nests() && g.chance(40):
		return &ast.Subquery{Kind: ast.Rows, Query: g.subquery(anything)}
	}
	return g.function(list, depth)
}

func (g *Generator) objectOf(depth int) ast.Expr {
	o := &ast.Object{}
	for _, name := range []string{"n", "s", "odd name"}[:1+g.upTo(2)] {
		o.Properties = append(o.Properties, ast.Property{Name: name, Value: g.expr(anything, depth-1)})
	}
	return o
}
