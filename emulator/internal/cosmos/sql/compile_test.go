package sql

import (
	"runtime"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// TestLongQueriesCompileInLinearTime compiles queries of one and of two lengths: the second takes about twice the
// memory, and not four times as much.
func TestLongQueriesCompileInLinearTime(t *testing.T) {
	for name, query := range map[string]func(n int) string{
		"operators in a grouped query": func(n int) string {
			return "SELECT VALUE c.a" + strings.Repeat("||'x'", n) + " FROM c GROUP BY c.a"
		},
		"values of one path": func(n int) string {
			return "SELECT VALUE 1 FROM c WHERE c.a = 0" + strings.Repeat(" OR c.a = 0", n)
		},
	} {
		const n = 900
		if once, twice := allocated(t, query(n)), allocated(t, query(2*n)); twice > 3*once {
			t.Errorf("%s: %d bytes, and %d for twice as many", name, once, twice)
		}
	}
}

// allocated returns the bytes that compiling a query allocates.
func allocated(t *testing.T, query string) uint64 {
	t.Helper()
	q, err := Parse(query)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = Compile(q, Params{})
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	return after.TotalAlloc - before.TotalAlloc
}

// TestALongChainIsFollowedOnce looks for paths in a long chain of elements that is none.
func TestALongChainIsFollowedOnce(t *testing.T) {
	t.Parallel()
	const n = 1000
	q, err := Parse("SELECT VALUE c.a[c.b]" + strings.Repeat("[0]", n) + " FROM c")
	if err != nil {
		t.Fatal(err)
	}
	evaluated := 0
	s := &shaper{shape: &Shape{}, aliases: map[string]Path{"c": {}}, notPaths: map[ast.Expr]bool{},
		constant: func(e ast.Expr) (doc.Value, bool) {
			evaluated++
			literal, ok := e.(*ast.Literal)
			return doc.Number(0), ok && literal.Value.Defined()
		}}
	if s.readsOf(q.Select.Value); evaluated > n || len(s.shape.Reads) != 2 {
		t.Errorf("%d indexes were evaluated, and %v is read", evaluated, s.shape.Reads)
	}
}
