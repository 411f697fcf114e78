package condition

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// token is a part of a condition.
type token struct {
	kind tokenKind
	text string // of a text or name: without quotes
}

type tokenKind int

const (
	wordToken   tokenKind = iota // a name or keyword
	nameToken                    // a name in backquotes
	textToken                    // a value in quotes
	numberToken                  // a value
	symbolToken                  // an operator or a bracket
)

var errUnclosed = errors.New("a quote is not closed")

// tokenize splits a condition. Errors: a quote that is not closed, and characters that no condition has.
func tokenize(text string) (tokens []token, err error) {
	for rest := text; ; {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if rest == "" {
			return tokens, nil
		}
		var t token
		if t, rest, err = firstToken(rest); err != nil {
			return nil, fmt.Errorf("%q: %w", text, err)
		}
		tokens = append(tokens, t)
	}
}

func firstToken(text string) (t token, rest string, err error) {
	switch c := text[0]; {
	case c == '"' || c == '\'':
		return quoted(text, textToken)
	case c == '`':
		return quoted(text, nameToken)
	case isDigit(c), c == '-' && len(text) > 1 && isDigit(text[1]):
		n := 1 + spanOf(text[1:], func(r rune) bool { return r == '.' || r >= '0' && r <= '9' })
		if exponent := text[n:]; len(exponent) > 1 && (exponent[0] == 'e' || exponent[0] == 'E') {
			n += 2 + spanOf(exponent[2:], func(r rune) bool { return r >= '0' && r <= '9' })
		}
		return token{numberToken, text[:n]}, text[n:], nil
	case strings.HasPrefix(text, "<>"), strings.HasPrefix(text, "<="), strings.HasPrefix(text, ">="):
		return token{symbolToken, text[:2]}, text[2:], nil
	case strings.IndexByte("=<>(),.[]", c) >= 0:
		return token{symbolToken, text[:1]}, text[1:], nil
	}
	n := spanOf(text, func(r rune) bool { return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) })
	if n == 0 {
		return t, "", fmt.Errorf("unexpected %q: put names in backquotes and texts in quotes", text[:1])
	}
	return token{wordToken, text[:n]}, text[n:], nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// spanOf returns the length of the longest beginning with only such characters, in bytes.
func spanOf(text string, is func(rune) bool) int {
	if n := strings.IndexFunc(text, func(r rune) bool { return !is(r) }); n >= 0 {
		return n
	}
	return len(text)
}

// quoted reads a text in quotes; a backslash precedes a quote or a backslash in it.
func quoted(text string, kind tokenKind) (token, string, error) {
	var content strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == text[0]:
			return token{kind, content.String()}, text[i+1:], nil
		case text[i] == '\\' && i+1 < len(text) && (text[i+1] == text[0] || text[i+1] == '\\'):
			i++
		}
		content.WriteByte(text[i])
	}
	return token{}, "", errUnclosed
}
