package sql

import (
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// maxResultBytes is the maximum growth of a string by concatenation, in bytes; beyond it the result is undefined. The
// service documents no limit.
const maxResultBytes = 8 << 20

func (c *compiler) arithmeticUnary(e *ast.Unary) eval {
	c.computes = true
	x, op := c.expr(e.X), e.Op
	return func(f *frame) doc.Value {
		v := x(f)
		if v.Kind() != doc.Numeric {
			return doc.Value{}
		}
		switch op {
		case ast.Minus:
			return doc.Number(-v.Float())
		case ast.BitNot:
			return doc.Number(float64(^toInt32(v.Float())))
		}
		return v
	}
}

func (c *compiler) arithmetic(e *ast.Binary) eval {
	l, r := c.expr(e.L), c.expr(e.R)
	switch e.Op {
	case ast.Coalesce:
		return func(f *frame) doc.Value {
			if v := l(f); v.Defined() {
				return v
			}
			return r(f)
		}
	case ast.Concat:
		return func(f *frame) doc.Value {
			v := concat(l(f), r(f))
			f.step(len(v.Str()) / bytesPerStep)
			f.grow(len(v.Str()))
			return v
		}
	}
	c.computes = true
	compute := numeric[e.Op]
	return func(f *frame) doc.Value {
		a, b := l(f), r(f)
		if a.Kind() != doc.Numeric || b.Kind() != doc.Numeric {
			return doc.Value{}
		}
		n := compute(a.Float(), b.Float())
		if math.Abs(n) >= exact && math.Abs(n) <= math.MaxInt64 {
			if whole, ok := wholeResult(e.Op, a, b); ok {
				return whole
			}
		}
		return doc.Number(n)
	}
}

// exact is the magnitude up to which a double represents every integer.
const exact = 1 << 53

// wholeResult returns the sum, difference or product of 64-bit integers, for results that a double may not represent:
// in a recording of the service, 9007199254740993 + 1 is exact. It returns false if the result overflows 64 bits.
func wholeResult(op ast.BinaryOp, a, b doc.Value) (doc.Value, bool) {
	x, isWhole := a.Int()
	y, both := b.Int()
	if !isWhole || !both {
		return doc.Value{}, false
	}
	switch op {
	case ast.Add:
		sum := x + y
		return doc.Int(sum), (sum > x) == (y > 0)
	case ast.Sub:
		difference := x - y
		return doc.Int(difference), (difference < x) == (y > 0)
	case ast.Mul:
		product := x * y
		return doc.Int(product), x == 0 || product/x == y && !(x == -1 && y == math.MinInt64)
	}
	return doc.Value{}, false
}

func concat(a, b doc.Value) doc.Value {
	if a.Kind() != doc.Text || b.Kind() != doc.Text || len(a.Str())+len(b.Str()) > maxResultBytes {
		return doc.Value{}
	}
	return doc.String(a.Str() + b.Str())
}

// numeric maps the operators to their functions on two numbers. Division by zero yields infinity or NaN, which the
// final row must not contain. Bitwise operators work on 32-bit integers, as in JavaScript ("Bitwise operators").
var numeric = [...]func(a, b float64) float64{
	ast.Add:        func(a, b float64) float64 { return a + b },
	ast.Sub:        func(a, b float64) float64 { return a - b },
	ast.Mul:        func(a, b float64) float64 { return a * b },
	ast.Div:        func(a, b float64) float64 { return a / b },
	ast.Mod:        math.Mod,
	ast.BitAnd:     func(a, b float64) float64 { return float64(toInt32(a) & toInt32(b)) },
	ast.BitOr:      func(a, b float64) float64 { return float64(toInt32(a) | toInt32(b)) },
	ast.BitXor:     func(a, b float64) float64 { return float64(toInt32(a) ^ toInt32(b)) },
	ast.ShiftLeft:  func(a, b float64) float64 { return float64(toInt32(a) << shift(b)) },
	ast.ShiftRight: func(a, b float64) float64 { return float64(toInt32(a) >> shift(b)) },
	ast.ShiftRightZero: func(a, b float64) float64 {
		return float64(uint32(toInt32(a)) >> shift(b))
	},
}

func shift(n float64) uint32 { return uint32(toInt32(n)) & 31 }

// toInt32 is JavaScript's ToInt32: the integer part modulo 2^32; 0 for infinity and NaN.
func toInt32(n float64) int32 {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return 0
	}
	const two32 = 1 << 32
	n = math.Mod(math.Trunc(n), two32)
	if n < 0 {
		n += two32
	}
	return int32(uint32(n))
}

// finite reports whether JSON can represent all numbers in a value.
func finite(v doc.Value) bool {
	switch v.Kind() {
	case doc.Numeric:
		return !math.IsNaN(v.Float()) && !math.IsInf(v.Float(), 0)
	case doc.List:
		for _, e := range v.Elements() {
			if !finite(e) {
				return false
			}
		}
	case doc.Map:
		for i := range v.Members() {
			if !finite(v.Members()[i].Value) {
				return false
			}
		}
	}
	return true
}
