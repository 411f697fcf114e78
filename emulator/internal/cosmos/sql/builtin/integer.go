package builtin

import (
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// The integer functions compute with 64-bit integers. The result is undefined for other numbers; overflow wraps around,
// as in the service.
var integerFunctions = []Function{
	{"INTADD", 2, 2, integer2(func(a, b int64) int64 { return a + b })},
	{"INTBITAND", 2, 2, integer2(func(a, b int64) int64 { return a & b })},
	{"INTBITLEFTSHIFT", 2, 2, integer2(func(a, b int64) int64 { return a << (b & 63) })},
	{"INTBITNOT", 1, 1, bitNot},
	{"INTBITOR", 2, 2, integer2(func(a, b int64) int64 { return a | b })},
	{"INTBITRIGHTSHIFT", 2, 2, integer2(func(a, b int64) int64 { return a >> (b & 63) })},
	{"INTBITXOR", 2, 2, integer2(func(a, b int64) int64 { return a ^ b })},
	{"INTDIV", 2, 2, divided(func(a, b int64) int64 { return a / b })},
	{"INTMOD", 2, 2, divided(func(a, b int64) int64 { return a % b })},
	{"INTMUL", 2, 2, integer2(func(a, b int64) int64 { return a * b })},
	{"INTSUB", 2, 2, integer2(func(a, b int64) int64 { return a - b })},
}

func integer2(f func(a, b int64) int64) call {
	return func(_ *Env, args []doc.Value) doc.Value {
		a, first := integer(args[0])
		b, second := integer(args[1])
		if !first || !second {
			return undefined
		}
		return doc.Int(f(a, b))
	}
}

// divided returns a function of two integers, undefined if the second is 0.
func divided(f func(a, b int64) int64) call {
	return func(env *Env, args []doc.Value) doc.Value {
		if args[1].Float() == 0 {
			return undefined
		}
		return integer2(f)(env, args)
	}
}

func bitNot(_ *Env, args []doc.Value) doc.Value {
	n, ok := integer(args[0])
	if !ok {
		return undefined
	}
	return doc.Int(^n)
}

// isInteger is IS_INTEGER. It accepts 2^63, the double nearest to the largest int64, as the documentation does.
func isInteger(v doc.Value) bool {
	n := v.Float()
	return v.Kind() == doc.Numeric && n == math.Trunc(n) && math.Abs(n) <= 1<<63
}
