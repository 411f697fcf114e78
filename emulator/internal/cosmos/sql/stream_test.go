package sql

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// TestPagesOverAnExpensiveSubqueryEnd checks that a page whose subquery takes nearly all steps that it may take ends
// before it fails, for the next page to continue, and that each page has a row.
func TestPagesOverAnExpensiveSubqueryEnd(t *testing.T) {
	t.Parallel()
	w := world{}
	for i := range 20 {
		w.docs = append(w.docs, parseLines(t, fmt.Sprintf(`{"id":"%d","a":[%s1]}`, i, strings.Repeat("1,", 50)))...)
	}
	p, err := w.compile("SELECT VALUE CONCAT(x.id, ':', ToString((SELECT VALUE COUNT(1) FROM u IN x.a JOIN v IN x.a " +
		"JOIN w IN x.a))) FROM (SELECT DISTINCT c.id, c.a FROM c) x")
	if err != nil {
		t.Fatal(err)
	}
	for _, left := range []int64{sliceSteps / 4, sliceSteps / 16} {
		rows, pages := map[string]bool{}, 0
		for state := (*State)(nil); pages == 0 || state != nil; pages++ {
			b := budget.New(t.Context(), Limits(nil))
			_ = b.Step(maxSteps - int(left))
			page, err := p.Run(t.Context(), documentsOf(w.docs, nil), state, Options{Budget: b})
			if err != nil {
				t.Fatal(err)
			}
			if state = page.State; len(page.Rows) == 0 && state != nil {
				t.Fatal("a page without rows has a continuation")
			}
			for _, row := range page.Rows {
				rows[row.Str()] = true
			}
		}
		if len(rows) != len(w.docs) || pages < 2 {
			t.Errorf("%d rows in %d pages", len(rows), pages)
		}
	}
}
