// Package jsonwrite encodes the strings of JSON documents, straight into the memory of a response.
package jsonwrite

// AppendString appends a JSON string. text must be valid UTF-8.
func AppendString[T string | []byte](dst []byte, text T) []byte {
	return append(AppendContent(append(dst, '"'), text), '"')
}

// AppendContent appends what is between the quotes of a JSON string. text must be valid UTF-8.
func AppendContent[T string | []byte](dst []byte, text T) []byte {
	for {
		n := plainLength(text)
		dst = append(dst, text[:n]...)
		if n == len(text) {
			return dst
		}
		dst = appendEscaped(dst, text[n])
		text = text[n+1:]
	}
}

func isPlain(c byte) bool { return c >= ' ' && c != '"' && c != '\\' }

// plainLength returns how many leading bytes need no escape in a JSON string. It checks eight at a time, the last eight
// perhaps twice: most of what the services write goes through here.
func plainLength[T string | []byte](text T) int {
	i, last := 0, len(text)-8
	for i < last && isPlainWord(wordAt(text, i)) {
		i += 8
	}
	if i >= last && last >= 0 && isPlainWord(wordAt(text, last)) {
		return len(text)
	}
	for i < len(text) && isPlain(text[i]) {
		i++
	}
	return i
}

func wordAt[T string | []byte](text T, i int) uint64 {
	return uint64(text[i]) | uint64(text[i+1])<<8 | uint64(text[i+2])<<16 | uint64(text[i+3])<<24 |
		uint64(text[i+4])<<32 | uint64(text[i+5])<<40 | uint64(text[i+6])<<48 | uint64(text[i+7])<<56
}

const eachByte = 0x0101010101010101

// isPlainWord reports whether each of the eight bytes of w is plain. A subtraction sets the highest bit of a byte that
// is less than what is subtracted, and of no byte before the first such byte. A control character or a quotation mark
// is at most 0x20 once its second bit is flipped.
func isPlainWord(w uint64) bool {
	low, backslash := (w^eachByte*0x02)-eachByte*0x21, (w^eachByte*'\\')-eachByte
	return (low|backslash)&^w&(eachByte*0x80) == 0
}

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
