package expr

import "unicode/utf8"

type tokenKind byte

const (
	tokenEOF     tokenKind = iota
	tokenUnknown           // a character that no expression contains
	tokenIdentifier
	tokenName  // #name
	tokenValue // :value
	tokenNumber
	tokenEqual
	tokenNotEqual
	tokenLess
	tokenLessEqual
	tokenGreater
	tokenGreaterEqual
	tokenPlus
	tokenMinus
	tokenOpen
	tokenClose
	tokenOpenIndex
	tokenCloseIndex
	tokenDot
	tokenComma
	tokenAnd
	tokenOr
	tokenNot
	tokenBetween
	tokenIn
	tokenSet
	tokenRemove
	tokenAdd
	tokenDelete
)

// token is a part of a text, from start to end.
type token struct {
	kind       tokenKind
	start, end int
}

// The keywords. They are never attribute names, in any expression and any case.
var keywords = [...]struct {
	word string
	kind tokenKind
}{
	{"AND", tokenAnd}, {"OR", tokenOr}, {"NOT", tokenNot}, {"BETWEEN", tokenBetween}, {"IN", tokenIn},
	{"SET", tokenSet}, {"REMOVE", tokenRemove}, {"ADD", tokenAdd}, {"DELETE", tokenDelete},
}

var symbols = [utf8.RuneSelf]tokenKind{
	'=': tokenEqual, '<': tokenLess, '>': tokenGreater, '+': tokenPlus, '-': tokenMinus, '(': tokenOpen,
	')': tokenClose, '[': tokenOpenIndex, ']': tokenCloseIndex, '.': tokenDot, ',': tokenComma,
}

// next returns the first token of src from pos on.
func next(src string, pos int) token {
	for pos < len(src) && isSpace(src[pos]) {
		pos++
	}
	if pos == len(src) {
		return token{tokenEOF, pos, pos}
	}
	switch c := src[pos]; {
	case isLetter(c):
		end := endOfWord(src, pos)
		return token{keyword(src[pos:end]), pos, end}
	case c == '#' || c == ':':
		return reference(src, pos)
	case isDigit(c):
		return numeral(src, pos)
	case c < utf8.RuneSelf && symbols[c] != tokenEOF:
		return symbol(src, pos)
	}
	_, width := utf8.DecodeRuneInString(src[pos:])
	return token{tokenUnknown, pos, pos + width}
}

func keyword(word string) tokenKind {
	if len(word) > len("BETWEEN") {
		return tokenIdentifier
	}
	for _, k := range keywords {
		if equalFold(word, k.word) {
			return k.kind
		}
	}
	return tokenIdentifier
}

// equalFold reports whether a word equals one in upper case, ignoring the case.
func equalFold(word, upper string) bool {
	if len(word) != len(upper) {
		return false
	}
	for i := range len(word) {
		if word[i]|0x20 != upper[i]|0x20 {
			return false
		}
	}
	return true
}

// reference scans a #name or a :value. A lone # or : is an unknown token.
func reference(src string, pos int) token {
	end := endOfWord(src, pos+1)
	switch {
	case end == pos+1:
		return token{tokenUnknown, pos, end}
	case src[pos] == '#':
		return token{tokenName, pos, end}
	}
	return token{tokenValue, pos, end}
}

// numeral scans a decimal number without leading zeros: 007 is three numbers.
func numeral(src string, pos int) token {
	end := pos + 1
	for src[pos] != '0' && end < len(src) && isDigit(src[end]) {
		end++
	}
	return token{tokenNumber, pos, end}
}

func symbol(src string, pos int) token {
	t := token{symbols[src[pos]], pos, pos + 1}
	if t.end == len(src) {
		return t
	}
	switch second := src[t.end]; {
	case t.kind == tokenLess && second == '>':
		return token{tokenNotEqual, pos, pos + 2}
	case t.kind == tokenLess && second == '=':
		return token{tokenLessEqual, pos, pos + 2}
	case t.kind == tokenGreater && second == '=':
		return token{tokenGreaterEqual, pos, pos + 2}
	}
	return t
}

func endOfWord(src string, pos int) int {
	for pos < len(src) && (isLetter(src[pos]) || isDigit(src[pos]) || src[pos] == '_') {
		pos++
	}
	return pos
}

func isSpace(c byte) bool  { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
