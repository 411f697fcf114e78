package jsonread

import (
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// rawString reads a string and returns the text between its quotes; plain reports that it has no escapes.
func (r *Reader) rawString() (raw []byte, plain bool, err error) {
	if !r.take('"') {
		return nil, false, ErrSyntax
	}
	start := r.pos
	plain = true
	for i := start; i < len(r.buf); {
		i += jsonwrite.PlainLength(r.buf[i:])
		switch {
		case i == len(r.buf) || r.buf[i] < ' ':
			return nil, false, ErrSyntax
		case r.buf[i] == '"':
			r.pos = i + 1
			return r.buf[start:i], plain, nil
		}
		plain = false
		i += 2 // an escaped character, such as a quote, does not end the string
	}
	return nil, false, ErrSyntax
}

// OpenScalar begins to read an object whose only member has a key of one letter and a string, such as {"S":"text"}, and
// returns the letter: the string is next, and then [Reader.CloseScalar]. It returns 0, and reads nothing, if the object
// does not begin so, or has white space there.
func (r *Reader) OpenScalar() byte {
	const key, open = 2, len(`{"S":`)
	b := r.buf[r.pos:]
	if len(b) <= open || b[0] != '{' || b[1] != '"' || b[3] != '"' || b[4] != ':' || b[open] != '"' {
		return 0
	}
	r.pos += open
	return b[key]
}

// CloseScalar reads the end of the object that OpenScalar began, and reports whether it ended.
func (r *Reader) CloseScalar() bool { return r.take('}') }

// Position is a place in a document.
type Position int

// Position returns the place of the next token.
func (r *Reader) Position() Position { return Position(r.pos) }

// Return continues at an earlier place.
func (r *Reader) Return(to Position) { r.pos = int(to) }

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
