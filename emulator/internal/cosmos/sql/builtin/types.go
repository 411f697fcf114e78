package builtin

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

var typeChecks = []Function{
	typeCheck("IS_ARRAY", func(v doc.Value) bool { return v.Kind() == doc.List }),
	typeCheck("IS_BOOL", func(v doc.Value) bool { return v.Kind() == doc.Boolean }),
	// IS_BOOLEAN is not documented; the .NET SDK writes it into the filters with which it resumes an ORDER BY.
	typeCheck("IS_BOOLEAN", func(v doc.Value) bool { return v.Kind() == doc.Boolean }),
	typeCheck("IS_DATETIME", isDateTime),
	typeCheck("IS_DEFINED", doc.Value.Defined),
	typeCheck("IS_FINITE_NUMBER", isFinite),
	typeCheck("IS_INTEGER", isInteger),
	typeCheck("IS_NULL", func(v doc.Value) bool { return v.Kind() == doc.Null }),
	typeCheck("IS_NUMBER", func(v doc.Value) bool { return v.Kind() == doc.Numeric }),
	typeCheck("IS_OBJECT", func(v doc.Value) bool { return v.Kind() == doc.Map }),
	typeCheck("IS_PRIMITIVE", isPrimitive),
	typeCheck("IS_STRING", func(v doc.Value) bool { return v.Kind() == doc.Text }),
}

// typeCheck returns a function that is true or false for any value, including undefined.
func typeCheck(name string, f func(doc.Value) bool) Function {
	return Function{name, 1, 1, func(_ *Env, args []doc.Value) doc.Value { return doc.Bool(f(args[0])) }}
}

func isPrimitive(v doc.Value) bool {
	switch v.Kind() {
	case doc.Null, doc.Boolean, doc.Numeric, doc.Text:
		return true
	}
	return false
}
