package ast

// Walk calls visit for an expression and, while visit returns true, for its parts, in the order of the text. It visits
// Subquery nodes, but not the queries in them.
func Walk(e Expr, visit func(Expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	for _, part := range Parts(e) {
		Walk(part, visit)
	}
}

// Parts returns the parts of an expression, in the order of the text; of a subquery none.
func Parts(e Expr) []Expr {
	switch e := e.(type) {
	case *Member:
		return []Expr{e.Of}
	case *Index:
		return []Expr{e.Of, e.By}
	case *Array:
		return e.Elements
	case *Object:
		values := make([]Expr, len(e.Properties))
		for i := range e.Properties {
			values[i] = e.Properties[i].Value
		}
		return values
	case *Call:
		return e.Args
	case *Unary:
		return []Expr{e.X}
	case *Binary:
		return []Expr{e.L, e.R}
	case *Cond:
		return []Expr{e.If, e.Then, e.Else}
	case *Between:
		return []Expr{e.X, e.Low, e.High}
	case *In:
		return append([]Expr{e.X}, e.List...)
	case *Like:
		return []Expr{e.X, e.Pattern}
	}
	return nil
}
