package partiql

import (
	"math"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// decimalRange returns the number of digits and the scale (the digits after the point less the exponent) of a number's
// text, as Java's BigDecimal has them. ok is false if one of them does not fit in 32 bits: the service cannot read such
// a number (paritysuite, partiqlGrammar and partiqlParameterNumbers, October 2026).
func decimalRange(text string) (precision, scale int64, ok bool) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	whole, fraction, _ := strings.Cut(strings.TrimLeft(mantissa, "+-"), ".")
	scale = int64(len(fraction))
	if exponent != "" {
		e, err := strconv.ParseInt(exponent, 10, 64)
		if err != nil || e > math.MaxInt32 || e < math.MinInt32 {
			return 0, 0, false
		}
		scale -= e
	}
	digits := strings.TrimLeft(whole+fraction, "0")
	return int64(max(len(digits), 1)), scale, scale <= math.MaxInt32 && scale >= math.MinInt32
}

// newNumber returns the number in a text. Errors: an *item.NumberError. A magnitude beyond 32 bits overflows in the
// service's own arithmetic, so that it reports the largest numbers as an underflow.
func newNumber(text string) (item.Value, error) {
	v, err := item.NewNumber(text)
	precision, scale, ok := decimalRange(text)
	if err != nil && ok && precision-scale > math.MaxInt32 {
		return item.NewNumber("1e-200") // fails with the underflow message
	}
	return v, err
}

// CheckNumber returns the service's error for the text of a number parameter that it cannot read, nil for any other
// text, whose range is checked elsewhere. It differs from the check of an item's numbers.
func CheckNumber(text string) error {
	if _, err := item.NewNumber(text); err == nil {
		return nil
	}
	precision, scale, ok := decimalRange(text)
	switch {
	case !ok:
		return errorf("The parameter cannot be converted to a numeric value: %s", text)
	case precision-scale > math.MaxInt32:
		_, err := item.NewNumber("1e-200")
		return errorf("%s", err)
	}
	return nil
}
