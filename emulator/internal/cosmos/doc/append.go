package doc

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// Append writes a value as JSON. Members that are undefined are left out, elements that are are null, as in the
// service's answer to SELECT VALUE [c.missing]; undefined itself is nothing.
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

// JSON is Append as a string.
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

// The magnitudes beyond which a number is written with an exponent, as JavaScript does.
const (
	smallest = 1e-6
	largest  = 1e21
)

// appendNumber writes the shortest text that reads back as n, as JavaScript does: the service's numbers are its
// numbers.
func appendNumber(dst []byte, n float64) []byte {
	if n == 0 {
		return append(dst, '0') // -0 too
	}
	if size := math.Abs(n); size >= smallest && size < largest {
		return strconv.AppendFloat(dst, n, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, n, 'e', -1, 64)
	if last := len(dst) - 2; dst[last] == '0' && (dst[last-1] == '-' || dst[last-1] == '+') { // e-09 is e-9
		dst = append(dst[:last], dst[last+1])
	}
	return dst
}

// AppendString writes a string as JSON. What is not UTF-8 in it becomes U+FFFD.
func AppendString(dst []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	return jsonwrite.AppendString(dst, s)
}
