package naive

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// aggregateFunctions are computed from the defined values of all rows.
var aggregateFunctions = map[string]func([]doc.Value) doc.Value{
	"COUNT":    func(v []doc.Value) doc.Value { return doc.Number(float64(len(v))) },
	"COUNTIF":  countIf,
	"SUM":      sum,
	"AVG":      average,
	"MIN":      func(v []doc.Value) doc.Value { return extreme(v, -1) },
	"MAX":      func(v []doc.Value) doc.Value { return extreme(v, 1) },
	"MAKELIST": func(v []doc.Value) doc.Value { return doc.Array(v...) },
	"MAKESET":  func(v []doc.Value) doc.Value { return doc.Array(distinct(v)...) },
}

func countIf(values []doc.Value) doc.Value {
	n := 0.0
	for _, v := range values {
		if v.IsTrue() {
			n++
		}
	}
	return doc.Number(n)
}

// sum is undefined if any value is not a number.
func sum(values []doc.Value) doc.Value {
	total := 0.0
	for _, v := range values {
		if v.Kind() != doc.Numeric {
			return undefined
		}
		total += v.Float()
	}
	return doc.Number(total)
}

func average(values []doc.Value) doc.Value {
	total := sum(values)
	if len(values) == 0 || !total.Defined() {
		return undefined
	}
	return doc.Number(total.Float() / float64(len(values)))
}

// extreme compares by type, then by value; it is undefined if there is an array or an object.
func extreme(values []doc.Value, way int) doc.Value {
	best := undefined
	for _, v := range values {
		switch {
		case v.Kind() == doc.List || v.Kind() == doc.Map:
			return undefined
		case !best.Defined() || doc.Compare(v, best)*way > 0:
			best = v
		}
	}
	return best
}

// aggregates reports whether the clause has an aggregate outside of subqueries.
func (w *World) aggregates(s *ast.Select) bool {
	found := s.Value != nil && hasAggregate(s.Value)
	for _, item := range s.Items {
		found = found || hasAggregate(item.Expr)
	}
	return found
}

func hasAggregate(e ast.Expr) bool {
	if c, ok := e.(*ast.Call); ok && !c.UDF && aggregateFunctions[strings.ToUpper(c.Name)] != nil {
		return true
	}
	for _, part := range parts(e) {
		if hasAggregate(part) {
			return true
		}
	}
	return false
}

// parts returns the operands of an expression. A subquery has none.
func parts(e ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case *ast.Member:
		return []ast.Expr{e.Of}
	case *ast.Index:
		return []ast.Expr{e.Of, e.By}
	case *ast.Array:
		return e.Elements
	case *ast.Object:
		var values []ast.Expr
		for _, p := range e.Properties {
			values = append(values, p.Value)
		}
		return values
	case *ast.Call:
		return e.Args
	case *ast.Unary:
		return []ast.Expr{e.X}
	case *ast.Binary:
		return []ast.Expr{e.L, e.R}
	case *ast.Cond:
		return []ast.Expr{e.If, e.Then, e.Else}
	case *ast.Between:
		return []ast.Expr{e.X, e.Low, e.High}
	case *ast.In:
		return append([]ast.Expr{e.X}, e.List...)
	case *ast.Like:
		return []ast.Expr{e.X, e.Pattern}
	}
	return nil
}
