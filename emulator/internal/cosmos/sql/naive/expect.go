package naive

import (
	"errors"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// Expected is what a query may answer.
type Expected struct {
	Rows    []doc.Value // in their order, if Ordered
	Ordered bool        // else, of DISTINCT and GROUP BY, their order is promised nowhere
	whole   []doc.Value // if not nil, what TOP or OFFSET LIMIT leaves any rows of
	Err     error       // why it is refused: ErrNotFinite, or what this evaluator can't do
	Open    bool        // a row that is refused may be in the result or not
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
	e.whole, e.Open = asRead(whole), errors.Is(err, ErrNotFinite)
	return e
}

// Allows says that rows are an answer, as a client reads them.
func (e *Expected) Allows(rows []doc.Value) bool {
	got, want := asRead(rows), asRead(e.Rows)
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

// Contains says that rows are among the expected ones, each as often at most.
func (e *Expected) Contains(rows []doc.Value) bool {
	left := asRead(e.Rows)
	for _, row := range asRead(rows) {
		at := slices.IndexFunc(left, func(v doc.Value) bool { return doc.Equal(v, row) })
		if at < 0 {
			return false
		}
		left = slices.Delete(left, at, at+1)
	}
	return true
}

// asRead are rows as JSON brings them back.
func asRead(rows []doc.Value) []doc.Value {
	read := make([]doc.Value, len(rows))
	for i, r := range rows {
		v, err := doc.Parse(doc.Append(nil, r))
		if err != nil {
			v = r // deeper than documents may be
		}
		read[i] = v
	}
	return read
}
