package item

import "bytes"

// Compare compares two values of the same type, String, Number or Binary: strings and binaries by bytes, numbers by
// value.
func Compare(a, b Value) int {
	if a.Type() == Number {
		return compareNumbers(a.Bytes(), b.Bytes())
	}
	return bytes.Compare(a.Bytes(), b.Bytes())
}

// compareNumbers compares canonical texts.
func compareNumbers(a, b []byte) int {
	if bytes.Equal(a, b) {
		return 0
	}
	negative := a[0] == '-'
	if negative != (b[0] == '-') {
		if negative {
			return -1
		}
		return 1
	}
	if negative {
		return compareMagnitudes(b[1:], a[1:])
	}
	return compareMagnitudes(a, b)
}

// compareMagnitudes compares canonical texts without signs. The one with the longer integer part is greater; with equal
// lengths, the byte order is the numeric order.
func compareMagnitudes(a, b []byte) int {
	if ia, ib := integerPart(a), integerPart(b); ia != ib {
		return ia - ib
	}
	return bytes.Compare(a, b)
}

func integerPart(text []byte) int {
	if i := bytes.IndexByte(text, '.'); i >= 0 {
		return i
	}
	return len(text)
}

// Equal reports whether two values are equal: of one type, numbers by value, sets in any order.
func Equal(a, b Value) bool {
	var r Reader
	return r.Equal(a, b)
}

// The first byte of a number's key: negative, zero, positive.
const (
	keyNegative = 0x3f
	keyZero     = 0x40
	keyPositive = 0x41
)

// AppendKey appends v, a String, Number or Binary, in a form whose byte order is the order of the values, and of which
// none is a prefix of another. Strings and binaries have 00 replaced by 00 FF, and end with 00 01. Numbers are a sign,
// an exponent and pairs of digits, all inverted for negative numbers.
func AppendKey(dst []byte, v Value) []byte {
	if v.Type() == Number {
		return appendNumberKey(dst, canonicalDecimal(v.Bytes()))
	}
	return append(AppendKeyPrefix(dst, v), 0x00, 0x01)
}

// AppendKeyPrefix appends v, a String or Binary, like AppendKey but without the end: the prefix of the keys of all
// values that begin with v.
func AppendKeyPrefix(dst []byte, v Value) []byte {
	payload := v.Bytes()
	for {
		i := bytes.IndexByte(payload, 0)
		if i < 0 {
			return append(dst, payload...)
		}
		dst = append(dst, payload[:i]...)
		dst = append(dst, 0x00, 0xff)
		payload = payload[i+1:]
	}
}

func appendNumberKey(dst []byte, d decimal) []byte {
	if len(d.digits) == 0 {
		return append(dst, keyZero)
	}
	if !d.negative {
		return appendMagnitude(append(dst, keyPositive), d)
	}
	at := len(dst) + 1
	dst = appendMagnitude(append(dst, keyNegative), d)
	for i := at; i < len(dst); i++ {
		dst[i] = ^dst[i]
	}
	return dst
}

// appendMagnitude appends the exponent in one byte and then two digits per byte, as 1 to 100, and a final 0.
func appendMagnitude(dst []byte, d decimal) []byte {
	dst = append(dst, byte(d.exponent()-minExponent))
	for i := 0; i < len(d.digits); i += 2 {
		pair := (d.digits[i] - '0') * 10
		if i+1 < len(d.digits) {
			pair += d.digits[i+1] - '0'
		}
		dst = append(dst, pair+1)
	}
	return append(dst, 0)
}
