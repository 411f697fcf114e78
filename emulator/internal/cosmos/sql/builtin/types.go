package builtin

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

var typeChecks = []Function{
	check("IS_ARRAY", func(v doc.Value) bool { return v.Kind() == doc.List }),
	check("IS_BOOL", func(v doc.Value) bool { return v.Kind() == doc.Boolean }),
	// IS_BOOLEAN is not documented; the .NET SDK writes it into the filters with which it resumes an ORDER BY.
	check("IS_BOOLEAN", func(v doc.Value) bool { return v.Kind() == doc.Boolean }),
	check("IS_DATETIME", isDateTime),
	check("IS_DEFINED", doc.Value.Defined),
	check("IS_FINITE_NUMBER", isFinite),
	check("IS_INTEGER", isInteger),
	check("IS_NULL", func(v doc.Value) bool { return v.Kind() == doc.Null }),
	check("IS_NUMBER", func(v doc.Value) bool { return v.Kind() == doc.Numeric }),
	check("IS_OBJECT", func(v doc.Value) bool { return v.Kind() == doc.Map }),
	check("IS_PRIMITIVE", isPrimitive),
	check("IS_STRING", func(v doc.Value) bool { return v.Kind() == doc.Text }),
}

// check returns a function that is true or false for any value, including undefined.
func check(name string, f func(doc.Value) bool) Function {
	return Function{name, 1, 1, func(_ *Env, args []doc.Value) doc.Value { return doc.Bool(f(args[0])) }}
}

func isPrimitive(v doc.Value) bool {
	switch v.Kind() {
	case doc.Null, doc.Boolean, doc.Numeric, doc.Text:
		return true
	}
	return false
}
