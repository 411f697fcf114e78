package plan

import (
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// names are the properties that a select list makes: the alias, the name of the property, or $1, $2 and so on.
func names(items []ast.SelectItem) []string {
	all, unnamed := make([]string, len(items)), 0
	for i := range items {
		if all[i] = name(&items[i]); all[i] == "" {
			unnamed++
			all[i] = "$" + strconv.Itoa(unnamed)
		}
	}
	return all
}

func name(item *ast.SelectItem) string {
	if item.Alias != "" {
		return item.Alias
	}
	switch e := item.Expr.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.Member:
		return e.Name
	}
	return ""
}

// payload is what a query selects, as one expression.
func (b *builder) payload() ast.Expr {
	s := &b.Query.Select
	switch {
	case s.Star:
		return &ast.Ident{Name: b.root}
	case s.Value != nil:
		return s.Value
	}
	made := &ast.Object{}
	for i, name := range names(s.Items) {
		made.Properties = append(made.Properties, ast.Property{Name: name, Value: s.Items[i].Expr})
	}
	return made
}
