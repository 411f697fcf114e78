package sql

import (
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// maxMade is how long a string grows by concatenation, in bytes: a choice of ours; past it the result is undefined.
const maxMade = 8 << 20

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

// exact is the magnitude up to which each whole number is a double.
const exact = 1 << 53

// wholeResult is a sum, difference or product of whole numbers of 64 bits where a double may not hold it: a recording
// of the service has 9007199254740993 + 1 exact. False where it is beyond 64 bits too.
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
	if a.Kind() != doc.Text || b.Kind() != doc.Text || len(a.Str())+len(b.Str()) > maxMade {
		return doc.Value{}
	}
	return doc.String(a.Str() + b.Str())
}

// numeric are the operators on two numbers. Division by zero gives infinity or NaN, which a row must not hold in the
// end. Bits are those of JavaScript's 32-bit integers ("Bitwise operators").
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

// toInt32 is JavaScript's ToInt32: the whole part modulo 2^32; 0 of what is not finite.
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

// finite says that a value holds no number that JSON cannot write.
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
