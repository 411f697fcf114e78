package naive

import (
	"errors"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// Expected describes the results that a query may return.
type Expected struct {
	Rows    []doc.Value // in order, if Ordered is set
	Ordered bool        // otherwise, for DISTINCT and GROUP BY, no order is specified
	whole   []doc.Value // if not nil, TOP or OFFSET LIMIT may return any of these rows
	Err     error       // why the query fails: ErrNotFinite, or what this evaluator cannot do
	Open    bool        // the result may or may not include a row that fails
}

// Expect evaluates a query.
func (w *World) Expect(q *ast.Query) Expected {
	e := Expected{Ordered: q.OrderBy != nil || !q.Select.Distinct && len(q.GroupBy) == 0}
	e.Rows, e.Err = w.Run(q)
	if e.Ordered || q.Select.Top == nil && q.OffsetLimit == nil {
		return e
	}
	uncut := *q
	uncut.Select.Top, uncut.OffsetLimit = nil, nil
	whole, err := w.Run(&uncut)
	e.whole, e.Open = asJSON(whole), errors.Is(err, ErrNotFinite)
	return e
}

// Allows reports whether a query may return rows, as a client parses them.
func (e *Expected) Allows(rows []doc.Value) bool {
	got, want := asJSON(rows), asJSON(e.Rows)
	if e.Open || len(got) != len(want) {
		return e.Open
	}
	if e.whole != nil {
		return !slices.ContainsFunc(got, func(row doc.Value) bool {
			return !slices.ContainsFunc(e.whole, func(w doc.Value) bool { return doc.Equal(row, w) })
		})
	}
	if !e.Ordered {
		slices.SortFunc(got, doc.Compare)
		slices.SortFunc(want, doc.Compare)
	}
	return slices.EqualFunc(got, want, doc.Equal)
}

// Contains reports whether rows are a sub-multiset of the expected rows.
func (e *Expected) Contains(rows []doc.Value) bool {
	left := asJSON(e.Rows)
	for _, row := range asJSON(rows) {
		at := slices.IndexFunc(left, func(v doc.Value) bool { return doc.Equal(v, row) })
		if at < 0 {
			return false
		}
		left = slices.Delete(left, at, at+1)
	}
	return true
}

// asJSON returns rows as they are after a round trip through JSON.
func asJSON(rows []doc.Value) []doc.Value {
	read := make([]doc.Value, len(rows))
	for i, r := range rows {
		v, err := doc.Parse(doc.Append(nil, r))
		if err != nil {
			v = r // nested more deeply than documents may be
		}
		read[i] = v
	}
	return read
}
