package sql

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// TestExplosiveQueriesFail joins an array with itself: the query must fail before memory runs out, or when the context
// ends.
func TestExplosiveQueriesFail(t *testing.T) {
	t.Parallel()
	item, err := doc.Parse([]byte(`{"id":"1","a":[` + strings.Repeat("1,", 300) + `1],"long":"` + strings.Repeat("x",
		100_000) + `"}`))
	if err != nil {
		t.Fatal(err)
	}
	cross := " FROM c JOIN x IN c.a JOIN y IN c.a JOIN z IN c.a JOIN u IN c.a"
	for _, query := range []string{
		"SELECT VALUE ARRAY(SELECT VALUE x FROM x IN c.a JOIN y IN c.a JOIN z IN c.a) FROM c",
		"SELECT VALUE x" + cross + " ORDER BY c.id",
		"SELECT VALUE [x, x] FROM " + strings.Repeat("(SELECT VALUE [x, x] FROM ", 60) + "(SELECT VALUE c.a FROM c) x" +
			strings.Repeat(") x", 60),
		"SELECT VALUE [" + strings.Repeat("c.long, ", 1000) + "1] FROM c",
		"SELECT [" + strings.Repeat("c.long, ", 1000) + "1] AS x FROM c ORDER BY c.id",
		"SELECT * FROM c WHERE c.long LIKE '%" + strings.Repeat("x", 30_000) + "y%'",
		"SELECT VALUE 1 FROM c WHERE c.id NOT LIKE @long" + strings.Repeat(" AND c.id NOT LIKE @long", 70),
	} {
		w := world{params: map[string]doc.Value{"@long": item.Field("long")}}
		p, err := w.compile(query)
		if err != nil {
			t.Fatal(query, err)
		}
		var refused *Error
		if _, err := p.Run(t.Context(), documentsOf([]doc.Value{item}, nil), nil, Options{}); !errors.As(err, &refused) ||
			refused.Code != "SC3009" {
			t.Errorf("%s: %v", query, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	w := world{}
	p, err := w.compile("SELECT VALUE COUNT(1)" + cross)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(ended, documentsOf([]doc.Value{item}, nil), nil, Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestSharedPartsAreNotRepeated passes a value that repeats its parts, as [x, x] does at each level, to what needs all
// of it at once: a query must fail before it takes the value apart, which would need more memory than there is.
func TestSharedPartsAreNotRepeated(t *testing.T) {
	t.Parallel()
	shared := doc.Array()
	for range 60 {
		shared = doc.Array(shared, shared)
	}
	item := doc.Object(doc.Member{Name: "id", Value: doc.String("1")}, doc.Member{Name: "shared", Value: shared})
	for _, query := range []string{
		"SELECT VALUE COUNT(1) FROM c GROUP BY c.shared",
		"SELECT VALUE MAKESET(c.shared) FROM c",
		"SELECT VALUE MAKELIST(c.shared) FROM c",
		"SELECT VALUE 1 FROM c WHERE udf.f(c.shared)",
		"SELECT VALUE 1 FROM c WHERE c.shared = c.shared",
	} {
		p := hostileProgram(t, query)
		p.params.UDF = func(_ string, args []doc.Value) (doc.Value, error) { return doc.String(args[0].JSON()), nil }
		var refused *Error
		if _, err := p.Run(t.Context(), documentsOf([]doc.Value{item}, nil), nil, Options{}); !errors.As(err, &refused) ||
			refused.Code != "SC3009" {
			t.Errorf("%s: %v", query, err)
		}
	}
}
