package naive

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// from returns a row for each combination of the sources' values. Without a FROM clause there is one row.
func (w *World) from(f *ast.From, outer *scope) []*scope {
	if f == nil {
		return []*scope{outer}
	}
	rows := []*scope{outer}
	for i := range f.Sources {
		var next []*scope
		for _, r := range rows {
			next = append(next, w.source(&f.Sources[i], r)...)
		}
		rows = next
	}
	return rows
}

// source returns the rows that a source adds to a row of the previous sources. An undefined value adds none.
func (w *World) source(s *ast.Source, row *scope) []*scope {
	alias := aliasOf(s)
	var rows []*scope
	add := func(v doc.Value, at int) {
		if v.Defined() {
			rows = append(rows, row.bind(alias, v, at))
		}
	}
	each := func(v doc.Value, at int) {
		if !s.In {
			add(v, at)
			return
		}
		for _, e := range v.Elements() {
			add(e, at)
		}
	}
	at := 0
	if row != nil {
		at = row.at
	}
	if s.Query != nil {
		for _, v := range w.query(s.Query, row) {
			each(v, at)
		}
		return rows
	}
	if v, ok := row.find(s.Root); ok {
		each(valueAt(v, s.Path), at)
		return rows
	}
	for i, d := range w.Documents {
		each(valueAt(d, s.Path), i)
	}
	return rows
}

func aliasOf(s *ast.Source) string {
	switch {
	case s.Alias != "":
		return s.Alias
	case s.Query != nil:
		return ""
	}
	for _, step := range slices.Backward(s.Path) {
		if !step.IsIndex {
			return step.Name
		}
	}
	return s.Root
}

func valueAt(v doc.Value, path []ast.Step) doc.Value {
	for _, step := range path {
		if step.IsIndex {
			v = v.At(step.Index)
		} else {
			v = v.Field(step.Name)
		}
	}
	return v
}

// sort sorts rows by the clause: undefined first, then by type and value. Equal rows stay in creation order, reversed
// if the first item is descending.
func (w *World) sort(rows []*scope, by *ast.OrderBy) {
	slices.SortStableFunc(rows, func(a, b *scope) int {
		for _, item := range by.Items {
			c := doc.Compare(w.eval(item.Expr, group{a}), w.eval(item.Expr, group{b}))
			if item.Order == ast.Descending {
				c = -c
			}
			if c != 0 {
				return c
			}
		}
		if by.Items[0].Order == ast.Descending {
			return b.at - a.at
		}
		return a.at - b.at
	})
}
