package sql

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// sortKind says what ORDER BY makes of an expression.
type sortKind uint8

const (
	sortNot     sortKind = iota // it is no path of a document
	sortPath                    // it is one, also through the projection of a subquery
	sortElement                 // it is of an element that IN stands before
	sortMade                    // it is an object that a subquery makes, whose properties may be paths
)

// sortable is what ORDER BY makes of an expression of a query.
func sortable(e ast.Expr, q *ast.Query) sortKind {
	if call, ok := e.(*ast.Call); ok && !call.UDF && scores[strings.ToUpper(call.Name)] {
		return sortPath
	}
	kind, _, _ := symbol(e, []*ast.Query{q})
	return kind
}

// symbol follows an expression to what it is of; scopes are the queries around it, the innermost last. Of sortMade it
// also answers the object, and the scopes that this stands in.
func symbol(e ast.Expr, scopes []*ast.Query) (sortKind, *ast.Object, []*ast.Query) {
	switch e := e.(type) {
	case *ast.Ident:
		return aliasSymbol(e.Name, scopes)
	case *ast.Member:
		kind, made, inner := symbol(e.Of, scopes)
		if kind != sortMade {
			return kind, nil, nil
		}
		for _, property := range made.Properties {
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

// aliasSymbol follows an alias; what is none is the container.
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

// sourceSymbol follows the last of sources; the name that it begins with is one of those before it, or of the queries
// around.
func sourceSymbol(sources []ast.Source, scopes []*ast.Query) (sortKind, *ast.Object, []*ast.Query) {
	last := len(sources) - 1
	s := &sources[last]
	if s.In {
		return sortElement, nil, nil
	}
	if s.Query != nil {
		return rowSymbol(append(scopes[:len(scopes):len(scopes)], s.Query))
	}
	if i := sourceOf(s.Root, sources[:last]); i >= 0 {
		return sourceSymbol(sources[:i+1], scopes)
	}
	return aliasSymbol(s.Root, scopes[:len(scopes)-1])
}

// rowSymbol follows what the innermost query selects.
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
	made := &ast.Object{}
	unnamed := 0
	for i := range q.Select.Items {
		made.Properties = append(made.Properties, ast.Property{Name: ItemName(&q.Select.Items[i], &unnamed), Value: q.Select.Items[i].Expr})
	}
	return sortMade, made, scopes
}

// checkOrder refuses items that no index could have in order. The service does so once all else is right.
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
	if element != nil { // of several items, one that is no path is told first
		c.fail(faultCorrelated.at(element.Span))
	}
}

// isName says that an expression in brackets is one that the service takes there: a literal or a parameter.
func isName(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Param:
		return true
	case *ast.Literal:
		return e.Value.Kind() == doc.Numeric || e.Value.Kind() == doc.Text
	}
	return false
}
