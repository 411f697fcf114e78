package doc

import (
	"math"
	"strconv"
)

// Int is a whole number of 64 bits. The service gives back such numbers exactly as they were stored, though it computes
// and compares by doubles, of which beyond 2^53 not every whole number is one (recordings of a live account, October
// 2026).
func Int(n int64) Value {
	v := Number(float64(n))
	if n > exactInteger || n < -exactInteger {
		v.str = strconv.FormatInt(n, 10)
	}
	return v
}

// Uint is a whole number of 64 bits without a sign.
func Uint(n uint64) Value {
	v := Number(float64(n))
	if n > exactInteger {
		v.str = strconv.FormatUint(n, 10)
	}
	return v
}

// Int is the value of a number that is a whole one of 64 bits, exactly.
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

// parseNumber reads a number of JSON: a whole one of 64 bits exactly, any other as a double.
func parseNumber(text string) (Value, error) {
	if len(text) > 15 { // fewer digits are exact
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
