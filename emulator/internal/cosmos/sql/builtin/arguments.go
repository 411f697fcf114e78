package builtin

import (
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

type call = func(env *Env, args []doc.Value) doc.Value

var undefined doc.Value

func isFinite(v doc.Value) bool {
	return v.Kind() == doc.Numeric && !math.IsNaN(v.Float()) && !math.IsInf(v.Float(), 0)
}

// all reports whether all args are of a kind.
func all(kind doc.Kind, args ...doc.Value) bool {
	for _, a := range args {
		if a.Kind() != kind {
			return false
		}
	}
	return true
}

// maxSafe is the magnitude up to which a double represents every integer.
const maxSafe = 1 << 53

// integer returns the value of a 64-bit integer argument; false for any other value.
func integer(v doc.Value) (int64, bool) {
	if n, ok := v.Int(); ok {
		return n, true
	}
	n := v.Float()
	if v.Kind() != doc.Numeric || n != math.Trunc(n) || n < math.MinInt64 || n >= math.MaxInt64 {
		return 0, false
	}
	return int64(n), true
}

// position returns a count, or a position in a string or an array: an integer, clamped to ±maxSafe.
func position(v doc.Value) (int, bool) {
	n := v.Float()
	if !isFinite(v) || n != math.Trunc(n) {
		return 0, false
	}
	return int(max(-maxSafe, min(maxSafe, n))), true
}

// flag returns an optional boolean argument at i, false if it is missing or undefined. ok is false for any other value.
func flag(args []doc.Value, i int) (value, ok bool) {
	if i >= len(args) || !args[i].Defined() {
		return false, true
	}
	return args[i].IsTrue(), args[i].Kind() == doc.Boolean
}

// number1 returns a function of one number.
func number1(f func(float64) float64) call {
	return func(_ *Env, args []doc.Value) doc.Value {
		if !all(doc.Numeric, args...) {
			return undefined
		}
		return doc.Number(f(args[0].Float()))
	}
}

// number2 returns a function of two numbers.
func number2(f func(a, b float64) float64) call {
	return func(_ *Env, args []doc.Value) doc.Value {
		if !all(doc.Numeric, args...) {
			return undefined
		}
		return doc.Number(f(args[0].Float(), args[1].Float()))
	}
}

// text1 returns a function of one string.
func text1(f func(string) doc.Value) call {
	return func(_ *Env, args []doc.Value) doc.Value {
		if !all(doc.Text, args...) {
			return undefined
		}
		return f(args[0].Str())
	}
}

// text2 returns a function of two strings.
func text2(f func(a, b string) doc.Value) call {
	return func(_ *Env, args []doc.Value) doc.Value {
		if !all(doc.Text, args...) {
			return undefined
		}
		return f(args[0].Str(), args[1].Str())
	}
}
