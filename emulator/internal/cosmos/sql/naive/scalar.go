package naive

import (
	"errors"
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

var undefined doc.Value

// eval returns an expression's value for a row or, if it has aggregates, for a group of rows.
func (w *World) eval(e ast.Expr, g group) doc.Value {
	switch e := e.(type) {
	case *ast.Literal:
		return e.Value
	case *ast.Ident:
		return ident(e.Name, g)
	case *ast.Param:
		return w.Params[e.Name]
	case *ast.Member:
		return w.eval(e.Of, g).Field(e.Name)
	case *ast.Index:
		return index(w.eval(e.Of, g), w.eval(e.By, g))
	case *ast.Array:
		return doc.Array(w.all(e.Elements, g)...)
	case *ast.Object:
		return w.object(e, g)
	case *ast.Call:
		return w.call(e, g)
	case *ast.Unary:
		return unary(e.Op, w.eval(e.X, g))
	case *ast.Binary:
		return binary(e.Op, w.eval(e.L, g), w.eval(e.R, g))
	case *ast.Cond:
		return w.cond(e, g)
	case *ast.Between:
		x := w.eval(e.X, g)
		return negated(e.Not, and(compare(ast.Ge, x, w.eval(e.Low, g)), compare(ast.Le, x, w.eval(e.High, g))))
	case *ast.In:
		return negated(e.Not, in(w.eval(e.X, g), w.all(e.List, g)))
	case *ast.Like:
		return negated(e.Not, like(w.eval(e.X, g), w.eval(e.Pattern, g), e))
	case *ast.Subquery:
		return w.subquery(e, g)
	}
	panic(errors.New("an expression that the evaluator does not know"))
}

// ident returns the value of an alias. NaN and Infinity are numbers unless they are aliases.
func ident(name string, g group) doc.Value {
	if len(g) > 0 {
		if v, ok := g[0].find(name); ok {
			return v
		}
	}
	switch name {
	case "NaN":
		return doc.Number(math.NaN())
	case "Infinity":
		return doc.Number(math.Inf(1))
	}
	return undefined
}

func (w *World) all(list []ast.Expr, g group) []doc.Value {
	values := make([]doc.Value, len(list))
	for i, e := range list {
		values[i] = w.eval(e, g)
	}
	return values
}

func index(of, by doc.Value) doc.Value {
	switch by.Kind() {
	case doc.Text:
		return of.Field(by.Str())
	case doc.Numeric:
		if n := by.Float(); n == math.Trunc(n) && n >= 0 && n < 1e9 {
			return of.At(int(n))
		}
	}
	return undefined
}

func (w *World) object(e *ast.Object, g group) doc.Value {
	o := doc.Object()
	for _, p := range e.Properties {
		if v := w.eval(p.Value, g); v.Defined() {
			o = o.With(p.Name, v)
		}
	}
	return o
}

func (w *World) cond(e *ast.Cond, g group) doc.Value {
	if w.eval(e.If, g).IsTrue() {
		return w.eval(e.Then, g)
	}
	return w.eval(e.Else, g)
}

func (w *World) subquery(e *ast.Subquery, g group) doc.Value {
	var outer *scope
	if len(g) > 0 {
		outer = g[0]
	}
	rows := w.query(e.Query, outer)
	switch {
	case e.Kind == ast.Exists:
		return doc.Bool(len(rows) > 0)
	case e.Kind == ast.Rows:
		return doc.Array(rows...)
	case len(rows) == 0:
		return undefined
	}
	return rows[0]
}

func in(x doc.Value, list []doc.Value) doc.Value {
	if !x.Defined() {
		return undefined
	}
	for _, e := range list {
		if e.Defined() && same(x, e) {
			return doc.Bool(true)
		}
	}
	return doc.Bool(false)
}

func negated(not bool, v doc.Value) doc.Value {
	if !not {
		return v
	}
	return unary(ast.Not, v)
}
