package sql

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// subquery compiles a subquery in an expression. A scalar subquery, (SELECT …), must not be able to return more than
// one row.
func (c *compiler) subquery(e *ast.Subquery) eval {
	switch e.Kind {
	case ast.Exists, ast.All:
		exists := c.exists(e)
		return func(f *frame) doc.Value { return exists(f).value() }
	case ast.First, ast.Last:
		return c.firstOrLast(e)
	case ast.Rows:
		sub := c.query(e.Query, false)
		return func(f *frame) doc.Value {
			rows := []doc.Value{}
			sub.emit(f, func(row doc.Value) bool {
				rows = append(rows, row)
				return f.keep(row) && f.checkRowsHeld(len(rows))
			})
			return doc.Array(rows...)
		}
	}
	sub := c.query(e.Query, false)
	if sub.mayReturnMany() {
		c.fail(faultCardinality.at(e.Span))
	}
	return func(f *frame) doc.Value {
		only := doc.Value{}
		sub.emit(f, func(row doc.Value) bool {
			only = row
			f.keep(row)
			return false
		})
		return only
	}
}

// firstOrLast compiles FIRST and LAST: a subquery's first or last row.
func (c *compiler) firstOrLast(e *ast.Subquery) eval {
	sub := c.query(e.Query, false)
	return func(f *frame) (one doc.Value) {
		sub.emit(f, func(row doc.Value) bool {
			one = row
			return f.keep(row) && e.Kind == ast.Last
		})
		return one
	}
}

// exists compiles EXISTS, and ALL, which is true unless the filter is false for a row.
func (c *compiler) exists(e *ast.Subquery) test {
	if e.Kind == ast.All {
		return c.holdsForAll(e.Query)
	}
	sub := c.query(e.Query, false)
	return func(f *frame) truth {
		found := no
		sub.emit(f, func(doc.Value) bool {
			found = yes
			return false
		})
		return found
	}
}

func (c *compiler) holdsForAll(q *ast.Query) test {
	negated := *q
	negated.Where = &ast.Unary{Op: ast.Not, X: &ast.Literal{Value: doc.Bool(true)}}
	if q.Where != nil {
		negated.Where = &ast.Unary{Span: q.Where.At(), Op: ast.Not, X: q.Where}
	}
	fails := c.exists(&ast.Subquery{Kind: ast.Exists, Query: &negated})
	return func(f *frame) truth { return fails(f).not() }
}

// mayReturnMany reports whether a query may return more than one row.
func (b *block) mayReturnMany() bool {
	if b.grouped {
		return len(b.keys) > 0
	}
	for i := range b.sources {
		s := &b.sources[i]
		if s.in || s.sub != nil && s.sub.mayReturnMany() {
			return true
		}
	}
	return false
}

// emit calls yield for the rows of a subquery until yield returns false.
func (b *block) emit(f *frame, yield func(doc.Value) bool) {
	if b.distinct {
		yield = distinctRows(f, yield)
	}
	if b.grouped {
		g := newGroups(b)
		b.forEachRow(f, 0, func() bool {
			g.add(f)
			return f.checkRowsHeld(len(g.all))
		})
		around := f.beginRow() // yield keeps what outlives a row of the groups
		g.emit(f, yield)
		f.endRow(around)
		return
	}
	b.forEachRow(f, 0, func() bool {
		row := b.project(f)
		return !row.Defined() || yield(row)
	})
}

// distinctRows returns a yield that drops duplicate rows.
func distinctRows(f *frame, yield func(doc.Value) bool) func(doc.Value) bool {
	seen := map[string]bool{}
	return func(row doc.Value) bool {
		if !f.stepOver(&row) {
			return false
		}
		key := builtin.Key(row)
		if seen[key] {
			return true
		}
		seen[key] = true
		return f.keepBytes(entryBytes+len(key)) && f.checkRowsHeld(len(seen)) && yield(row)
	}
}

// checkRowsHeld reports whether this many rows may be held; if not, the query fails.
func (f *frame) checkRowsHeld(rows int) bool {
	if rows > maxRowsHeld && f.err == nil {
		f.err = faultTooManyRows.at(ast.Span{}, maxRowsHeld)
	}
	return f.err == nil
}

// forEachRow sets the slots of the sources from i on to each row that passes the filter, and calls yield until yield
// returns false; then each returns false, too.
func (b *block) forEachRow(f *frame, i int, yield func() bool) bool {
	if i < len(b.sources) {
		return b.forEachSourceRow(f, i, yield)
	}
	if !f.step(rowSteps) {
		return false
	}
	around := f.beginRow()
	more := true
	if b.where == nil || b.where(f) == yes {
		more = f.err == nil && yield()
	}
	f.endRow(around)
	return more && f.err == nil
}

func (b *block) forEachSourceRow(f *frame, i int, yield func() bool) bool {
	s := &b.sources[i]
	if s.sub != nil {
		more := true
		s.sub.emit(f, func(row doc.Value) bool {
			more = b.bindSource(f, i, row, yield)
			return more
		})
		return more && f.err == nil
	}
	v := f.slots[s.base]
	if s.head != nil {
		v = s.head(f)
	}
	for _, step := range s.path {
		if step.IsIndex {
			v = v.At(step.Index)
		} else {
			v = v.Field(step.Name)
		}
	}
	return b.bindSource(f, i, v, yield)
}

// bindSource sets a source's slot to a value, or to each of its elements. An undefined value yields no row, nor does IN
// of a value that is not an array ("FROM clause").
func (b *block) bindSource(f *frame, i int, v doc.Value, yield func() bool) bool {
	s := &b.sources[i]
	if !s.in {
		f.slots[s.slot] = v
		ofProperty := s.head != nil || len(s.path) > 0
		return !v.Defined() && ofProperty || b.forEachRow(f, i+1, yield)
	}
	for _, e := range v.Elements() {
		f.slots[s.slot] = e
		if e.Defined() && !b.forEachRow(f, i+1, yield) {
			return false
		}
	}
	return true
}
