package ast

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

func TestPrintsCanonicalSQL(t *testing.T) {
	t.Parallel()
	c := &Ident{Name: "c"}
	q := Query{
		Select: Select{Distinct: true, Top: &Count{Param: "@n"}, Items: []SelectItem{
			{Expr: &Member{Of: c, Name: "order"}, Alias: "o"},
			{Expr: &Array{Elements: []Expr{&Literal{}, &Literal{Value: doc.Number(-1)}}}},
		}},
		From: &From{Sources: []Source{
			{Root: "root", Alias: "c"},
			{Alias: "x", In: true, Root: "c", Path: []Step{{Name: "a b"}, {Index: 2, IsIndex: true}}},
		}},
		Where: &Binary{Op: And, L: &Verbatim{Text: "{filter}"}, R: &Unary{Op: Not, X: &Subquery{Kind: Exists, Query: &Query{
			Select: Select{Value: &Literal{Value: doc.Bool(true)}}, From: &From{Sources: []Source{{Root: "x"}}},
		}}}},
		OrderBy:     &OrderBy{Items: []OrderItem{{Expr: c}, {Expr: c, Order: Descending}}},
		OffsetLimit: &OffsetLimit{Offset: Count{N: 1}, Limit: Count{N: 2}},
	}
	want := `SELECT DISTINCT TOP @n c["order"] AS o, [undefined, -1]
FROM root AS c JOIN x IN c["a b"][2]
WHERE ({filter} AND (NOT EXISTS(SELECT VALUE true FROM x)))
ORDER BY c, c DESC
OFFSET 1 LIMIT 2`
	if got := q.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestIdentifiers(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"c": true, "_rid": true, "a1": true, "1a": false, "": false, "a-b": false,
		"Value": false, "left": true, "é": false} {
		if IsIdentifier(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
