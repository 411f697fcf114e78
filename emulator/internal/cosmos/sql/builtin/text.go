package builtin

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// maxText is the maximum length of a string that a function creates, in bytes: more than a document can contain (2 MB),
// and a limit for nested calls. Beyond it the result is undefined; the service documents no limit.
const maxText = 4 << 20

// maxReplicated is the maximum number of characters that REPLICATE creates ("REPLICATE", remarks).
const maxReplicated = 10_000

var stringFunctions = []Function{
	{"CONCAT", 2, -1, concat},
	{"LENGTH", 1, 1, text1(func(s string) doc.Value { return doc.Number(float64(utf8.RuneCountInString(s))) })},
	{"LOWER", 1, 1, text1(func(s string) doc.Value { return doc.String(strings.ToLower(s)) })},
	{"REPLACE", 3, 3, replace},
	{"REPLICATE", 2, 2, replicate},
	{"REVERSE", 1, 1, text1(reverse)},
	{"UPPER", 1, 1, text1(func(s string) doc.Value { return doc.String(strings.ToUpper(s)) })},
}

func concat(_ *Env, args []doc.Value) doc.Value {
	if !all(doc.Text, args...) {
		return undefined
	}
	size := 0
	for _, a := range args {
		if size += len(a.Str()); size > maxText {
			return undefined
		}
	}
	var b strings.Builder
	b.Grow(size)
	for _, a := range args {
		b.WriteString(a.Str())
	}
	return doc.String(b.String())
}

func replace(env *Env, args []doc.Value) doc.Value {
	if !all(doc.Text, args...) {
		return undefined
	}
	s, from, to := args[0].Str(), args[1].Str(), args[2].Str()
	if from == "" { // undefined, as in Microsoft's own model of the language
		return undefined
	}
	n := strings.Count(s, from)
	if len(s)+n*(len(to)-len(from)) > maxText || !env.step(n) {
		return undefined
	}
	return doc.String(strings.ReplaceAll(s, from, to))
}

func replicate(_ *Env, args []doc.Value) doc.Value {
	times, ok := position(doc.Number(math.Trunc(args[1].Float())))
	if !ok || times < 0 || !isFinite(args[1]) || args[0].Kind() != doc.Text {
		return undefined
	}
	s := args[0].Str()
	if s == "" {
		return args[0]
	}
	if times > maxReplicated || utf8.RuneCountInString(s)*times > maxReplicated {
		return undefined
	}
	return doc.String(strings.Repeat(s, times))
}

func reverse(s string) doc.Value {
	out := make([]byte, 0, len(s))
	for len(s) > 0 {
		r, size := utf8.DecodeLastRuneInString(s)
		out = utf8.AppendRune(out, r)
		s = s[:len(s)-size]
	}
	return doc.String(string(out))
}
