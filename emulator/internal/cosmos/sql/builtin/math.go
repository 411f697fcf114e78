package builtin

import (
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

var mathFunctions = []Function{
	{"ABS", 1, 1, number1(math.Abs)},
	{"CEILING", 1, 1, number1(math.Ceil)},
	{"EXP", 1, 1, number1(math.Exp)},
	{"FLOOR", 1, 1, number1(math.Floor)},
	{"LOG", 1, 2, logarithm},
	{"LOG10", 1, 1, number1(math.Log10)},
	{"NUMBERBIN", 1, 2, numberBin},
	{"PI", 0, 0, func(*Env, []doc.Value) doc.Value { return doc.Number(math.Pi) }},
	{"POWER", 2, 2, number2(math.Pow)},
	{"RAND", 0, 0, random},
	{"ROUND", 1, 1, number1(math.Round)}, // rounds half away from zero
	{"SIGN", 1, 1, number1(sign)},
	{"SQRT", 1, 1, number1(math.Sqrt)},
	{"SQUARE", 1, 1, number1(func(n float64) float64 { return n * n })},
	{"TRUNC", 1, 1, number1(math.Trunc)},
}

var trigonometry = []Function{
	{"ACOS", 1, 1, number1(math.Acos)},
	{"ASIN", 1, 1, number1(math.Asin)},
	{"ATAN", 1, 1, number1(math.Atan)},
	{"ATN2", 2, 2, number2(math.Atan2)},
	{"COS", 1, 1, number1(math.Cos)},
	{"COT", 1, 1, number1(func(n float64) float64 { return 1 / math.Tan(n) })},
	{"DEGREES", 1, 1, number1(func(n float64) float64 { return n * (180 / math.Pi) })},
	{"RADIANS", 1, 1, number1(func(n float64) float64 { return n * (math.Pi / 180) })},
	{"SIN", 1, 1, number1(math.Sin)},
	{"TAN", 1, 1, number1(math.Tan)},
}

func sign(n float64) float64 {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return n
}

// logarithm is the natural logarithm, or the one to the base in the second argument.
func logarithm(_ *Env, args []doc.Value) doc.Value {
	if !all(doc.Numeric, args...) {
		return undefined
	}
	n := args[0].Float()
	if len(args) == 1 {
		return doc.Number(math.Log(n))
	}
	switch base := args[1].Float(); base {
	case 10:
		return doc.Number(math.Log10(n))
	case 2:
		return doc.Number(math.Log2(n))
	default:
		return doc.Number(math.Log(n) / math.Log(base))
	}
}

// numberBin rounds down to a multiple of a bin size, which may be negative; default: 1. A size of 0 is undefined.
func numberBin(_ *Env, args []doc.Value) doc.Value {
	size := 1.0
	if len(args) == 2 {
		size = args[1].Float()
	}
	if !all(doc.Numeric, args...) || size == 0 {
		return undefined
	}
	return doc.Number(math.Floor(args[0].Float()/size) * size)
}

// random returns a number in [0,1).
func random(env *Env, _ []doc.Value) doc.Value {
	if env.Random == nil {
		return undefined
	}
	return doc.Number(float64(env.Random()>>11) / maxSafe)
}
