package sql

import (
	"context"
	"fmt"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// repeated is a source that returns the same document repeatedly.
type repeated struct {
	document doc.Value
	at       []byte
	left     int
}

func (r *repeated) Next(context.Context) (doc.Value, []byte, bool, error) {
	r.left--
	return r.document, r.at, r.left >= 0, nil
}

func notification(t testing.TB) doc.Value {
	t.Helper()
	v, err := doc.Parse(
		[]byte(`{"id":"n1","userId":"u1","type":"LIKE","category":"SOCIAL","read":false,"dismissed":false,"createdAt":"2026-01-01T00:00:00Z","n":5,"tags":["a","b"],"o":{"a":{"b":1}}}`))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestFiltersAllocateNothing checks that comparisons of paths with constants do not allocate per document.
func TestFiltersAllocateNothing(t *testing.T) {
	w := world{params: map[string]doc.Value{"@user": doc.String("u2")}}
	for _, filter := range []string{
		`c.userId = @user AND c.read = false`, `c.n BETWEEN 6 AND 9 OR c.o.a.b > 1`, `c.category IN ("NEWS", "SAFETY")`,
		`NOT (c.createdAt >= "2025")`, `c.type LIKE "%COMM_NT"`, `IS_DEFINED(c.missing)`, `STARTSWITH(c.createdAt, "2027")`,
	} {
		p, err := w.compile("SELECT * FROM c WHERE " + filter)
		if err != nil {
			t.Fatal(err)
		}
		src := &repeated{document: notification(t), at: []byte("12345678")}
		const documents = 1000
		allocs := testing.AllocsPerRun(10, func() {
			src.left = documents
			if page, err := p.Run(context.Background(), src, nil, Options{}); err != nil || len(page.Rows) > 0 {
				t.Fatal(err, filter)
			}
		})
		if allocs > 30 {
			t.Errorf("%s: %.0f allocations in %d documents", filter, allocs, documents)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	for _, query := range []string{
		`SELECT * FROM c WHERE c.userId = "u2" AND c.read = false`,
		`SELECT c.id, c.createdAt FROM c WHERE c.userId = "u1"`,
		`SELECT VALUE COUNT(1) FROM c WHERE CONTAINS(c.type, "IKE", true)`,
		`SELECT VALUE c.id FROM c JOIN t IN c.tags WHERE t = "b"`,
		`SELECT c.category, COUNT(1) AS n FROM c GROUP BY c.category`,
		`SELECT TOP 20 * FROM c ORDER BY c.createdAt DESC`,
	} {
		b.Run(fmt.Sprintf("%.40s", query), func(b *testing.B) {
			w := world{}
			p, err := w.compile(query)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			src := &repeated{document: notification(b), at: []byte("12345678"), left: b.N}
			for left := b.N; left > 0; left = src.left {
				page, err := p.Run(context.Background(), src, nil, Options{Rows: 1000})
				if err != nil {
					b.Fatal(err)
				}
				if page.Documents == 0 {
					break
				}
			}
		})
	}
}

func BenchmarkParseAndCompile(b *testing.B) {
	b.ReportAllocs()
	params := Params{Values: map[string]doc.Value{"@userId": doc.String("u"), "@now": doc.String("x")}}
	for range b.N {
		q, err := Parse(`SELECT c.id, c.title FROM c WHERE c.userId = @userId AND c.dismissed = false AND c.createdAt <= @now ORDER BY c.createdAt DESC`)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Compile(q, params); err != nil {
			b.Fatal(err)
		}
	}
}
