package builtin

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

var splitFunctions = []Function{
	{"STRINGJOIN", 2, 2, stringJoin},
	{"STRINGSPLIT", 2, 2, stringSplit},
}

func stringJoin(_ *Env, args []doc.Value) doc.Value {
	parts := args[0].Elements()
	if args[0].Kind() != doc.List || args[1].Kind() != doc.Text || !all(doc.Text, parts...) {
		return undefined
	}
	size := len(args[1].Str()) * len(parts)
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Str()
		size += len(texts[i])
	}
	if size > maxText {
		return undefined
	}
	return doc.String(strings.Join(texts, args[1].Str()))
}

// splitSteps is the number of steps for each part.
const splitSteps = 4

// stringSplit does not split if the delimiter is empty.
func stringSplit(env *Env, args []doc.Value) doc.Value {
	if !all(doc.Text, args...) {
		return undefined
	}
	s, by := args[0].Str(), args[1].Str()
	if by == "" {
		return doc.Array(doc.String(s))
	}
	if n := 1 + strings.Count(s, by); !env.step(splitSteps*n) || !env.grow(n*(valueBytes+16)) {
		return undefined
	}
	texts := strings.Split(s, by)
	parts := make([]doc.Value, len(texts))
	for i, t := range texts {
		parts[i] = doc.String(t)
	}
	return doc.Array(parts...)
}
