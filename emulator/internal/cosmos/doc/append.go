package doc

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// Append appends a value as JSON. Undefined members are omitted and undefined elements are null, as in the service's
// response to SELECT VALUE [c.missing]. Append appends nothing for undefined itself.
func Append(dst []byte, v Value) []byte {
	switch v.kind {
	case Null:
		return append(dst, "null"...)
	case Boolean:
		return strconv.AppendBool(dst, v.IsTrue())
	case Numeric:
		if v.str != "" {
			return append(dst, v.str...)
		}
		return appendNumber(dst, v.num)
	case Text:
		return AppendString(dst, v.str)
	case List:
		return appendArray(dst, v.list)
	case Map:
		return appendObject(dst, v.members)
	}
	return dst
}

// JSON returns the result of Append as a string.
func (v Value) JSON() string { return string(Append(nil, v)) }

func appendArray(dst []byte, elements []Value) []byte {
	dst = append(dst, '[')
	for i, e := range elements {
		if i > 0 {
			dst = append(dst, ',')
		}
		if !e.Defined() {
			e = NullValue()
		}
		dst = Append(dst, e)
	}
	return append(dst, ']')
}

func appendObject(dst []byte, members []Member) []byte {
	dst = append(dst, '{')
	some := false
	for i := range members {
		if !members[i].Value.Defined() {
			continue
		}
		if some {
			dst = append(dst, ',')
		}
		some = true
		dst = AppendString(dst, members[i].Name)
		dst = append(dst, ':')
		dst = Append(dst, members[i].Value)
	}
	return append(dst, '}')
}

// Numbers below or above these magnitudes are written with an exponent, as in JavaScript.
const (
	smallest = 1e-6
	largest  = 1e21
)

// appendNumber appends the shortest text that parses to n, as JavaScript does: the service writes numbers in the same
// form.
func appendNumber(dst []byte, n float64) []byte {
	if n == 0 {
		return append(dst, '0') // also -0
	}
	if size := math.Abs(n); size >= smallest && size < largest {
		return strconv.AppendFloat(dst, n, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, n, 'e', -1, 64)
	if last := len(dst) - 2; dst[last] == '0' && (dst[last-1] == '-' || dst[last-1] == '+') { // e-09 becomes e-9
		dst = append(dst[:last], dst[last+1])
	}
	return dst
}

// AppendString appends a string as JSON. Invalid UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	return jsonwrite.AppendString(dst, s)
}
