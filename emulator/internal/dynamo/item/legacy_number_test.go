package item

import "testing"

// The exponents are at the borders of Java's int, in which BigDecimal computes.
func TestTheOlderValidationReadsNumbersAsJavaDoes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{
		"1e2147483647":   errUnderflow, // precision + exponent overflow
		"12e2147483646":  errUnderflow,
		"1e2147483646":   errOverflow,
		"1e126":          errOverflow,
		"1e-131":         errUnderflow,
		"1.5e-131":       errUnderflow,
		"1e2147483648":   notNumeric([]byte("1e2147483648")),
		"-1E-2147483648": notNumeric([]byte("-1E-2147483648")),
		"1e99999999999":  notNumeric([]byte("1e99999999999")),
		"1e-2147483647":  errUnderflow,
		"abc":            notNumeric([]byte("abc")),
		"":               errNotNumber,
	} {
		_, err := appendCanonical(nil, []byte(text))
		if err == nil {
			t.Errorf("%q is accepted", text)
			continue
		}
		if got := legacyNumberError([]byte(text), err); got.Error() != want.Error() {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
