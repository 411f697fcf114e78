package item

import (
	"bytes"
	"math/big"
	"strconv"
)

// Add returns a + b for two numbers. Error: a *NumberError if the sum is out of range.
func Add(a, b Value) (Value, error) {
	if x, y, ok := smallInts(a, b); ok {
		return NewInt(x + y), nil
	}
	return sum(canonicalDecimal(a.Bytes()), canonicalDecimal(b.Bytes()))
}

// Sub returns a - b for two numbers. Error: a *NumberError if the difference is out of range.
func Sub(a, b Value) (Value, error) {
	if x, y, ok := smallInts(a, b); ok {
		return NewInt(x - y), nil
	}
	subtrahend := canonicalDecimal(b.Bytes())
	subtrahend.negative = !subtrahend.negative
	return sum(canonicalDecimal(a.Bytes()), subtrahend)
}

// smallDigits is the number of digits up to which the sum of two integers does not overflow an int64.
const smallDigits = 18

// smallInts returns two numbers as integers, which they usually are. It returns false if one is not, or is not small.
func smallInts(a, b Value) (x, y int64, ok bool) {
	x, okX := smallInt(a.Bytes())
	y, okY := smallInt(b.Bytes())
	return x, y, okX && okY
}

func smallInt(text []byte) (int64, bool) {
	if len(text) > smallDigits {
		return 0, false
	}
	i, err := strconv.ParseInt(string(text), 10, 64)
	return i, err == nil
}

// sum adds exactly, as integers in units of the last digit of both numbers: these have at most 300 digits. The service
// reports a result of more than 38 digits as an overflow, whatever its magnitude (ScyllaDB's tests of it).
func sum(a, b decimal) (Value, error) {
	unit := min(a.unit(), b.unit())
	total := a.in(unit)
	digits := total.Add(total, b.in(unit)).Append(nil, 10)
	d := decimal{negative: total.Sign() < 0, digits: bytes.TrimPrefix(digits, []byte("-"))}
	d.point = len(d.digits) + unit
	if d.trim(); len(d.digits) > maxDigits {
		return nil, errOverflow
	}
	if len(d.digits) == 0 {
		return NewInt(0), nil
	}
	if err := checkExponent(d.exponent()); err != nil {
		return nil, err
	}
	return scalar(Number, d.append(nil)), nil
}

// unit returns the power of ten of the number's last digit.
func (d decimal) unit() int { return d.point - len(d.digits) }

// in returns the number in units of 10^unit, which must not be above its own unit.
func (d decimal) in(unit int) *big.Int {
	n, _ := new(big.Int).SetString(string(appendZeros(d.digits, d.unit()-unit)), 10)
	if n == nil {
		return new(big.Int) // zero has no digits
	}
	if d.negative {
		n.Neg(n)
	}
	return n
}
