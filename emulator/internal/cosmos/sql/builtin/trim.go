package builtin

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// These functions trim white space or the string in the second argument: LTRIM and RTRIM remove it repeatedly, TRIM
// removes all of its characters, as in the examples of their pages ("-_-AdventureWorks-_-" loses "-_").
var trimFunctions = []Function{
	{"LTRIM", 1, 2, trimmed(strings.TrimLeft, trimPrefixes)},
	{"RTRIM", 1, 2, trimmed(strings.TrimRight, trimSuffixes)},
	{"TRIM", 1, 2, trimmed(strings.Trim, strings.Trim)},
}

const whiteSpace = " \t\n\v\f\r\u0085\u00a0"

func trimmed(white, given func(s, cut string) string) call {
	return func(_ *Env, args []doc.Value) doc.Value {
		if !all(doc.Text, args...) {
			return undefined
		}
		if len(args) == 1 {
			return doc.String(white(args[0].Str(), whiteSpace))
		}
		return doc.String(given(args[0].Str(), args[1].Str()))
	}
}

func trimPrefixes(s, prefix string) string {
	for prefix != "" && strings.HasPrefix(s, prefix) {
		s = s[len(prefix):]
	}
	return s
}

func trimSuffixes(s, suffix string) string {
	for suffix != "" && strings.HasSuffix(s, suffix) {
		s = s[:len(s)-len(suffix)]
	}
	return s
}
