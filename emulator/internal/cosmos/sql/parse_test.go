package sql

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// same returns the difference of two trees, ignoring positions.
func same(a, b *ast.Query) string {
	return cmp.Diff(a, b, cmpopts.IgnoreTypes(ast.Span{}), cmp.Comparer(doc.Equal))
}

func reparses(t *testing.T, text string) {
	t.Helper()
	q, err := Parse(text)
	if err != nil {
		return
	}
	printed := q.String()
	again, err := Parse(printed)
	if err != nil {
		t.Fatalf("%q printed as %q: %v", text, printed, err)
	}
	if diff := same(q, again); diff != "" {
		t.Fatalf("%q printed as %q is another query: %s", text, printed, diff)
	}
}

func TestDeepAndLargeQueriesAreRejected(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"parentheses": "SELECT VALUE " + strings.Repeat("(", 10_000) + "1" + strings.Repeat(")", 10_000),
		"arrays":      "SELECT VALUE " + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
		"minus":       "SELECT VALUE " + strings.Repeat("- ", 10_000) + "x",
		"not":         "SELECT VALUE " + strings.Repeat("NOT ", 10_000) + "true",
		"subqueries":  strings.Repeat("SELECT VALUE (", 10_000) + "1" + strings.Repeat(")", 10_000),
		"conditions":  "SELECT VALUE " + strings.Repeat("true ? 1 : ", 10_000) + "1",
		"sum":         "SELECT VALUE 1" + strings.Repeat("+1", 30_000),
		"members":     "SELECT VALUE c" + strings.Repeat(".a", 30_000),
		"ands":        "SELECT * FROM c WHERE true" + strings.Repeat(" AND true", 2001),
		"joins":       "SELECT 1 FROM c" + strings.Repeat(" JOIN x IN c.y", 11),
		"functions":   "SELECT " + strings.Repeat("udf.f(), ", 10) + "udf.f()",
		"items":       "SELECT VALUE 1 IN (1" + strings.Repeat(",1", 6000) + ")",
		"text":        "SELECT VALUE '" + strings.Repeat("a", maxText) + "'",
	} {
		var refused *Error
		if _, err := Parse(text); !errors.As(err, &refused) || !strings.HasPrefix(refused.Code, "SC300") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestErrorBody(t *testing.T) {
	t.Parallel()
	_, err := Parse("SELECT * FROM c WHERE c.a = = 1")
	var refused *Error
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	want := `{"errors":[{"severity":"Error","location":{"start":28,"end":29},"code":"SC1001","message":"Syntax error, incorrect syntax near '='."}]}`
	if refused.Body() != want {
		t.Errorf("%s; want %s", refused.Body(), want)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`SELECT DISTINCT TOP 3 c.a AS b, [1, {"x": -1.5e-3}], c["d e"][0] FROM root AS c JOIN x IN c.y WHERE NOT c.z = 1 AND x IN (1, @p)`,
		`SELECT VALUE a ? b : c ?? d FROM (SELECT * FROM c) AS s ORDER BY s.x DESC, s.y OFFSET @o LIMIT 10`,
		`select c.value from c where c.a between 1 and 2 and c.b not like 'x%' escape '\\' -- end`,
		`SELECT udf.f(ARRAY(SELECT VALUE t FROM t IN c.tags)), EXISTS(SELECT 1) FROM c ORDER BY RANK RRF(VectorDistance(c.v,[1]), FullTextScore(c.t,"a"), [1,2])`,
		`SELECT - -1, ~0xFF, 1 <> 2, "\ud83d\ude00\u00e9", NaN`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		reparses(t, text)
	})
}
