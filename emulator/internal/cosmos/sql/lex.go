package sql

import (
	"strings"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// tokenKind is the type of a token.
type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenIdent
	tokenKeyword
	tokenNumber
	tokenString
	tokenParam
	tokenPunct
	tokenBad // invalid: parsing stops there
)

// token is a token of a query. text is as written; word is a keyword in upper case.
type token struct {
	kind tokenKind
	text string
	word string
	ast.Span
}

// is reports whether the token is a punctuation mark.
func (t token) is(punct string) bool { return t.kind == tokenPunct && t.text == punct }

// keyword reports whether the token is a reserved word.
func (t token) keyword(word string) bool { return t.kind == tokenKeyword && t.word == word }

// named reports whether the token is an identifier with a name, in any case: a keyword that is reserved only where a
// clause expects it.
func (t token) named(word string) bool {
	return t.kind == tokenIdent && strings.EqualFold(t.text, word)
}

// lexer splits a query into tokens.
type lexer struct {
	text string
	pos  int
}

func (l *lexer) next() token {
	l.skip()
	start := l.pos
	if start >= len(l.text) {
		return token{kind: tokenEnd, Span: ast.Span{Start: start, End: start}}
	}
	kind := l.scan(l.text[start])
	t := token{kind: kind, text: l.text[start:l.pos], Span: ast.Span{Start: start, End: l.pos}}
	if kind == tokenIdent {
		if t.word = ast.Keyword(t.text); t.word != "" {
			t.kind = tokenKeyword
		}
	}
	return t
}

// skip skips white space and comments, which begin with "--" and end at the end of the line. The service has no other
// comments: it reads "/*" as a division.
func (l *lexer) skip() {
	for l.pos < len(l.text) {
		switch b := l.text[l.pos]; {
		case b == ' ' || b == '\t' || b == '\r' || b == '\n':
			l.pos++
		case strings.HasPrefix(l.text[l.pos:], "--"):
			line := strings.IndexByte(l.text[l.pos:], '\n')
			if line < 0 {
				line = len(l.text) - l.pos
			}
			l.pos += line
		default:
			return
		}
	}
}

func (l *lexer) scan(b byte) tokenKind {
	switch {
	case ast.IsNameByte(b, true):
		l.name()
		return tokenIdent
	case isDigit(b) || b == '.' && l.digitAt(l.pos+1):
		return l.number()
	case b == '"' || b == '\'':
		return l.quoted(b)
	case b == '@' && l.pos+1 < len(l.text) && ast.IsNameByte(l.text[l.pos+1], false):
		l.pos++
		l.name()
		return tokenParam
	}
	return l.punct()
}

func (l *lexer) name() {
	for l.pos < len(l.text) && ast.IsNameByte(l.text[l.pos], false) {
		l.pos++
	}
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isHex(b byte) bool { return isDigit(b) || b|0x20 >= 'a' && b|0x20 <= 'f' }

func (l *lexer) digitAt(i int) bool { return i < len(l.text) && isDigit(l.text[i]) }

func (l *lexer) digits() {
	for l.digitAt(l.pos) {
		l.pos++
	}
}

// number scans 12, 1.5, 1., .5, 1e-3 and 0xFF. A letter immediately after it makes it invalid.
func (l *lexer) number() tokenKind {
	if hex := l.text[l.pos:]; len(hex) > 2 && hex[0] == '0' && hex[1]|0x20 == 'x' && isHex(hex[2]) {
		for l.pos += 2; l.pos < len(l.text) && isHex(l.text[l.pos]); l.pos++ {
		}
		return l.numberEnd()
	}
	l.digits()
	if l.pos < len(l.text) && l.text[l.pos] == '.' {
		l.pos++
		l.digits()
	}
	l.exponent()
	return l.numberEnd()
}

func (l *lexer) exponent() {
	if l.pos >= len(l.text) || l.text[l.pos]|0x20 != 'e' {
		return
	}
	at := l.pos + 1
	if at < len(l.text) && (l.text[at] == '+' || l.text[at] == '-') {
		at++
	}
	if l.digitAt(at) {
		l.pos = at
		l.digits()
	}
}

func (l *lexer) numberEnd() tokenKind {
	if l.pos < len(l.text) && ast.IsNameByte(l.text[l.pos], false) {
		l.name()
		return tokenBad
	}
	return tokenNumber
}

// quoted scans a string with its quotes. unquote interprets the escape sequences.
func (l *lexer) quoted(quote byte) tokenKind {
	for l.pos++; l.pos < len(l.text); l.pos++ {
		switch l.text[l.pos] {
		case quote:
			l.pos++
			return tokenString
		case '\\':
			l.pos++
		}
	}
	l.pos = len(l.text)
	return tokenBad
}

// puncts are the punctuation marks of more than one byte, longest first.
var puncts = [...]string{">>>", ">>", "<<", "<=", ">=", "!=", "<>", "||", "??"}

func (l *lexer) punct() tokenKind {
	rest := l.text[l.pos:]
	for _, p := range puncts {
		if strings.HasPrefix(rest, p) {
			l.pos += len(p)
			return tokenPunct
		}
	}
	if strings.IndexByte("()[]{},.:?*/%+-~<>=&|^", rest[0]) >= 0 {
		l.pos++
		return tokenPunct
	}
	_, size := utf8.DecodeRuneInString(rest)
	l.pos += size
	return tokenBad
}
