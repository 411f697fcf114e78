package builtin

import (
	"strings"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

var substringFunctions = []Function{
	{"LASTSUBSTRINGAFTER", 2, 2, text2(func(s, by string) doc.Value { return after(s, by, strings.LastIndex(s, by)) })},
	{"LASTSUBSTRINGBEFORE", 2, 2, text2(func(s, by string) doc.Value { return before(s, strings.LastIndex(s, by)) })},
	{"LEFT", 2, 2, left},
	{"RIGHT", 2, 2, right},
	{"SUBSTRING", 3, 3, substring},
	{"SUBSTRINGAFTER", 2, 2, text2(func(s, by string) doc.Value { return after(s, by, strings.Index(s, by)) })},
	{"SUBSTRINGBEFORE", 2, 2, text2(func(s, by string) doc.Value { return before(s, strings.Index(s, by)) })},
}

// after and before return undefined if the delimiter does not occur: the documentation of these functions does not say.
func after(s, by string, at int) doc.Value {
	if at < 0 {
		return undefined
	}
	return doc.String(s[at+len(by):])
}

func before(s string, at int) doc.Value {
	if at < 0 {
		return undefined
	}
	return doc.String(s[:at])
}

// offset returns the byte offset of the character at n in s; the length of s if s has fewer characters.
func offset(s string, n int) int {
	if n >= len(s) {
		return len(s)
	}
	at := 0
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

// left is LEFT. In LEFT, RIGHT and SUBSTRING, a negative length yields the empty string, as does a negative position in
// SUBSTRING. A number that is not an integer yields undefined. Microsoft's own model of the language does the same.
func left(_ *Env, args []doc.Value) doc.Value {
	n, ok := position(args[1])
	if !ok || args[0].Kind() != doc.Text {
		return undefined
	}
	s := args[0].Str()
	return doc.String(s[:offset(s, n)])
}

func right(_ *Env, args []doc.Value) doc.Value {
	n, ok := position(args[1])
	if !ok || args[0].Kind() != doc.Text {
		return undefined
	}
	s := args[0].Str()
	return doc.String(s[offset(s, max(0, utf8.RuneCountInString(s)-max(0, n))):])
}

// substring returns a number of characters from a position, which counts from 0.
func substring(_ *Env, args []doc.Value) doc.Value {
	from, first := position(args[1])
	n, second := position(args[2])
	if !first || !second || args[0].Kind() != doc.Text {
		return undefined
	}
	if from < 0 {
		return doc.String("")
	}
	s := args[0].Str()
	s = s[offset(s, from):]
	return doc.String(s[:offset(s, n)])
}
