package builtin

import (
	"math"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// The STRINGTO functions parse JSON, which may be surrounded by white space. The result is undefined for invalid JSON
// or a value of another type.
var conversions = []Function{
	{"STRINGTOARRAY", 1, 1, parsed(doc.List)},
	{"STRINGTOBOOLEAN", 1, 1, parsed(doc.Boolean)},
	{"STRINGTONULL", 1, 1, parsed(doc.Null)},
	{"STRINGTONUMBER", 1, 1, parsed(doc.Numeric)},
	{"STRINGTOOBJECT", 1, 1, parsed(doc.Map)},
	{"TOSTRING", 1, 1, toString},
}

func parsed(kind doc.Kind) call {
	return func(env *Env, args []doc.Value) doc.Value {
		if !all(doc.Text, args...) {
			return undefined
		}
		s := args[0].Str()
		if !env.step(2*len(s)) || !env.grow(len(s)*parsedBytes) {
			return undefined
		}
		v, err := doc.Parse([]byte(s))
		if err != nil || v.Kind() != kind {
			return undefined
		}
		return v
	}
}

// parsedBytes is the approximate memory of a value per byte of its JSON, which may consist only of brackets and commas.
const parsedBytes = valueBytes / 2

func toString(env *Env, args []doc.Value) doc.Value {
	switch v := args[0]; v.Kind() {
	case doc.Undefined, doc.Text:
		return v
	case doc.Numeric:
		return doc.String(numberText(v))
	default:
		if !env.weigh(args) {
			return undefined
		}
		text := v.JSON()
		if len(text) > maxText {
			return undefined
		}
		return doc.String(strings.ToValidUTF8(text, "\ufffd"))
	}
}

// numberText returns a number as JSON, or the JavaScript name of one that is not finite.
func numberText(v doc.Value) string {
	switch n := v.Float(); {
	case math.IsNaN(n):
		return "NaN"
	case math.IsInf(n, 1):
		return "Infinity"
	case math.IsInf(n, -1):
		return "-Infinity"
	}
	return v.JSON()
}
