package builtin

import (
	"strings"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

var searchFunctions = []Function{
	{"CONTAINS", 2, 3, compared(strings.Contains)},
	{"CONTAINS_ALL_CI", 2, -1, containsAll(true)},
	{"CONTAINS_ALL_CS", 2, -1, containsAll(false)},
	{"CONTAINS_ANY_CI", 2, -1, containsAny(true)},
	{"CONTAINS_ANY_CS", 2, -1, containsAny(false)},
	{"ENDSWITH", 2, 3, compared(strings.HasSuffix)},
	{"INDEX_OF", 2, 3, indexOf},
	{"LASTINDEXOF", 2, 3, lastIndexOf},
	{"REGEXMATCH", 2, 3, regexMatch},
	{"STARTSWITH", 2, 3, compared(strings.HasPrefix)},
	{"STRINGEQUALS", 2, 3, compared(func(a, b string) bool { return a == b })},
}

// compared returns a function of two strings and an optional flag to ignore case.
func compared(f func(a, b string) bool) call {
	return func(_ *Env, args []doc.Value) doc.Value {
		ignoreCase, ok := flag(args, 2)
		if !ok || !all(doc.Text, args[:2]...) {
			return undefined
		}
		a, b := args[0].Str(), args[1].Str()
		if ignoreCase {
			a, b = strings.ToLower(a), strings.ToLower(b)
		}
		return doc.Bool(f(a, b))
	}
}

// containsEach returns CONTAINS of each string searched for, combined by AND or OR: an undefined result does not matter
// if another decides.
func containsEach(ignoreCase bool, settled bool) call {
	contains := compared(strings.Contains)
	return func(env *Env, args []doc.Value) doc.Value {
		result := doc.Bool(!settled)
		if !env.step(product(len(args), len(args[0].Str())/bytesPerStep)) {
			return undefined
		}
		for _, a := range args[1:] {
			found := contains(env, []doc.Value{args[0], a, doc.Bool(ignoreCase)})
			switch {
			case !found.Defined():
				result = undefined
			case found.IsTrue() == settled:
				return found
			}
		}
		return result
	}
}

func containsAll(ignoreCase bool) call { return containsEach(ignoreCase, false) }
func containsAny(ignoreCase bool) call { return containsEach(ignoreCase, true) }

// characters converts a byte offset in s to a number of characters; -1 stays -1.
func characters(s string, at int) doc.Value {
	if at < 0 {
		return doc.Number(-1)
	}
	return doc.Number(float64(utf8.RuneCountInString(s[:at])))
}

// indexOf searches from a position, by default 0. A negative position means the beginning.
func indexOf(_ *Env, args []doc.Value) doc.Value {
	if !all(doc.Text, args[:2]...) {
		return undefined
	}
	s, from := args[0].Str(), 0
	if len(args) == 3 {
		n, ok := position(args[2])
		if !ok {
			return undefined
		}
		from = offset(s, max(0, n))
	}
	at := strings.Index(s[from:], args[1].Str())
	if at >= 0 {
		at += from
	}
	return characters(s, at)
}

// lastIndexOf searches backwards. A match must end at or before a position, by default the end.
func lastIndexOf(_ *Env, args []doc.Value) doc.Value {
	if !all(doc.Text, args[:2]...) {
		return undefined
	}
	s, end := args[0].Str(), len(args[0].Str())
	if len(args) == 3 {
		n, ok := position(args[2])
		if !ok {
			return undefined
		}
		end = offset(s, max(0, n+1))
	}
	return characters(s, strings.LastIndex(s[:end], args[1].Str()))
}
