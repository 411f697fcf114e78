// Package jsonwrite encodes the strings of JSON documents, straight into the memory of a response.
package jsonwrite

import "math/bits"

// AppendString appends a JSON string. text must be valid UTF-8.
func AppendString[T string | []byte](dst []byte, text T) []byte {
	return append(AppendContent(append(dst, '"'), text), '"')
}

// AppendContent appends what is between the quotes of a JSON string. text must be valid UTF-8.
func AppendContent[T string | []byte](dst []byte, text T) []byte {
	for {
		n := PlainLength(text)
		dst = append(dst, text[:n]...)
		if n == len(text) {
			return dst
		}
		dst = appendEscaped(dst, text[n])
		text = text[n+1:]
	}
}

func isPlain(c byte) bool { return c >= ' ' && c != '"' && c != '\\' }

// PlainLength returns how many leading bytes need no escape in a JSON string. It checks eight at a time, the last eight
// perhaps twice: most of what the services read and write goes through here.
func PlainLength[T string | []byte](text T) int {
	i, last := 0, len(text)-8
	for ; i < last; i += 8 {
		if found := notPlain(wordAt(text, i)); found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	if last >= 0 {
		if found := notPlain(wordAt(text, last)); found != 0 {
			return last + bits.TrailingZeros64(found)/8
		}
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

// notPlain returns a word whose lowest bit that is set is in the first of the eight bytes of w that is not plain; 0 if
// all are. A subtraction sets the highest bit of a byte that is less than what is subtracted, and of no byte before the
// first such byte. A control character or a quotation mark is at most 0x20 once its second bit is flipped.
func notPlain(w uint64) uint64 {
	low, backslash := (w^eachByte*0x02)-eachByte*0x21, (w^eachByte*'\\')-eachByte
	return (low | backslash) &^ w & (eachByte * 0x80)
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
