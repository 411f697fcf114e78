package jsonread

import (
	"unicode/utf16"
	"unicode/utf8"
)

// rawString reads a string and returns the text between its quotes; plain reports that it has no escapes.
func (r *Reader) rawString() (raw []byte, plain bool, err error) {
	if !r.take('"') {
		return nil, false, ErrSyntax
	}
	start := r.pos
	plain = true
	for i := start; i < len(r.buf); i++ {
		switch c := r.buf[i]; {
		case c == '"':
			r.pos = i + 1
			return r.buf[start:i], plain, nil
		case c == '\\':
			plain = false
			i++ // an escaped character, such as a quote, does not end the string
		case c < ' ':
			return nil, false, ErrSyntax
		}
	}
	return nil, false, ErrSyntax
}

// appendUnescaped appends the text of a string that has escapes.
func appendUnescaped(dst, raw []byte) ([]byte, error) {
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			dst = append(dst, raw[i])
			i++
			continue
		}
		if i+1 >= len(raw) {
			return dst, ErrSyntax
		}
		switch c := raw[i+1]; c {
		case '"', '\\', '/':
			dst = append(dst, c)
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			char, n := unicodeEscape(raw[i:])
			if n == 0 {
				return dst, ErrSyntax
			}
			dst = utf8.AppendRune(dst, char)
			i += n
			continue
		default:
			return dst, ErrSyntax
		}
		i += 2
	}
	return dst, nil
}

// unicodeEscape decodes \uXXXX, and the second half of a surrogate pair with it. n is the number of bytes, or 0 if it
// is malformed; half a pair is U+FFFD.
func unicodeEscape(raw []byte) (char rune, n int) {
	first, ok := hex4(raw)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(first) {
		return first, 6
	}
	if second, ok := hex4(raw[6:]); ok {
		if pair := utf16.DecodeRune(first, second); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

func hex4(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	var v rune
	for _, c := range raw[2:6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		v = v<<4 | rune(c)
	}
	return v, true
}
