package sql

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// in is undefined only if its left operand is undefined.
func (c *compiler) in(e *ast.In) test {
	x, not := c.expr(e.X), e.Not
	set, rest := c.members(e.List)
	return func(f *frame) truth {
		v := x(f)
		if !v.Defined() {
			return unknown
		}
		if set.has(v) {
			return yes.notIf(not)
		}
		for _, item := range rest {
			if other := item(f); f.equal(&v, &other) == yes {
				return yes.notIf(not)
			}
		}
		return no.notIf(not)
	}
}

// constants are the strings and numbers of a list that are known at compile time.
type constants struct {
	texts   map[string]bool
	numbers map[float64]bool
}

func (s constants) has(v doc.Value) bool {
	switch v.Kind() {
	case doc.Text:
		return s.texts[v.Str()]
	case doc.Numeric:
		return s.numbers[v.Float()]
	}
	return false
}

// members splits a list into constants and expressions that are evaluated per row.
func (c *compiler) members(list []ast.Expr) (set constants, rest []eval) {
	set = constants{map[string]bool{}, map[float64]bool{}}
	for _, e := range list {
		v, _ := c.constantOf(e)
		switch v.Kind() {
		case doc.Text:
			set.texts[v.Str()] = true
		case doc.Numeric:
			set.numbers[v.Float()] = true
		default:
			rest = append(rest, c.expr(e))
		}
	}
	return set, rest
}

// constantOf returns the value of a literal or a parameter; false for any other expression.
func (c *compiler) constantOf(e ast.Expr) (doc.Value, bool) {
	switch e := e.(type) {
	case *ast.Literal:
		return e.Value, true
	case *ast.Param:
		return c.params.Values[e.Name], true
	}
	return doc.Value{}, false
}
