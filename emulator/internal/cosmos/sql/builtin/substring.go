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

// A delimiter that is not there makes the result undefined: a choice of ours, the pages of these functions do not say.
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

// offset is where in s its character at n begins; the end of s where it has no such character.
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

// A negative length, and of SUBSTRING a negative position, leaves nothing; one that is not whole is refused. That is
// what Microsoft's own model of the language does.
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

// substring takes from a position, from 0, a number of characters.
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
