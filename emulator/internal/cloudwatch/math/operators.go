package math

import (
	"fmt"
	"math"
)

func (n negated) eval(e *evaluation) (value, error) {
	v, err := n.of.eval(e)
	if err != nil {
		return v, err
	}
	if err := e.spendOn(v); err != nil {
		return value{}, err
	}
	return v.each(func(x float64) float64 { return -x })
}

func (n binary) eval(e *evaluation) (value, error) {
	left, err := n.left.eval(e)
	if err != nil {
		return left, err
	}
	right, err := n.right.eval(e)
	if err != nil {
		return right, err
	}
	if err := e.spendOn(left, right); err != nil {
		return value{}, err
	}
	return combine(left, right, operations(n.op))
}

// operations returns the function of a binary operator. Comparisons and logic return 1 and 0.
func operations(op string) func(a, b float64) float64 {
	switch op {
	case "+":
		return func(a, b float64) float64 { return a + b }
	case "-":
		return func(a, b float64) float64 { return a - b }
	case "*":
		return func(a, b float64) float64 { return a * b }
	case "/":
		return func(a, b float64) float64 { return a / b }
	case "^":
		return math.Pow
	case "<":
		return func(a, b float64) float64 { return truth(a < b) }
	case "<=":
		return func(a, b float64) float64 { return truth(a <= b) }
	case ">":
		return func(a, b float64) float64 { return truth(a > b) }
	case ">=":
		return func(a, b float64) float64 { return truth(a >= b) }
	case "==":
		return func(a, b float64) float64 { return truth(a == b) }
	case "!=":
		return func(a, b float64) float64 { return truth(a != b) }
	case "AND", "&&":
		return func(a, b float64) float64 { return truth(a != 0 && b != 0) }
	default: // OR, ||
		return func(a, b float64) float64 { return truth(a != 0 || b != 0) }
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// combine applies a binary operation: to two numbers; to a number and each value; to two series where both have a
// value; to a series and each series of an array.
func combine(left, right value, fn func(a, b float64) float64) (value, error) {
	switch {
	case left.form == isText || right.form == isText:
		return value{}, fmt.Errorf("a text is not an operand")
	case left.form == isNumber:
		return right.each(func(b float64) float64 { return fn(left.number, b) })
	case right.form == isNumber:
		return left.each(func(a float64) float64 { return fn(a, right.number) })
	case left.form == isArray && right.form == isArray:
		return value{}, fmt.Errorf("two arrays of time series cannot be combined: reduce one, by SUM for example")
	case left.form == isSeries && right.form == isSeries:
		return ofSeries(zip(left.series[0], right.series[0], fn)), nil
	}
	var all []*Series
	for _, a := range left.series {
		for _, b := range right.series {
			z := zip(a, b, fn)
			if left.form == isSeries {
				z.ID = b.ID
			}
			all = append(all, z)
		}
	}
	return ofArray(all), nil
}

// zip combines two series at the times that both have.
func zip(a, b *Series, fn func(a, b float64) float64) *Series {
	out := &Series{ID: a.ID, Period: max(a.Period, b.Period), Values: map[int64]float64{}}
	for at, x := range a.Values {
		if y, ok := b.Values[at]; ok {
			out.set(at, fn(x, y))
		}
	}
	return out
}
