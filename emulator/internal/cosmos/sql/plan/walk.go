package plan

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"

// walk visits an expression and all within it, but no subquery's inside. It keeps what is to be visited in a list: an
// expression may be as deep as the parser lets it.
func walk(e ast.Expr, visit func(ast.Expr)) {
	open := []ast.Expr{e}
	for len(open) > 0 {
		e := open[len(open)-1]
		open = open[:len(open)-1]
		visit(e)
		open = appendParts(open, e)
	}
}

func appendParts(open []ast.Expr, e ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case *ast.Member:
		return append(open, e.Of)
	case *ast.Index:
		return append(open, e.Of, e.By)
	case *ast.Array:
		return append(open, e.Elements...)
	case *ast.Object:
		for i := range e.Properties {
			open = append(open, e.Properties[i].Value)
		}
		return open
	case *ast.Call:
		return append(open, e.Args...)
	case *ast.Unary:
		return append(open, e.X)
	case *ast.Binary:
		return append(open, e.L, e.R)
	case *ast.Cond:
		return append(open, e.If, e.Then, e.Else)
	case *ast.Between:
		return append(open, e.X, e.Low, e.High)
	case *ast.In:
		return append(append(open, e.X), e.List...)
	case *ast.Like:
		return append(open, e.X, e.Pattern)
	}
	return open
}
