package partiql

import (
	"strings"
	"unicode/utf8"
)

// Position is the position of a token in a statement: its line and column, counted from 1 in characters, and its length
// in characters.
type Position struct{ Line, Column, Length int }

// tokenKind is the kind of a token.
type tokenKind byte

const (
	tokenEnd       tokenKind = iota
	tokenName                // an unquoted name that is not a keyword
	tokenQuoted              // "name"
	tokenKeyword             // text is in lower case
	tokenString              // 'text'
	tokenNumber              //
	tokenIon                 // `ion`
	tokenParameter           // ?
	tokenSymbol              // an operator or a bracket
)

// token is a token of a statement.
type token struct {
	kind tokenKind
	text string // without quotes, with doubled quotes undone
	raw  string // as written
	pos  Position
}

// is reports whether the token is that keyword or symbol.
func (t token) is(text string) bool {
	return (t.kind == tokenKeyword || t.kind == tokenSymbol) && t.text == text
}

// symbols are the operators and brackets, the longer ones first.
var symbols = []string{"<=", ">=", "<>", "!=", "<<", ">>", "||", "<", ">", "=", "+", "-", "*", "/", "%", "(", ")",
	"[", "]", "{", "}", ",", ":", ".", ";"}

// lexer splits a statement into tokens.
type lexer struct {
	src          string
	at           int
	line, column int // of the next character
	tokens       []token
}

// tokenize returns the tokens of a statement; the last one is tokenEnd.
func tokenize(src string) ([]token, error) {
	l := lexer{src: src, line: 1, column: 1}
	for {
		if err := l.skipSpace(); err != nil {
			return nil, err
		}
		if l.at == len(l.src) {
			l.tokens = append(l.tokens, token{kind: tokenEnd, pos: Position{l.line, l.column, 0}})
			return l.tokens, nil
		}
		if err := l.next(); err != nil {
			return nil, err
		}
	}
}

// skipSpace skips white space and comments, which are allowed between any two tokens.
func (l *lexer) skipSpace() error {
	for l.at < len(l.src) {
		rest := l.src[l.at:]
		switch c := rest[0]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v':
			l.advance(1)
		case strings.HasPrefix(rest, "--"):
			if end := strings.IndexByte(rest, '\n'); end >= 0 {
				l.advance(end)
			} else {
				l.advance(len(rest))
			}
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return notWellFormed("")
			}
			l.advance(end + 4)
		default:
			return nil
		}
	}
	return nil
}

// advance moves n bytes ahead, and counts lines and columns.
func (l *lexer) advance(n int) {
	for _, r := range l.src[l.at : l.at+n] {
		if l.column++; r == '\n' {
			l.line, l.column = l.line+1, 1
		}
	}
	l.at += n
}

// add adds a token of n bytes.
func (l *lexer) add(kind tokenKind, n int, text string) {
	raw := l.src[l.at : l.at+n]
	pos := Position{l.line, l.column, utf8.RuneCountInString(raw)}
	l.tokens = append(l.tokens, token{kind, text, raw, pos})
	l.advance(n)
}

// next adds the token that begins here.
func (l *lexer) next() error {
	rest := l.src[l.at:]
	switch c := rest[0]; {
	case c == '\'' || c == '"' || c == '`':
		return l.quoted(c)
	case c == '?':
		l.add(tokenParameter, 1, "?")
	case isDigit(c) || c == '.' && len(rest) > 1 && isDigit(rest[1]) && !l.afterOperand():
		return l.number()
	case isNameStart(c):
		l.word()
	default:
		for _, s := range symbols {
			if strings.HasPrefix(rest, s) {
				l.add(tokenSymbol, len(s), s)
				return nil
			}
		}
		return notWellFormed("")
	}
	return nil
}

// afterOperand reports whether a point belongs to a path, not to a number.
func (l *lexer) afterOperand() bool {
	if len(l.tokens) == 0 {
		return false
	}
	last := l.tokens[len(l.tokens)-1]
	return last.kind == tokenName || last.kind == tokenQuoted || last.is("]") || last.is(")")
}

// quoted adds a string, a quoted name or an Ion literal. A doubled quote stands for the quote itself.
func (l *lexer) quoted(quote byte) error {
	rest := l.src[l.at:]
	kind := map[byte]tokenKind{'\'': tokenString, '"': tokenQuoted, '`': tokenIon}[quote]
	for i := 1; i < len(rest); i++ {
		if rest[i] != quote {
			continue
		}
		if i+1 < len(rest) && rest[i+1] == quote && quote != '`' {
			i++
			continue
		}
		if quote == '`' && !isBalanced(rest[1:i]) {
			return notWellFormed("")
		}
		mark := string(quote)
		l.add(kind, i+1, strings.ReplaceAll(rest[1:i], mark+mark, mark))
		return nil
	}
	return notWellFormed("")
}

// isBalanced reports whether each bracket of an Ion literal is closed. Its syntax is not checked further.
func isBalanced(ion string) bool {
	return strings.Count(ion, "{") == strings.Count(ion, "}") && strings.Count(ion, "[") == strings.Count(ion, "]") &&
		strings.Count(ion, "(") == strings.Count(ion, ")")
}

// number adds a number: digits with an optional point, and an optional exponent.
func (l *lexer) number() error {
	rest := l.src[l.at:]
	n, point := 0, false
	for n < len(rest) && (isDigit(rest[n]) || rest[n] == '.' && !point) {
		point = point || rest[n] == '.'
		n++
	}
	if n < len(rest) && (rest[n] == 'e' || rest[n] == 'E') {
		n++
		if n < len(rest) && (rest[n] == '+' || rest[n] == '-') {
			n++
		}
		digits := n
		for n < len(rest) && isDigit(rest[n]) {
			n++
		}
		if n == digits {
			return notWellFormed("")
		}
	}
	if _, _, ok := decimalRange(rest[:n]); !ok {
		return notWellFormed("")
	}
	l.add(tokenNumber, n, rest[:n])
	return nil
}

// word adds a name or a keyword.
func (l *lexer) word() {
	rest := l.src[l.at:]
	n := 1
	for n < len(rest) && (isNameStart(rest[n]) || isDigit(rest[n])) {
		n++
	}
	if lower := strings.ToLower(rest[:n]); keywords()[lower] {
		l.add(tokenKeyword, n, lower)
		return
	}
	l.add(tokenName, n, rest[:n])
}

func isDigit(c byte) bool { return c-'0' <= 9 }

func isNameStart(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' }
