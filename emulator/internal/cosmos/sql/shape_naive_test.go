package sql_test

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/naive"
)

// placed is a document and its position.
type placed struct {
	document doc.Value
	at       []byte
}

// found is a source of the documents that meet the conditions of a query's shape, sorted in its order if ordered is
// set.
type found struct {
	documents []placed
	next      int
}

func find(w *naive.World, shape *sql.Shape, ordered bool) *found {
	f := &found{}
	for i, d := range w.Documents {
		holds := func(c sql.Condition) bool { return satisfied(d, c) }
		if !slices.ContainsFunc(shape.Where, func(c sql.Condition) bool { return !holds(c) }) {
			f.documents = append(f.documents, placed{d, binary.BigEndian.AppendUint64(nil, uint64(i+1))})
		}
	}
	if ordered {
		slices.SortStableFunc(f.documents, func(a, b placed) int { return inOrder(shape.Order, a, b) })
	}
	return f
}

func inOrder(order []sql.Order, a, b placed) int {
	for _, o := range order {
		c := doc.Compare(first(a.document, o.Path), first(b.document, o.Path))
		if o.Desc {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	c := slices.Compare(a.at, b.at)
	if order[0].Desc {
		return -c
	}
	return c
}

func (f *found) behind(at []byte) {
	if at != nil {
		f.next = 1 + slices.IndexFunc(f.documents, func(p placed) bool { return slices.Equal(p.at, at) })
	}
}

func (f *found) Next(context.Context) (doc.Value, []byte, bool, error) {
	if f.next >= len(f.documents) {
		return doc.Value{}, nil, false, nil
	}
	f.next++
	return f.documents[f.next-1].document, f.documents[f.next-1].at, true, nil
}

// at returns the values at a path: one, or any number if a step goes to each element.
func at(v doc.Value, path sql.Path) []doc.Value {
	if len(path) == 0 {
		return []doc.Value{v}
	}
	switch step := path[0]; step.Kind {
	case sql.Property:
		return at(v.Field(step.Name), path[1:])
	case sql.Element:
		return at(v.At(step.Index), path[1:])
	}
	var all []doc.Value
	for _, e := range v.Elements() {
		all = append(all, at(e, path[1:])...)
	}
	return all
}

func first(v doc.Value, path sql.Path) doc.Value {
	for _, found := range at(v, path) {
		return found
	}
	return doc.Value{}
}

func satisfied(document doc.Value, c sql.Condition) bool {
	return slices.ContainsFunc(at(document, c.Path), func(v doc.Value) bool { return holds(v, c) })
}

func holds(v doc.Value, c sql.Condition) bool {
	switch c.Op {
	case sql.IsDefined:
		return v.Defined()
	case sql.NotDefined:
		return !v.Defined()
	case sql.In:
		return slices.ContainsFunc(c.Values, func(w doc.Value) bool { return v.Defined() && doc.Equal(v, w) })
	}
	w := c.Values[0]
	null := v.Kind() == doc.Null || w.Kind() == doc.Null
	if !v.Defined() || v.Kind() != w.Kind() && (c.Op != sql.Ne || !null) {
		return false
	}
	order := doc.Compare(v, w)
	switch c.Op {
	case sql.Eq:
		return order == 0
	case sql.Ne:
		return order != 0
	case sql.Lt:
		return order < 0
	case sql.Le:
		return order <= 0
	case sql.Gt:
		return order > 0
	case sql.Ge:
		return order >= 0
	}
	return strings.HasPrefix(v.Str(), w.Str())
}

// allFound runs a query over the documents that match its shape, page by page.
func allFound(ctx context.Context, q *ast.Query, w *naive.World, size int, ordered bool) ([]doc.Value, error) {
	program, err := sql.Compile(q, sql.Params{Values: w.Params, Env: w.Env, UDF: w.UDF})
	if err != nil {
		return nil, err
	}
	ordered = ordered && len(program.Shape().Order) > 0
	return allPages(ctx, program, sql.Options{Rows: size, Ordered: ordered}, func(state *sql.State) sql.Source {
		f := find(w, program.Shape(), ordered)
		if state != nil {
			f.behind(state.ResumeAfter)
		}
		return f
	})
}
