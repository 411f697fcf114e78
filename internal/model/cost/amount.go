package cost

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// Amount is an exact number, of dollars or of units. The zero value is 0.
type Amount struct{ r *big.Rat }

// FromFloat returns the exact value of a float64, such as a count of half units; infinity and NaN become 0.
func FromFloat(f float64) Amount {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return Amount{}
	}
	return Amount{new(big.Rat).SetFloat64(f)}
}

// Fraction returns n/d; d must not be 0.
func Fraction(n, d int64) Amount { return Amount{big.NewRat(n, d)} }

func (a Amount) rat() *big.Rat {
	if a.r == nil {
		return new(big.Rat)
	}
	return a.r
}

// Add returns a + b.
func (a Amount) Add(b Amount) Amount { return Amount{new(big.Rat).Add(a.rat(), b.rat())} }

// Sub returns a - b.
func (a Amount) Sub(b Amount) Amount { return Amount{new(big.Rat).Sub(a.rat(), b.rat())} }

// Mul returns a × b.
func (a Amount) Mul(b Amount) Amount { return Amount{new(big.Rat).Mul(a.rat(), b.rat())} }

// Div returns a / b. Division by 0 returns 0, because usage in no time has no rate.
func (a Amount) Div(b Amount) Amount {
	if b.Sign() == 0 {
		return Amount{}
	}
	return Amount{new(big.Rat).Quo(a.rat(), b.rat())}
}

// Cmp returns -1, 0 or 1 if a is less than, equal to or greater than b.
func (a Amount) Cmp(b Amount) int { return a.rat().Cmp(b.rat()) }

// Equal reports whether a and b are the same number.
func (a Amount) Equal(b Amount) bool { return a.Cmp(b) == 0 }

// Float returns the float64 nearest to a.
func (a Amount) Float() float64 { f, _ := a.rat().Float64(); return f }

// Sign returns -1, 0 or 1 if a is negative, 0 or positive.
func (a Amount) Sign() int { return a.rat().Sign() }

// Min returns the lesser of a and b.
func (a Amount) Min(b Amount) Amount {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// digits is the largest number of digits after the point in String.
const digits = 12

// String returns the amount as a decimal, with at most 12 digits after the point.
func (a Amount) String() string { return a.Text(digits) }

// Text returns the amount as a decimal, rounded to at most that many digits after the point, without trailing zeros.
func (a Amount) Text(after int) string {
	text := a.rat().FloatString(after)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		return "0"
	}
	return text
}

// MarshalText encodes the amount as String does: a text in JSON, so that no decoder rounds it.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText parses a decimal of at most 15 digits before the point and 15 after it.
func (a *Amount) UnmarshalText(text []byte) error {
	if !decimal.Match(text) {
		return fmt.Errorf("%q is not an amount: use a decimal number such as 0.25", text)
	}
	a.r, _ = new(big.Rat).SetString(string(text)) // every decimal can be parsed
	return nil
}

// decimal limits the length of numbers: an exponent could ask for gigabytes of digits.
var decimal = lazyregexp.New(`^-?[0-9]{1,15}(\.[0-9]{1,15})?$`)

// UnmarshalYAML parses an amount as UnmarshalText does. It must not be negative.
func (a *Amount) UnmarshalYAML(node *yaml.Node) error {
	if err := a.UnmarshalText([]byte(node.Value)); err != nil || a.Sign() < 0 {
		return fmt.Errorf("line %d: %q is not an amount: use a decimal number of 0 or more, such as 0.25",
			node.Line, node.Value)
	}
	return nil
}
