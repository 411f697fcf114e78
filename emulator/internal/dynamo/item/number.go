package item

import (
	"bytes"
	"math"
	"strconv"
)

// The range of a number: 38 significant digits, magnitudes from 1E-130 to 9.99…E+125.
const (
	maxDigits   = 38
	maxExponent = 125
	minExponent = -130
)

// NumberError is the error for a text that is not a number, or a number that the service does not support. Message is
// the service's.
type NumberError struct{ Message string }

func (e *NumberError) Error() string { return e.Message }

var (
	errOverflow  = &NumberError{"Number overflow. Attempting to store a number with magnitude larger than supported range"}
	errUnderflow = &NumberError{
		"Number underflow. Attempting to store a number with magnitude smaller than supported range"}
	errPrecision = &NumberError{"Attempting to store more than 38 significant digits in a Number"}
	errNotNumber = &NumberError{"The parameter cannot be converted to a numeric value"}
)

// appendCanonical appends the canonical form of the number in text: plain decimal, without exponent or superfluous
// characters.
func appendCanonical(dst, text []byte) ([]byte, error) {
	if isCanonical(text) {
		return append(dst, text...), nil
	}
	d, err := parseDecimal(text)
	if err != nil {
		return dst, err
	}
	return d.append(dst), nil
}

// isCanonical reports whether text is canonical, which most numbers are, so that it can be copied.
func isCanonical(text []byte) bool {
	digits, point := 0, -1
	body := text
	if len(body) > 0 && body[0] == '-' {
		body = body[1:]
	}
	for i, c := range body {
		switch {
		case c-'0' <= 9:
			digits++
		case c == '.' && point < 0 && i > 0:
			point = i
		default:
			return false
		}
	}
	if digits == 0 || digits > maxDigits {
		return false
	}
	if body[0] == '0' && point != 1 { // 0 itself, but neither 007 nor -0
		return len(text) == 1
	}
	last := body[len(body)-1]
	return point < 0 || last-'1' <= 8
}

// decimal is a finite number: 0.digits × 10^point, with a sign. The digits neither begin nor end with a zero; zero has
// none.
type decimal struct {
	negative bool
	digits   []byte
	point    int
}

// exponent returns the exponent in scientific notation.
func (d decimal) exponent() int { return d.point - 1 }

// parseDecimal parses a number in any form that the service accepts: a sign, digits with an optional point, an
// exponent.
func parseDecimal(text []byte) (decimal, error) {
	var d decimal
	rest := text
	if len(rest) == 0 {
		return d, errNotNumber
	}
	if rest[0] == '-' || rest[0] == '+' {
		d.negative = rest[0] == '-'
		rest = rest[1:]
	}
	rest, seen := d.mantissa(rest)
	if !seen {
		return d, notNumeric(text)
	}
	exp := 0
	if len(rest) > 0 {
		var ok bool
		if exp, ok = exponent(rest); !ok {
			return d, notNumeric(text)
		}
	}
	if d.trim(); len(d.digits) == 0 {
		return decimal{}, checkExponent(exp) // zero is checked too, by the exponent as written
	}
	d.point += exp
	if len(d.digits) > maxDigits && checkExponent(d.exponent()) == nil {
		return d, errPrecision
	}
	return d, checkExponent(d.exponent())
}

// mantissa parses digits with at most one point. seen reports whether there was a digit.
func (d *decimal) mantissa(text []byte) (rest []byte, seen bool) {
	point := false
	for i, c := range text {
		switch {
		case c-'0' <= 9:
			seen = true
			if c != '0' || len(d.digits) > 0 {
				d.digits = append(d.digits, c)
			}
			if !point && len(d.digits) > 0 {
				d.point++
			}
			if point && len(d.digits) == 0 {
				d.point--
			}
		case c == '.' && !point:
			point = true
		default:
			return text[i:], seen
		}
	}
	return nil, seen
}

// exponent parses e5, E+5 or e-5. The exponent must fit in 64 bits.
func exponent(text []byte) (int, bool) {
	if text[0] != 'e' && text[0] != 'E' {
		return 0, false
	}
	digits := text[1:]
	if len(digits) > 0 && (digits[0] == '+' || digits[0] == '-') {
		digits = digits[1:]
	}
	if len(digits) == 0 {
		return 0, false
	}
	for _, c := range digits {
		if c-'0' > 9 {
			return 0, false
		}
	}
	exp, err := strconv.ParseInt(string(text[1:]), 10, 64)
	if err != nil {
		return 0, false
	}
	const beyond = 1 << 30 // outside the range of any number, and safe from overflow in sums
	return int(max(-beyond, min(beyond, exp))), true
}

func (d *decimal) trim() {
	d.digits = bytes.TrimRight(d.digits, "0")
}

func checkExponent(e int) error {
	switch {
	case e > maxExponent:
		return errOverflow
	case e < minExponent:
		return errUnderflow
	}
	return nil
}

func notNumeric(text []byte) error {
	return &NumberError{"The parameter cannot be converted to a numeric value: " + string(text)}
}

// legacyNumberError returns the error for a number in the older validation, which reads numbers as Java's BigDecimal
// does. err is the newer one's. An exponent or a scale beyond 32 bits is no number, and the sum that decides the
// magnitude may overflow. (paritysuite and nubo-db/dynoxide, us-east-1, 2026-10-09: 1e2147483647 is an underflow.)
func legacyNumberError(text []byte, err error) error {
	if err != errOverflow && err != errUnderflow {
		return err
	}
	mantissa, exponentText, found := bytes.Cut(bytes.ToLower(text), []byte("e"))
	if !found {
		return err
	}
	exp, parseErr := strconv.ParseInt(string(exponentText), 10, 64)
	whole, fraction, _ := bytes.Cut(bytes.TrimLeft(mantissa, "+-"), []byte("."))
	scale := int64(len(fraction)) - exp
	if parseErr != nil || exp != int64(int32(exp)) || scale != int64(int32(scale)) {
		return notNumeric(text)
	}
	precision := len(bytes.TrimLeft(append(bytes.Clone(whole), fraction...), "0"))
	if int64(precision)-scale > math.MaxInt32 {
		return errUnderflow
	}
	return err
}

// append appends the canonical text.
func (d decimal) append(dst []byte) []byte {
	if len(d.digits) == 0 {
		return append(dst, '0')
	}
	if d.negative {
		dst = append(dst, '-')
	}
	if d.point <= 0 {
		dst = append(dst, "0."...)
		return append(appendZeros(dst, -d.point), d.digits...)
	}
	if d.point >= len(d.digits) {
		return appendZeros(append(dst, d.digits...), d.point-len(d.digits))
	}
	dst = append(dst, d.digits[:d.point]...)
	return append(append(dst, '.'), d.digits[d.point:]...)
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}

// canonicalDecimal parses canonical text.
func canonicalDecimal(text []byte) decimal {
	d, err := parseDecimal(text)
	if err != nil {
		panic("item: a stored number is not canonical: " + string(text))
	}
	return d
}
