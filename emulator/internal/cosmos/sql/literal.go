package sql

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// numberValue returns the value of a number token with its sign. 64-bit integers are exact, as in the service.
func numberValue(sign, text string) (doc.Value, bool) {
	if n, err := strconv.ParseInt(sign+text, 10, 64); err == nil {
		return doc.Int(n), true
	}
	n, ok := parseNumber(text)
	if sign == "-" {
		n = -n
	}
	return doc.Number(n + 0), ok // + 0 removes the sign of zero
}

// parseNumber returns the value of a number token; false if a double cannot represent it.
func parseNumber(text string) (float64, bool) {
	if len(text) > 2 && text[1]|0x20 == 'x' {
		return parseHex(text[2:])
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && !math.IsInf(n, 0)
}

func parseHex(digits string) (float64, bool) {
	n := 0.0
	for i := range len(digits) {
		d, err := strconv.ParseUint(digits[i:i+1], 16, 8)
		if err != nil {
			return 0, false
		}
		n = n*16 + float64(d)
	}
	return n, !math.IsInf(n, 0)
}

// unquote returns the value of a string token; false for an invalid escape sequence or invalid UTF-8.
func unquote(text string) (string, bool) {
	body := text[1 : len(text)-1]
	if !utf8.ValidString(body) {
		return "", false
	}
	if strings.IndexByte(body, '\\') < 0 {
		return body, true
	}
	var b strings.Builder
	for len(body) > 0 {
		plain := strings.IndexByte(body, '\\')
		if plain < 0 {
			plain = len(body)
		}
		b.WriteString(body[:plain])
		if body = body[plain:]; body == "" {
			break
		}
		r, size := unescape(body)
		if size == 0 {
			return "", false
		}
		b.WriteRune(r)
		body = body[size:]
	}
	return b.String(), true
}

// unescape parses an escape sequence; size is 0 if it is invalid. Half a surrogate pair becomes U+FFFD.
func unescape(s string) (rune, int) {
	if len(s) < 2 {
		return 0, 0
	}
	switch s[1] {
	case '\'', '"', '\\', '/':
		return rune(s[1]), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		return unescapeUnicode(s)
	}
	return 0, 0
}

const unicodeEscape = len(`\uXXXX`)

func unescapeUnicode(s string) (rune, int) {
	r, ok := unicodeUnit(s)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, unicodeEscape
	}
	if low, ok := unicodeUnit(s[unicodeEscape:]); ok {
		if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
			return both, 2 * unicodeEscape
		}
	}
	return utf8.RuneError, unicodeEscape
}

func unicodeUnit(s string) (rune, bool) {
	if len(s) < unicodeEscape || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:unicodeEscape], 16, 16)
	return rune(n), err == nil
}
