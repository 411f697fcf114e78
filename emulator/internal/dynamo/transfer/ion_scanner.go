package transfer

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// ionScanner reads the tokens of Ion text (amazon-ion.github.io/ion-docs, "Ion Specification").
type ionScanner struct{ rest []byte }

func isIonSpace(b byte) bool { return b == ' ' || '\t' <= b && b <= '\r' }

// skipSpace skips white space and comments.
func (s *ionScanner) skipSpace() {
	for {
		s.rest = bytes.TrimLeftFunc(s.rest, func(r rune) bool { return r < 0x80 && isIonSpace(byte(r)) })
		switch {
		case bytes.HasPrefix(s.rest, []byte("//")):
			_, s.rest, _ = bytes.Cut(s.rest, []byte("\n"))
		case bytes.HasPrefix(s.rest, []byte("/*")):
			end := bytes.Index(s.rest[2:], []byte("*/"))
			if end < 0 {
				return // the slash is an error to the caller
			}
			s.rest = s.rest[2+end+2:]
		default:
			return
		}
	}
}

// peek returns the next byte, 0 at the end.
func (s *ionScanner) peek() byte {
	if len(s.rest) == 0 {
		return 0
	}
	return s.rest[0]
}

// take reads one byte if it is next.
func (s *ionScanner) take(b byte) bool {
	if s.peek() != b || len(s.rest) == 0 {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

func (s *ionScanner) takeAll(text string) bool {
	after, ok := bytes.CutPrefix(s.rest, []byte(text))
	if ok {
		s.rest = after
	}
	return ok
}

// word reads the characters of an identifier, a keyword or a number.
func (s *ionScanner) word() []byte {
	end := 0
	for end < len(s.rest) && isIonWord(s.rest[end]) {
		end++
	}
	word := s.rest[:end]
	s.rest = s.rest[end:]
	return word
}

func isIonWord(b byte) bool {
	switch {
	case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9':
		return true
	}
	return b == '_' || b == '$' || b == '.' || b == '+' || b == '-'
}

// annotation reads an annotation of a value. ok is false, and nothing is read, if there is none.
func (s *ionScanner) annotation() (name []byte, ok bool) {
	before := s.rest
	var err error
	switch s.peek() {
	case '"':
		return nil, false
	case '\'':
		if bytes.HasPrefix(s.rest, []byte("'''")) {
			return nil, false
		}
		s.rest = s.rest[1:]
		name, err = s.textUntil(nil, "'")
	default:
		name = s.word()
	}
	if s.skipSpace(); err != nil || len(name) == 0 || !s.takeAll("::") {
		s.rest = before
		return nil, false
	}
	return name, true
}

// fieldName appends the name of a field: an identifier, or a text in single or double quotes.
func (s *ionScanner) fieldName(dst []byte) ([]byte, error) {
	switch b := s.peek(); {
	case b == '"', bytes.HasPrefix(s.rest, []byte("'''")):
		return s.stringText(dst)
	case s.take('\''):
		return s.textUntil(dst, "'")
	}
	word := s.word()
	if len(word) == 0 {
		return nil, errNotIon
	}
	return append(dst, word...), nil
}

// stringText appends the text of a string. Adjacent long strings, which have three quotes, are one.
func (s *ionScanner) stringText(dst []byte) ([]byte, error) {
	if s.take('"') {
		return s.textUntil(dst, `"`)
	}
	if !s.takeAll("'''") {
		return nil, errNotIon
	}
	for {
		var err error
		if dst, err = s.textUntil(dst, "'''"); err != nil {
			return nil, err
		}
		if s.skipSpace(); !s.takeAll("'''") {
			return dst, nil
		}
	}
}

// textUntil appends the text before a closing quote, which it reads too.
func (s *ionScanner) textUntil(dst []byte, quote string) ([]byte, error) {
	for len(s.rest) > 0 {
		if s.takeAll(quote) {
			return dst, nil
		}
		if s.rest[0] == '\\' {
			var err error
			if dst, err = s.escape(dst); err != nil {
				return nil, err
			}
			continue
		}
		r, size := utf8.DecodeRune(s.rest)
		if r == utf8.RuneError && size == 1 {
			return nil, errNotIon
		}
		dst, s.rest = append(dst, s.rest[:size]...), s.rest[size:]
	}
	return nil, errNotIon
}

// ionEscapes are the escapes of one character.
var ionEscapes = map[byte]byte{'0': 0, 'a': 7, 'b': 8, 't': 9, 'n': 10, 'f': 12, 'r': 13, 'v': 11, '"': '"', '\'': '\'',
	'?': '?', '\\': '\\', '/': '/'}

// escape appends the character of an escape.
func (s *ionScanner) escape(dst []byte) ([]byte, error) {
	if len(s.rest) < 2 {
		return nil, errNotIon
	}
	kind := s.rest[1]
	s.rest = s.rest[2:]
	if b, ok := ionEscapes[kind]; ok {
		return append(dst, b), nil
	}
	digits, ok := map[byte]int{'x': 2, 'u': 4, 'U': 8}[kind]
	if !ok {
		return nil, errNotIon
	}
	r, ok := s.hex(digits)
	if ok && utf16.IsSurrogate(r) && s.takeAll(`\u`) {
		var low rune
		low, ok = s.hex(4)
		r = utf16.DecodeRune(r, low)
		ok = ok && r != utf8.RuneError
	}
	if !ok || !utf8.ValidRune(r) {
		return nil, errNotIon
	}
	return utf8.AppendRune(dst, r), nil
}

// hex reads the digits of a character's number.
func (s *ionScanner) hex(digits int) (r rune, ok bool) {
	if len(s.rest) < digits {
		return 0, false
	}
	for _, b := range s.rest[:digits] {
		switch {
		case '0' <= b && b <= '9':
			b -= '0'
		case 'a' <= b && b <= 'f':
			b -= 'a' - 10
		case 'A' <= b && b <= 'F':
			b -= 'A' - 10
		default:
			return 0, false
		}
		if r = r<<4 | rune(b); r > utf8.MaxRune {
			return 0, false
		}
	}
	s.rest = s.rest[digits:]
	return r, true
}

// appendJSONString appends a text, which is UTF-8, as a JSON string.
func appendJSONString(dst, text []byte) []byte { return jsonwrite.AppendString(dst, text) }
