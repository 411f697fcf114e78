package doc

import (
	"math"
	"slices"
	"strconv"
)

// Int returns a 64-bit integer. The service returns such integers exactly as they were stored, although it computes and
// compares with doubles, which cannot represent all integers beyond 2^53 (recordings of a live account, October 2026).
func Int(n int64) Value {
	v := Number(float64(n))
	if n > exactInteger || n < -exactInteger {
		v.str = strconv.FormatInt(n, 10)
	}
	return v
}

// Uint returns an unsigned 64-bit integer.
func Uint(n uint64) Value {
	v := Number(float64(n))
	if n > exactInteger {
		v.str = strconv.FormatUint(n, 10)
	}
	return v
}

// Int returns the exact value of a number that is a 64-bit integer; false for other values.
func (v Value) Int() (n int64, ok bool) {
	if v.kind != Numeric {
		return 0, false
	}
	if v.str != "" {
		n, err := strconv.ParseInt(v.str, 10, 64)
		return n, err == nil
	}
	if v.num != math.Trunc(v.num) || math.Abs(v.num) > exactInteger {
		return 0, false
	}
	return int64(v.num), true
}

// HasLongIntegers reports whether a value is or contains an integer beyond 2^53, which keeps its digits.
func (v Value) HasLongIntegers() bool {
	return v.kind == Numeric && v.str != "" || slices.ContainsFunc(v.list, Value.HasLongIntegers) ||
		slices.ContainsFunc(v.members, func(m Member) bool { return m.Value.HasLongIntegers() })
}

// parseNumber parses a JSON number: a 64-bit integer exactly, any other number as a double.
func parseNumber(text string) (Value, error) {
	if len(text) > 15 { // numbers with fewer digits are exact
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return Int(n), nil
		}
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			return Uint(n), nil
		}
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(n, 0) {
		return Value{}, ErrNumber
	}
	return Number(n), nil
}
