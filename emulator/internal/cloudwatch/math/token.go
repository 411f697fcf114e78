package math

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// kind is the kind of a token.
type kind int

const (
	end kind = iota
	number
	name
	text
	operator // its text is the operator
)

type token struct {
	kind  kind
	text  string
	value float64 // of a number
	at    int     // offset in bytes
}

// MaxLength is the length in bytes of the longest expression.
const MaxLength = 2048

// scan splits an expression into tokens; the last one is the end.
func scan(source string) ([]token, error) {
	if len(source) > MaxLength {
		return nil, fmt.Errorf("it is longer than %d bytes", MaxLength)
	}
	if !utf8.ValidString(source) {
		return nil, fmt.Errorf("it is not UTF-8")
	}
	var tokens []token
	for at := 0; at < len(source); {
		rest := source[at:]
		if c := rest[0]; c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			at++
			continue
		}
		t, err := next(rest)
		if err != nil {
			return nil, fmt.Errorf("%w at position %d", err, at+1)
		}
		t.at = at
		if t.kind == text {
			at += 2 // its quotes
		}
		at += len(t.text)
		tokens = append(tokens, t)
	}
	return append(tokens, token{kind: end, at: len(source)}), nil
}

// next returns the first token of a text.
func next(rest string) (token, error) {
	switch c := rest[0]; {
	case c >= '0' && c <= '9' || c == '.':
		return scanNumber(rest)
	case isLetter(c):
		n := 1
		for n < len(rest) && (isLetter(rest[n]) || rest[n] >= '0' && rest[n] <= '9') {
			n++
		}
		return token{kind: name, text: rest[:n]}, nil
	case c == '"' || c == '\'':
		n := strings.IndexByte(rest[1:], c)
		if n < 0 {
			return token{}, fmt.Errorf("a text without its closing quote begins")
		}
		return token{kind: text, text: rest[1 : 1+n]}, nil
	}
	for _, op := range []string{"<=", ">=", "==", "!=", "&&", "||", "<", ">", "+", "-", "*", "/", "^", "(", ")",
		",", "[", "]"} {
		if strings.HasPrefix(rest, op) {
			return token{kind: operator, text: op}, nil
		}
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return token{}, fmt.Errorf("unexpected %q", r)
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

func scanNumber(rest string) (token, error) {
	n := strings.IndexFunc(rest, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if n < 0 {
		n = len(rest)
	}
	if exponent := strings.TrimLeft(rest[n:], "eE"); len(exponent) == len(rest)-n-1 {
		digits := strings.TrimLeft(exponent, "+-")
		if m := len(digits) - len(strings.TrimLeft(digits, "0123456789")); m > 0 && len(exponent)-len(digits) <= 1 {
			n += 1 + len(exponent) - len(digits) + m
		}
	}
	value, err := strconv.ParseFloat(rest[:n], 64)
	if err != nil {
		return token{}, fmt.Errorf("%q is not a number", rest[:n])
	}
	return token{kind: number, text: rest[:n], value: value}, nil
}
