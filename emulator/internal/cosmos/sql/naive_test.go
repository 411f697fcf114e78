package sql_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/naive"
)

const seededCases = 2000

// TestAgreesWithTheNaiveEvaluator runs random queries over random documents; the language must give the rows that the naive
// evaluator gives, in pages of any size.
func TestAgreesWithTheNaiveEvaluator(t *testing.T) {
	t.Parallel()
	for seed := range uint64(seededCases) {
		compareOn(t, seed)
		if t.Failed() {
			return
		}
	}
}

func FuzzAgreesWithTheNaiveEvaluator(f *testing.F) {
	f.Add(uint64(seededCases))
	f.Fuzz(compareOn)
}

func compareOn(t *testing.T, seed uint64) {
	t.Helper()
	g := naive.NewGenerator(seed)
	w, text := g.World(), g.Query().String()
	q, err := sql.Parse(text)
	if err != nil {
		t.Errorf("seed %d: %s\n%v", seed, text, err)
		return
	}
	if again := q.String(); again != text {
		t.Errorf("seed %d: %s\nis printed as\n%s", seed, text, again)
		return
	}
	difference := disagreement(t, q, w)
	if difference == "" {
		return
	}
	for i := 0; i < len(w.Documents); { // leave out the documents that don't matter
		fewer := *w
		fewer.Documents = slices.Delete(slices.Clone(w.Documents), i, i+1)
		if less := disagreement(t, q, &fewer); less != "" {
			w, difference = &fewer, less
		} else {
			i++
		}
	}
	t.Errorf("seed %d: %s\n%s%s", seed, text, jsonLines(w.Documents), difference)
}

// runs are the ways in which a query is run: in pages of any size, over all documents or those that its shape finds, in
// their order or in that of the shape.
var runs = []func(ctx context.Context, q *ast.Query, w *naive.World) ([]doc.Value, error){
	func(ctx context.Context, q *ast.Query, w *naive.World) ([]doc.Value, error) {
		return allRows(ctx, q, w, 0)
	},
	func(ctx context.Context, q *ast.Query, w *naive.World) ([]doc.Value, error) {
		return allRows(ctx, q, w, 1)
	},
	func(ctx context.Context, q *ast.Query, w *naive.World) ([]doc.Value, error) {
		return allRows(ctx, q, w, 3)
	},
	func(ctx context.Context, q *ast.Query, w *naive.World) ([]doc.Value, error) {
		return allFound(ctx, q, w, 2, false)
	},
	func(ctx context.Context, q *ast.Query, w *naive.World) ([]doc.Value, error) {
		return allFound(ctx, q, w, 0, true)
	},
	func(ctx context.Context, q *ast.Query, w *naive.World) ([]doc.Value, error) {
		return allFound(ctx, q, w, 1, true)
	},
}

// disagreement says what differs; empty: nothing.
func disagreement(t *testing.T, q *ast.Query, w *naive.World) string {
	t.Helper()
	want, wrong := w.Run(q)
	var whole []doc.Value
	if cutAnywhere(q) {
		uncut := *q
		uncut.Select.Top, uncut.OffsetLimit = nil, nil
		if whole, wrong = w.Run(&uncut); errors.Is(wrong, naive.ErrNotFinite) {
			return "" // such a row may be in the result or not
		}
	}
	for i, run := range runs {
		got, err := run(t.Context(), q, w)
		var refused *sql.Error
		switch {
		case errors.Is(wrong, naive.ErrNotFinite):
			if !errors.As(err, &refused) || refused.Code != "4001" {
				return "no error for a number that is not finite, but " + doc.Array(got...).JSON()
			}
			continue
		case err != nil || wrong != nil:
			return fmt.Sprint("run ", i) + ": " + errorText(err) + "\nnaively: " + errorText(wrong)
		}
		if !sameRows(q, got, want, whole) {
			return fmt.Sprint("run ", i) + ": " + doc.Array(got...).JSON() + "\nnaively: " + doc.Array(want...).JSON()
		}
	}
	return ""
}

// cutAnywhere says that a query gives some rows of a result whose order is promised nowhere.
func cutAnywhere(q *ast.Query) bool {
	return unordered(q) && (q.Select.Top != nil || q.OffsetLimit != nil)
}

func unordered(q *ast.Query) bool {
	return q.OrderBy == nil && (q.Select.Distinct || len(q.GroupBy) > 0)
}

// sameRows compares rows in their order, or in none where no order is promised; then a cut leaves any rows of the whole.
func sameRows(q *ast.Query, got, want, whole []doc.Value) bool {
	if len(got) != len(want) {
		return false
	}
	got, want, whole = asWritten(got), asWritten(want), asWritten(whole)
	if cutAnywhere(q) {
		return !slices.ContainsFunc(got, func(row doc.Value) bool {
			return !slices.ContainsFunc(whole, func(w doc.Value) bool { return doc.Equal(row, w) })
		})
	}
	if unordered(q) {
		slices.SortFunc(got, doc.Compare)
		slices.SortFunc(want, doc.Compare)
	}
	return slices.EqualFunc(got, want, doc.Equal)
}

func errorText(err error) string {
	if err == nil {
		return "no error"
	}
	return err.Error()
}

// asWritten are rows as a client reads them.
func asWritten(rows []doc.Value) []doc.Value {
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
