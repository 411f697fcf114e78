// Package jsonwrite encodes the strings of JSON documents, straight into the memory of a response.
package jsonwrite

// AppendString appends a JSON string. text must be valid UTF-8.
func AppendString[T string | []byte](dst []byte, text T) []byte {
	dst = append(dst, '"')
	for {
		n := plainLength(text)
		dst = append(dst, text[:n]...)
		if n == len(text) {
			return append(dst, '"')
		}
		dst = appendEscaped(dst, text[n])
		text = text[n+1:]
	}
}

func isPlain(c byte) bool { return c >= ' ' && c != '"' && c != '\\' }

// plainLength returns how many leading bytes need no escape in a JSON string. It checks eight at a time: most of what
// the services write goes through here.
func plainLength[T string | []byte](text T) int {
	i := 0
	for ; i+8 <= len(text); i += 8 {
		w := uint64(text[i]) | uint64(text[i+1])<<8 | uint64(text[i+2])<<16 | uint64(text[i+3])<<24 |
			uint64(text[i+4])<<32 | uint64(text[i+5])<<40 | uint64(text[i+6])<<48 | uint64(text[i+7])<<56
		if below(w, ' ')|below(w^eachByte*'"', 1)|below(w^eachByte*'\\', 1) != 0 {
			break
		}
	}
	for i < len(text) && isPlain(text[i]) {
		i++
	}
	return i
}

const eachByte = 0x0101010101010101

// below is not zero if one of the eight bytes of w is less than n, which is at most 128.
func below(w, n uint64) uint64 { return (w - eachByte*n) &^ w & (eachByte * 0x80) }

const hexDigits = "0123456789abcdef"

func appendEscaped(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
