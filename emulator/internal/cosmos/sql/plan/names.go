package plan

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// names returns the property names of a select list.
func names(items []ast.SelectItem) []string {
	all, unnamed := make([]string, len(items)), 0
	for i := range items {
		all[i] = sql.ItemName(&items[i], &unnamed)
	}
	return all
}

// payload returns the SELECT clause as a single expression.
func (b *builder) payload() ast.Expr {
	s := &b.Query.Select
	switch {
	case s.Star:
		return &ast.Ident{Name: b.root}
	case s.Value != nil:
		return s.Value
	}
	object := &ast.Object{}
	for i, name := range names(s.Items) {
		object.Properties = append(object.Properties, ast.Property{Name: name, Value: s.Items[i].Expr})
	}
	return object
}
