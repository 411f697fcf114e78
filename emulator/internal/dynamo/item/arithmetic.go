package item

import (
	"strconv"

	"github.com/cockroachdb/apd/v3"
)

// Add returns a + b for two numbers. Error: a *NumberError if the sum is out of range.
func Add(a, b Value) (Value, error) {
	return arithmetic(a, b, func(x, y int64) int64 { return x + y }, (*apd.Context).Add)
}

// Sub returns a - b for two numbers. Error: a *NumberError if the difference is out of range.
func Sub(a, b Value) (Value, error) {
	return arithmetic(a, b, func(x, y int64) int64 { return x - y }, (*apd.Context).Sub)
}

// smallDigits is the number of digits up to which two integers neither overflow an int64 nor need rounding.
const smallDigits = 18

type decimalOperation func(c *apd.Context, d, x, y *apd.Decimal) (apd.Condition, error)

// arithmetic computes in int64 if both numbers are small integers, which is the usual case, and otherwise in decimals
// of 38 digits.
func arithmetic(a, b Value, addSmall func(x, y int64) int64, addDecimal decimalOperation) (Value, error) {
	x, okX := smallInt(a.Bytes())
	y, okY := smallInt(b.Bytes())
	if okX && okY {
		return NewInt(addSmall(x, y)), nil
	}
	var dx, dy, sum apd.Decimal
	for _, d := range []struct {
		dst  *apd.Decimal
		text []byte
	}{{&dx, a.Bytes()}, {&dy, b.Bytes()}} {
		if _, _, err := d.dst.SetString(string(d.text)); err != nil {
			return nil, notNumeric(d.text)
		}
	}
	// The service reports a result of more than 38 digits as an overflow, whatever its magnitude (ScyllaDB's tests of
	// it).
	context := apd.BaseContext.WithPrecision(maxDigits)
	if c, err := addDecimal(context, &sum, &dx, &dy); err != nil || c.Inexact() {
		return nil, errOverflow
	}
	return NewNumber(sum.Text('E'))
}

func smallInt(text []byte) (int64, bool) {
	if len(text) > smallDigits {
		return 0, false
	}
	i, err := strconv.ParseInt(string(text), 10, 64)
	return i, err == nil
}
