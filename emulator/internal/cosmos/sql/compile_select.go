package sql

import (
	"maps"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// projection compiles the SELECT clause, which is evaluated per row or per group.
func (c *compiler) projection(b *block, q *ast.Query) eval {
	var project eval
	switch {
	case q.Select.Star && len(b.sources) == 1:
		project = slotValue(b.sources[0].slot)
	case q.Select.Star:
		project = constantValue(doc.Value{})
	case q.Select.Value != nil:
		project = c.bounded(q.Select.Value)
	default:
		project = limitRow(c.list(q.Select.Items))
	}
	if c.scope.group != nil {
		b.aggs = c.scope.group.aggs
		c.scope.group = nil
	}
	if q.Select.Distinct {
		return normalizeUndefined(project)
	}
	return project
}

// list compiles a select list to an object.
func (c *compiler) list(items []ast.SelectItem) eval {
	members := make([]objectMember, len(items))
	seen := map[string]bool{}
	unnamed := 0
	for i := range items {
		name := ItemName(&items[i], &unnamed)
		if seen[name] {
			c.fail(faultPropertyTwice.at(ast.Span{Start: items[i].End - len(name), End: items[i].End}, name))
		}
		seen[name] = true
		members[i] = objectMember{name, c.expr(items[i].Expr)}
	}
	return makeObject(members)
}

// ItemName returns the property name of an item of a select list: its alias, the last name of its path, or $1, $2 and
// so on; unnamed counts those.
func ItemName(item *ast.SelectItem, unnamed *int) string {
	if item.Alias != "" {
		return item.Alias
	}
	switch e := item.Expr.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.Member:
		return e.Name
	}
	*unnamed++
	return "$" + strconv.Itoa(*unnamed)
}

type objectMember struct {
	name  string
	value eval
}

func makeObject(members []objectMember) eval {
	return func(f *frame) doc.Value {
		if !f.grow(memberBytes * len(members)) {
			return doc.Value{}
		}
		values := make([]doc.Member, 0, len(members))
		for i := range members {
			if v := members[i].value(f); v.Defined() {
				values = append(values, doc.Member{Name: members[i].name, Value: v})
			}
		}
		return doc.Object(values...)
	}
}

// arrange decides the order of rows without ORDER BY, and whether equal rows are adjacent.
func (c *compiler) arrange(b *block, q *ast.Query) {
	if len(b.sources) != 1 || b.sources[0].sub != nil {
		return
	}
	switch {
	case b.rank != nil:
	case len(b.order) > 0:
		b.adjacent = b.distinct && selectsOnly(&q.Select, q.OrderBy.Items)
	case len(b.keys) > 0:
		b.byValue = len(b.keys) == 1 && isPath(q.GroupBy[0])
	case b.distinct && !b.grouped:
		if e := onlyPath(&q.Select); e != nil {
			b.byValue = true
			b.adjacent = true
			b.order = []sortKey{{value: c.expr(e)}}
		}
	}
}

// onlyPath returns the path that a query selects, or nil if it selects anything else.
func onlyPath(s *ast.Select) ast.Expr {
	e := s.Value
	if len(s.Items) == 1 {
		e = s.Items[0].Expr
	}
	if e == nil || !isPath(e) {
		return nil
	}
	return e
}

// isPath reports whether an expression is a property of an alias.
func isPath(e ast.Expr) bool {
	m, ok := e.(*ast.Member)
	for ok {
		if _, root := m.Of.(*ast.Ident); root {
			return true
		}
		m, ok = m.Of.(*ast.Member)
	}
	return false
}

// selectsOnly reports whether the select list and ORDER BY contain the same expressions. Then equal rows are
// consecutive, and a position in the order is after all of them or none.
func selectsOnly(s *ast.Select, items []ast.OrderItem) bool {
	selected := map[string]bool{}
	if s.Value != nil {
		selected[ast.Key(s.Value)] = true
	}
	for i := range s.Items {
		selected[ast.Key(s.Items[i].Expr)] = true
	}
	ordered := map[string]bool{}
	for i := range items {
		ordered[ast.Key(items[i].Expr)] = true
	}
	return maps.Equal(selected, ordered)
}

// maxRowBytes is the maximum size of a constructed row, in bytes of JSON: the service documents no limit. A subquery
// can double a value at each level, and a list can contain a large one thousands of times.
const maxRowBytes = 32 << 20

// bounded compiles an expression for a row. A part of a document needs no check, because it is never larger than the
// document.
func (c *compiler) bounded(e ast.Expr) eval {
	switch e.(type) {
	case *ast.Literal, *ast.Param, *ast.Ident, *ast.Member, *ast.Index:
		return c.expr(e)
	}
	return limitRow(c.expr(e))
}

// limitRow fails the query if a row is too large.
func limitRow(project eval) eval {
	return func(f *frame) doc.Value {
		row := project(f)
		left := remainingRowBytes(&row, maxRowBytes)
		f.step((maxRowBytes - left) / bytesPerStep)
		if left >= 0 {
			return row
		}
		if f.err == nil {
			f.err = faultLargeRow.at(ast.Span{}, maxRowBytes)
		}
		return doc.Value{}
	}
}

// remainingRowBytes returns left minus the size of a value. It stops when the result is negative.
func remainingRowBytes(v *doc.Value, left int) int {
	text, parts := v.Extent()
	if left -= 2 + text; parts == 0 {
		return left
	}
	elements, members := v.Elements(), v.Members()
	for i := 0; i < len(elements) && left >= 0; i++ {
		left = remainingRowBytes(&elements[i], left)
	}
	for i := 0; i < len(members) && left >= 0; i++ {
		left = remainingRowBytes(&members[i].Value, left-len(members[i].Name))
	}
	return left
}
