package sql

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// sortKind classifies an expression for ORDER BY.
type sortKind uint8

const (
	sortNot     sortKind = iota // not a path of a document
	sortPath                    // a path, possibly through the projection of a subquery
	sortElement                 // a path in an element of an IN source
	sortMade                    // an object constructed by a subquery, whose properties may be paths
)

// sortable classifies an expression of a query for ORDER BY.
func sortable(e ast.Expr, q *ast.Query) sortKind {
	if call, ok := e.(*ast.Call); ok && !call.UDF && scores[strings.ToUpper(call.Name)] {
		return sortPath
	}
	kind, _, _ := symbol(e, []*ast.Query{q})
	return kind
}

// symbol resolves an expression. scopes are the enclosing queries, innermost last. For sortMade it also returns the
// object and the scopes that contain it.
func symbol(e ast.Expr, scopes []*ast.Query) (sortKind, *ast.Object, []*ast.Query) {
	switch e := e.(type) {
	case *ast.Ident:
		return aliasSymbol(e.Name, scopes)
	case *ast.Member:
		kind, row, inner := symbol(e.Of, scopes)
		if kind != sortMade {
			return kind, nil, nil
		}
		for _, property := range row.Properties {
			if property.Name == e.Name {
				return symbol(property.Value, inner)
			}
		}
	case *ast.Index:
		if kind, _, _ := symbol(e.Of, scopes); kind != sortMade {
			return kind, nil, nil
		}
	case *ast.Object:
		return sortMade, e, scopes
	}
	return sortNot, nil, nil
}

// aliasSymbol resolves an alias. An unknown name is the container.
func aliasSymbol(name string, scopes []*ast.Query) (sortKind, *ast.Object, []*ast.Query) {
	for ; len(scopes) > 0; scopes = scopes[:len(scopes)-1] {
		if from := scopes[len(scopes)-1].From; from != nil {
			if i := sourceOf(name, from.Sources); i >= 0 {
				return sourceSymbol(from.Sources[:i+1], scopes)
			}
		}
	}
	return sortPath, nil, nil
}

func sourceOf(name string, sources []ast.Source) int {
	return slices.IndexFunc(sources, func(s ast.Source) bool { return aliasOf(&s) == name })
}

// sourceSymbol resolves the last of sources. Its first name is that of a previous source or of an enclosing query.
func sourceSymbol(sources []ast.Source, scopes []*ast.Query) (sortKind, *ast.Object, []*ast.Query) {
	last := len(sources) - 1
	s := &sources[last]
	if s.In {
		return sortElement, nil, nil
	}
	if s.Query != nil { // it sees only the sources before it: its names may be the same as its alias
		around := *scopes[len(scopes)-1]
		around.From = &ast.From{Sources: sources[:last]}
		return rowSymbol(append(slices.Clone(scopes[:len(scopes)-1]), &around, s.Query))
	}
	if i := sourceOf(s.Root, sources[:last]); i >= 0 {
		return sourceSymbol(sources[:i+1], scopes)
	}
	return aliasSymbol(s.Root, scopes[:len(scopes)-1])
}

// rowSymbol resolves what the innermost query selects.
func rowSymbol(scopes []*ast.Query) (sortKind, *ast.Object, []*ast.Query) {
	q := scopes[len(scopes)-1]
	switch {
	case len(q.GroupBy) > 0 || selectsAggregate(&q.Select):
		return sortNot, nil, nil
	case q.Select.Star && q.From != nil:
		return aliasSymbol(aliasOf(&q.From.Sources[0]), scopes)
	case q.Select.Value != nil:
		return symbol(q.Select.Value, scopes)
	}
	row := &ast.Object{}
	unnamed := 0
	for i := range q.Select.Items {
		row.Properties = append(row.Properties, ast.Property{Name: ItemName(&q.Select.Items[i], &unnamed),
			Value: q.Select.Items[i].Expr})
	}
	return sortMade, row, scopes
}

// checkOrder rejects items that no index can provide in order. The service does so only if there are no other errors.
func (c *compiler) checkOrder(q *ast.Query) {
	if q.OrderBy == nil || q.OrderBy.Rank || len(q.GroupBy) == 0 && selectsAggregate(&q.Select) {
		return
	}
	var element *ast.OrderItem
	for i := range q.OrderBy.Items {
		item := &q.OrderBy.Items[i]
		switch sortable(item.Expr, q) {
		case sortNot, sortMade:
			c.fail(faultOrderBy.at(item.Span))
			return
		case sortElement:
			element = item
		}
	}
	if element != nil { // an item that is not a path takes precedence
		c.fail(faultCorrelated.at(element.Span))
	}
}

// isName reports whether an expression is allowed in brackets: a literal or a parameter.
func isName(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Param:
		return true
	case *ast.Literal:
		return e.Value.Kind() == doc.Numeric || e.Value.Kind() == doc.Text
	}
	return false
}
