package naive

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// call evaluates a function of this package, an aggregate over the group, a function of package builtin, or a
// user-defined function.
func (w *World) call(e *ast.Call, g group) doc.Value {
	if e.UDF {
		v, err := w.UDF(e.Name, w.all(e.Args, g))
		if err != nil {
			panic(err)
		}
		return v
	}
	name := strings.ToUpper(e.Name)
	if f, ok := aggregateFunctions[name]; ok {
		values := make([]doc.Value, 0, len(g))
		for _, row := range g {
			if v := w.eval(e.Args[0], group{row}); v.Defined() {
				values = append(values, v)
			}
		}
		return f(values)
	}
	args := w.all(e.Args, g)
	if f, ok := functions[name]; ok {
		return f(args)
	}
	f, ok := builtin.Lookup(name)
	if !ok {
		panic(fmt.Errorf("the function %s does not exist", e.Name))
	}
	return f.Call(&w.Env, args)
}

// functions are independent implementations of some system functions.
var functions = map[string]func(args []doc.Value) doc.Value{
	"ABS":            number(math.Abs),
	"CEILING":        number(math.Ceil),
	"FLOOR":          number(math.Floor),
	"SQRT":           number(math.Sqrt),
	"LENGTH":         texts(func(s ...string) doc.Value { return doc.Number(float64(utf8.RuneCountInString(s[0]))) }),
	"LOWER":          texts(func(s ...string) doc.Value { return doc.String(strings.ToLower(s[0])) }),
	"UPPER":          texts(func(s ...string) doc.Value { return doc.String(strings.ToUpper(s[0])) }),
	"CONCAT":         texts(func(s ...string) doc.Value { return doc.String(strings.Join(s, "")) }),
	"CONTAINS":       search(strings.Contains),
	"STARTSWITH":     search(strings.HasPrefix),
	"ENDSWITH":       search(strings.HasSuffix),
	"IS_DEFINED":     is(doc.Null, doc.Boolean, doc.Numeric, doc.Text, doc.List, doc.Map),
	"IS_NULL":        is(doc.Null),
	"IS_BOOL":        is(doc.Boolean),
	"IS_NUMBER":      is(doc.Numeric),
	"IS_STRING":      is(doc.Text),
	"IS_ARRAY":       is(doc.List),
	"IS_OBJECT":      is(doc.Map),
	"IS_PRIMITIVE":   is(doc.Null, doc.Boolean, doc.Numeric, doc.Text),
	"ARRAY_LENGTH":   arrayLength,
	"ARRAY_CONTAINS": arrayContains,
	"IIF":            iif,
}

func number(f func(float64) float64) func([]doc.Value) doc.Value {
	return func(args []doc.Value) doc.Value {
		if args[0].Kind() != doc.Numeric {
			return undefined
		}
		return doc.Number(f(args[0].Float()))
	}
}

func texts(f func(...string) doc.Value) func([]doc.Value) doc.Value {
	return func(args []doc.Value) doc.Value {
		all := make([]string, len(args))
		for i, a := range args {
			if a.Kind() != doc.Text {
				return undefined
			}
			all[i] = a.Str()
		}
		return f(all...)
	}
}

// search returns a function of two strings and an optional flag to ignore case.
func search(f func(s, part string) bool) func([]doc.Value) doc.Value {
	return func(args []doc.Value) doc.Value {
		if args[0].Kind() != doc.Text || args[1].Kind() != doc.Text || !isFlag(args) {
			return undefined
		}
		if len(args) == 3 && args[2].IsTrue() {
			return doc.Bool(f(strings.ToLower(args[0].Str()), strings.ToLower(args[1].Str())))
		}
		return doc.Bool(f(args[0].Str(), args[1].Str()))
	}
}

// isFlag reports whether a third argument is a boolean, undefined or missing.
func isFlag(args []doc.Value) bool {
	return len(args) < 3 || !args[2].Defined() || args[2].Kind() == doc.Boolean
}

func is(kinds ...doc.Kind) func([]doc.Value) doc.Value {
	return func(args []doc.Value) doc.Value {
		for _, k := range kinds {
			if args[0].Kind() == k {
				return doc.Bool(true)
			}
		}
		return doc.Bool(false)
	}
}

func arrayLength(args []doc.Value) doc.Value {
	if args[0].Kind() != doc.List {
		return undefined
	}
	return doc.Number(float64(len(args[0].Elements())))
}

func arrayContains(args []doc.Value) doc.Value {
	if args[0].Kind() != doc.List || !args[1].Defined() || !isFlag(args) {
		return undefined
	}
	partial := len(args) == 3 && args[2].IsTrue()
	for _, e := range args[0].Elements() {
		if same(e, args[1]) || partial && args[1].Kind() == doc.Map && e.Kind() == doc.Map && subset(args[1], e) {
			return doc.Bool(true)
		}
	}
	return doc.Bool(false)
}

func subset(part, whole doc.Value) bool {
	for _, m := range part.Members() {
		if !same(m.Value, whole.Field(m.Name)) {
			return false
		}
	}
	return true
}

func iif(args []doc.Value) doc.Value {
	if args[0].Kind() == doc.Boolean && args[0].IsTrue() {
		return args[1]
	}
	return args[2]
}
