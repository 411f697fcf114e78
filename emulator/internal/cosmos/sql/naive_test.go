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

// TestMatchesNaiveEvaluator runs random queries over random documents: the results must equal those of the naive
// evaluator, with any page size.
func TestMatchesNaiveEvaluator(t *testing.T) {
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
	for i := 0; i < len(w.Documents); { // minimize: leave out irrelevant documents
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

// runs are the ways of running a query: with any page size, over all documents or only those that match its shape, and
// in either order.
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

// disagreement returns a description of the difference; empty: none.
func disagreement(t *testing.T, q *ast.Query, w *naive.World) string {
	t.Helper()
	want := w.Expect(q)
	for i, run := range runs {
		if want.Open {
			return ""
		}
		got, err := run(t.Context(), q, w)
		var refused *sql.Error
		switch {
		case errors.Is(want.Err, naive.ErrNotFinite):
			if !errors.As(err, &refused) || refused.Code != "4001" {
				return "no error for a number that is not finite, but " + doc.Array(got...).JSON()
			}
		case err != nil || want.Err != nil:
			return fmt.Sprintf("run %d: %v\nnaively: %v", i, err, want.Err)
		case !want.Allows(got):
			return fmt.Sprintf("run %d: %s\nnaively: %s", i, doc.Array(got...).JSON(), doc.Array(want.Rows...).JSON())
		}
	}
	return ""
}
