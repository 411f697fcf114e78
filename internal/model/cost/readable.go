package cost

import (
	"math"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// Dollars returns an amount of dollars for people, such as $1,234.50, -$6.25 or $0.0000625: cents from one dollar on,
// below it three significant digits.
func (a Amount) Dollars() string {
	if a.Sign() < 0 {
		return "-" + Amount{}.Sub(a).Dollars()
	}
	if a.Sign() == 0 {
		return "$0"
	}
	whole, fraction, _ := strings.Cut(a.readable(), ".")
	return "$" + whole + "." + fraction + strings.Repeat("0", max(0, 2-len(fraction)))
}

// Readable returns a quantity for people, such as 1,234.5 or 0.000345: at most two digits after the point, or below
// one three significant digits. Text and String are for programs.
func (a Amount) Readable() string {
	if a.Sign() < 0 {
		return "-" + Amount{}.Sub(a).readable()
	}
	return a.readable()
}

// readable returns an amount that is not negative, with commas between its thousands.
func (a Amount) readable() string {
	after := 2
	if f := a.Float(); f > 0 && f < 1 {
		after = 2 - int(math.Floor(math.Log10(f)))
	}
	return thousands.Decimal(a.Text(after))
}
