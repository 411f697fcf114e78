package sql

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// truth is a three-valued boolean ("Logical operators").
type truth uint8

const (
	unknown truth = iota // undefined, or not a boolean
	no
	yes
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

func (t truth) value() doc.Value {
	if t == unknown {
		return doc.Value{}
	}
	return doc.Bool(t == yes)
}

func (t truth) not() truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	}
	return unknown
}

func (t truth) notIf(not bool) truth {
	if not {
		return t.not()
	}
	return t
}

// test is an expression compiled as a boolean. It does not allocate for paths and constants.
type test func(f *frame) truth

func (c *compiler) test(e ast.Expr) test {
	switch e := e.(type) {
	case *ast.Unary:
		if e.Op == ast.Not {
			x := c.test(e.X)
			return func(f *frame) truth { return x(f).not() }
		}
	case *ast.Binary:
		switch e.Op {
		case ast.And, ast.Or:
			return c.logical(e)
		case ast.Eq, ast.Ne:
			return c.equality(e)
		case ast.Lt, ast.Le, ast.Gt, ast.Ge:
			return c.inequality(e)
		}
	case *ast.Between:
		return c.between(e)
	case *ast.In:
		return c.in(e)
	case *ast.Like:
		return c.like(e)
	case *ast.Subquery:
		if e.Kind == ast.Exists || e.Kind == ast.All {
			return c.exists(e)
		}
	}
	value := c.expr(e)
	return func(f *frame) truth {
		v := value(f)
		if v.Kind() != doc.Boolean {
			return unknown
		}
		return truthOf(v.IsTrue())
	}
}

// logical compiles a chain of one operator. Evaluation ends at the first operand that decides the result.
func (c *compiler) logical(e *ast.Binary) test {
	decides := no
	if e.Op == ast.Or {
		decides = yes
	}
	operands := c.chain(e, e.Op)
	return func(f *frame) truth {
		result := decides.not()
		for _, operand := range operands {
			switch t := operand(f); t {
			case decides:
				return decides
			case unknown:
				result = unknown
			}
		}
		return result
	}
}

func (c *compiler) chain(e ast.Expr, op ast.BinaryOp) []test {
	var left []ast.Expr // from right to left
	for {
		b, ok := e.(*ast.Binary)
		if !ok || b.Op != op {
			break
		}
		left = append(left, b.R)
		e = b.L
	}
	operands := []test{c.test(e)}
	for i := len(left) - 1; i >= 0; i-- {
		operands = append(operands, c.test(left[i]))
	}
	return operands
}

func (c *compiler) equality(e *ast.Binary) test {
	l, r := c.expr(e.L), c.expr(e.R)
	if e.Op == ast.Ne {
		return func(f *frame) truth {
			a, b := l(f), r(f)
			return f.equal(&a, &b).not()
		}
	}
	return func(f *frame) truth {
		a, b := l(f), r(f)
		return f.equal(&a, &b)
	}
}

// longText is the size in bytes from which comparing a text counts as work of its own, beyond that of its row.
const longText = 128

// equal is the function equal, and counts the work on large values.
func (f *frame) equal(a, b *doc.Value) truth {
	switch kind := a.Kind(); {
	case kind != b.Kind():
	case kind == doc.Text:
		if n := len(a.Str()); n > longText {
			f.step(n / bytesPerStep)
		}
		return truthOf(a.Str() == b.Str())
	case kind > doc.Text:
		if !f.stepOver(a) || !f.stepOver(b) {
			return unknown
		}
	}
	return equal(*a, *b)
}

// compare is the function compare, and counts the work on large values.
func (f *frame) compare(op ast.BinaryOp, a, b *doc.Value) truth {
	if n := min(len(a.Str()), len(b.Str())); n > longText {
		f.step(n / bytesPerStep)
	}
	return compare(op, a, b)
}

// equal compares two values. The result is undefined for different types ("Equality and comparison operators"), except
// that null is unequal to every other value: applications filter by c.x != null, which the service supports.
func equal(a, b doc.Value) truth {
	switch {
	case !a.Defined() || !b.Defined():
		return unknown
	case a.Kind() == b.Kind():
		return truthOf(doc.Equal(a, b) && !isNaN(&a))
	case a.Kind() == doc.Null || b.Kind() == doc.Null:
		return no
	}
	return unknown
}

// isNaN reports whether a value is NaN.
func isNaN(v *doc.Value) bool { return v.Float() != v.Float() }

func (c *compiler) inequality(e *ast.Binary) test {
	l, r, op := c.expr(e.L), c.expr(e.R), e.Op
	return func(f *frame) truth {
		a, b := l(f), r(f)
		return f.compare(op, &a, &b)
	}
}

// compare orders two values of the same type. The result is undefined for arrays, objects and different types.
func compare(op ast.BinaryOp, a, b *doc.Value) truth {
	if a.Kind() != b.Kind() || !a.Defined() || a.Kind() >= doc.List {
		return unknown
	}
	if isNaN(a) || isNaN(b) {
		return no
	}
	order := doc.Compare(*a, *b)
	switch op {
	case ast.Lt:
		return truthOf(order < 0)
	case ast.Le:
		return truthOf(order <= 0)
	case ast.Gt:
		return truthOf(order > 0)
	}
	return truthOf(order >= 0)
}

func (c *compiler) between(e *ast.Between) test {
	x, low, high, not := c.expr(e.X), c.expr(e.Low), c.expr(e.High), e.Not
	return func(f *frame) truth {
		v, least, most := x(f), low(f), high(f)
		above := f.compare(ast.Ge, &v, &least)
		below := f.compare(ast.Le, &v, &most)
		switch {
		case above == no || below == no:
			return no.notIf(not)
		case above == unknown || below == unknown:
			return unknown
		}
		return yes.notIf(not)
	}
}
