// Package thousands formats numbers for people.
package thousands

import (
	"math"
	"strconv"
	"strings"
)

// Group returns a number with commas between its thousands, such as 1,449.
func Group[N int | int64 | uint64](n N) string {
	return insertCommas(strconv.FormatInt(int64(n), 10))
}

// Decimal returns a decimal number, such as -1449.25, with commas between its thousands.
func Decimal(text string) string {
	whole, fraction, found := strings.Cut(text, ".")
	if found {
		fraction = "." + fraction
	}
	return insertCommas(whole) + fraction
}

// Significant returns a number rounded to this many significant digits, without an exponent, such as 0.0000123. It
// rounds no digit before the point, and leaves out zeros at the end.
func Significant(v float64, digits int) string {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	after := 0
	if v != 0 {
		after = max(0, digits-1-int(math.Floor(math.Log10(math.Abs(v)))))
	}
	text := strconv.FormatFloat(v, 'f', after, 64)
	if after > 0 {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return Decimal(text)
}

// insertCommas inserts the commas in the digits of a whole number.
func insertCommas(text string) string {
	first := 0
	if strings.HasPrefix(text, "-") {
		first = 1
	}
	for i := len(text) - 3; i > first; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
