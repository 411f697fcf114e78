package naive

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// signature is a function with the usual kinds of its arguments and its result.
type signature struct {
	name   string
	result kind
	args   []kind
}

var signatures = []signature{
	{"IS_DEFINED", boolean, []kind{anything}}, {"IS_NULL", boolean, []kind{anything}},
	{"IS_BOOL", boolean, []kind{anything}},
	{"IS_NUMBER", boolean, []kind{anything}}, {"IS_STRING", boolean, []kind{anything}},
	{"IS_ARRAY", boolean, []kind{anything}},
	{"IS_OBJECT", boolean, []kind{anything}}, {"IS_PRIMITIVE", boolean, []kind{anything}},
	{"CONTAINS", boolean, []kind{text, text}}, {"STARTSWITH", boolean, []kind{text, text}},
	{"ENDSWITH", boolean, []kind{text, text, boolean}}, {"StringEquals", boolean, []kind{text, text}},
	{"ARRAY_CONTAINS", boolean, []kind{list, anything}}, {"ARRAY_CONTAINS", boolean, []kind{list, object, boolean}},
	{"ABS", numeric, []kind{numeric}}, {"CEILING", numeric, []kind{numeric}}, {"floor", numeric, []kind{numeric}},
	{"SQRT", numeric, []kind{numeric}}, {"ROUND", numeric, []kind{numeric}}, {"LENGTH", numeric, []kind{text}},
	{"INDEX_OF", numeric, []kind{text, text}}, {"ARRAY_LENGTH", numeric, []kind{list}},
	{"StringToNumber", numeric, []kind{text}},
	{"UPPER", text, []kind{text}}, {"Lower", text, []kind{text}}, {"CONCAT", text, []kind{text, text}},
	{"SUBSTRING", text, []kind{text, numeric, numeric}}, {"LEFT", text, []kind{text, numeric}},
	{"TRIM", text, []kind{text}},
	{"ToString", text, []kind{anything}}, {"REPLACE", text, []kind{text, text, text}},
	{"ARRAY_CONCAT", list, []kind{list, list}}, {"ARRAY_SLICE", list, []kind{list, numeric}},
	{"SetUnion", list, []kind{list, list}},
	{"ObjectToArray", list, []kind{object}},
}

func (g *Generator) function(k kind, depth int) ast.Expr {
	for {
		s := choose(g, signatures...)
		if s.result != k {
			continue
		}
		call := &ast.Call{Name: s.name}
		for _, a := range s.args {
			call.Args = append(call.Args, g.expr(a, depth-1))
		}
		return call
	}
}

func text1(s string) ast.Expr { return &ast.Literal{Value: doc.String(s)} }
