package naive

import (
	"cmp"
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

func unary(op ast.UnaryOp, x doc.Value) doc.Value {
	switch {
	case op == ast.Not && x.Kind() == doc.Boolean:
		return doc.Bool(!x.IsTrue())
	case op == ast.Minus && x.Kind() == doc.Numeric:
		return doc.Number(-x.Float())
	case op == ast.Plus && x.Kind() == doc.Numeric:
		return x
	case op == ast.BitNot && x.Kind() == doc.Numeric:
		return doc.Number(float64(^int32Of(x.Float())))
	}
	return undefined
}

func binary(op ast.BinaryOp, l, r doc.Value) doc.Value {
	switch op {
	case ast.Coalesce:
		if l.Defined() {
			return l
		}
		return r
	case ast.And:
		return and(l, r)
	case ast.Or:
		return unary(ast.Not, and(unary(ast.Not, l), unary(ast.Not, r)))
	case ast.Eq, ast.Ne, ast.Lt, ast.Le, ast.Gt, ast.Ge:
		return compare(op, l, r)
	case ast.Concat:
		if l.Kind() != doc.Text || r.Kind() != doc.Text {
			return undefined
		}
		return doc.String(l.Str() + r.Str())
	}
	if l.Kind() != doc.Numeric || r.Kind() != doc.Numeric {
		return undefined
	}
	return arithmetic(op, l.Float(), r.Float())
}

// and is the truth table of AND. A value that is not a boolean counts as undefined.
func and(l, r doc.Value) doc.Value {
	no := func(v doc.Value) bool { return v.Kind() == doc.Boolean && !v.IsTrue() }
	switch {
	case no(l) || no(r):
		return doc.Bool(false)
	case l.IsTrue() && r.IsTrue():
		return doc.Bool(true)
	}
	return undefined
}

// compare compares two values of the same type. Arrays and objects can only be equal or unequal. Values of different
// types cannot be compared, except that every value is unequal to null.
func compare(op ast.BinaryOp, l, r doc.Value) doc.Value {
	if !l.Defined() || !r.Defined() {
		return undefined
	}
	equality := op == ast.Eq || op == ast.Ne
	if l.Kind() != r.Kind() {
		if equality && (l.Kind() == doc.Null || r.Kind() == doc.Null) {
			return doc.Bool(op == ast.Ne)
		}
		return undefined
	}
	if equality {
		return doc.Bool(same(l, r) == (op == ast.Eq))
	}
	if l.Kind() == doc.List || l.Kind() == doc.Map {
		return undefined
	}
	return doc.Bool(ordered(op, l, r))
}

// ordered compares numbers as IEEE 754 does: NaN is neither less than, greater than, nor equal to any number.
func ordered(op ast.BinaryOp, l, r doc.Value) bool {
	switch l.Kind() {
	case doc.Text:
		return holds(op, l.Str(), r.Str())
	case doc.Boolean:
		return holds(op, bit(l), bit(r))
	}
	return holds(op, l.Float(), r.Float())
}

func holds[T cmp.Ordered](op ast.BinaryOp, l, r T) bool {
	switch op {
	case ast.Lt:
		return l < r
	case ast.Le:
		return l <= r
	case ast.Gt:
		return l > r
	}
	return l >= r
}

func bit(v doc.Value) int {
	if v.IsTrue() {
		return 1
	}
	return 0
}

// same reports whether two values are deeply equal.
func same(a, b doc.Value) bool {
	if a.Kind() != b.Kind() || a.Len() != b.Len() {
		return false
	}
	for i, e := range a.Elements() {
		if !same(e, b.At(i)) {
			return false
		}
	}
	for _, m := range a.Members() {
		if !same(m.Value, b.Field(m.Name)) {
			return false
		}
	}
	return a.Float() == b.Float() && a.Str() == b.Str() && a.IsTrue() == b.IsTrue()
}

func arithmetic(op ast.BinaryOp, l, r float64) doc.Value {
	a, b := int32Of(l), int32Of(r)
	shift := uint32(b) & 31
	switch op {
	case ast.Add:
		return doc.Number(l + r)
	case ast.Sub:
		return doc.Number(l - r)
	case ast.Mul:
		return doc.Number(l * r)
	case ast.Div:
		return doc.Number(l / r)
	case ast.Mod:
		return doc.Number(math.Mod(l, r))
	case ast.BitOr:
		return doc.Number(float64(a | b))
	case ast.BitXor:
		return doc.Number(float64(a ^ b))
	case ast.BitAnd:
		return doc.Number(float64(a & b))
	case ast.ShiftLeft:
		return doc.Number(float64(a << shift))
	case ast.ShiftRight:
		return doc.Number(float64(a >> shift))
	}
	return doc.Number(float64(uint32(a) >> shift))
}

// int32Of converts a number as JavaScript's bitwise operators do: its integer part modulo 2^32.
func int32Of(n float64) int32 {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return 0
	}
	rest := math.Mod(math.Trunc(n), 1<<32)
	if rest < 0 {
		rest += 1 << 32
	}
	return int32(uint32(rest))
}
