package sql

import (
	"context"
	"errors"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// FuzzRun runs every query that parses over documents of all types: it must not panic, each row must be JSON, pages of
// two rows must end and contain as many rows as without paging, and a small budget must end the query with an Error or
// change nothing.
func FuzzRun(f *testing.F) {
	for _, seed := range []string{
		`SELECT * FROM c WHERE c.n > 1 AND NOT c.s LIKE 'a%' OR c.a[0] = @p`,
		`SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n`,
		`SELECT DISTINCT VALUE t FROM c JOIN t IN c.a ORDER BY c.n DESC OFFSET 1 LIMIT 3`,
		`SELECT ARRAY(SELECT VALUE x FROM x IN c.a WHERE x > c.n), (SELECT VALUE SUM(x) FROM x IN c.a), EXISTS(SELECT 1 FROM x IN c.a) FROM c`,
		`SELECT TOP 2 VALUE {"a": c.n / 0, "b": c.s || 'x'} FROM (SELECT DISTINCT c.n, c.s FROM c) AS c`,
		`SELECT VALUE c.id FROM c ORDER BY RANK RRF(FullTextScore(c.s, "b"), VectorDistance(c.a, [1, 2]), [1, 2])`,
	} {
		f.Add(seed)
	}
	docs := fuzzedDocuments(f)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 500 {
			return
		}
		w := world{docs: docs, params: map[string]doc.Value{"@p": doc.Number(1)}}
		p, err := w.compile(text)
		if err != nil {
			return
		}
		whole, err := p.Run(context.Background(), documentsOf(docs, nil), nil, Options{})
		if err != nil {
			return
		}
		for _, row := range whole.Rows {
			if _, err := doc.Parse(doc.Append(nil, row)); err != nil {
				t.Fatalf("%q: %s is no JSON: %v", text, row.JSON(), err)
			}
		}
		few := budget.New(t.Context(), budget.Limits{Steps: 100, Bytes: 64 << 10})
		if bounded, err := p.Run(t.Context(), documentsOf(docs, nil), nil, Options{Budget: few}); err == nil &&
			bounded.State == nil && len(bounded.Rows) != len(whole.Rows) {
			t.Fatalf("%q: %d rows within a budget, %d without", text, len(bounded.Rows), len(whole.Rows))
		} else if wrong := (*Error)(nil); err != nil && (!errors.As(err, &wrong) || few.Err() == nil) {
			t.Fatalf("%q within a budget: %v", text, err)
		}
		pages, err := w.pages(t, p, Options{Rows: 2})
		rows := 0
		for _, page := range pages {
			rows += len(page)
		}
		if err != nil || rows != len(whole.Rows) {
			t.Fatalf("%q: %d rows in pages, %d at once, %v", text, rows, len(whole.Rows), err)
		}
	})
}

func fuzzedDocuments(f *testing.F) []doc.Value {
	f.Helper()
	var docs []doc.Value
	for _, text := range []string{
		`{"id":"1","n":1,"s":"abc","a":[1,2]}`, `{"id":"2","n":2,"s":"b","a":[]}`, `{"id":"3","n":null,"s":5,"a":"x"}`,
		`{"id":"4","n":{"n":1},"s":null,"a":[3,"b",null]}`, `{"id":"5"}`, `{"id":"6","n":1,"s":"abc","a":[1,2]}`,
	} {
		v, err := doc.Parse([]byte(text))
		if err != nil {
			f.Fatal(err)
		}
		docs = append(docs, v)
	}
	return docs
}

func FuzzParseState(f *testing.F) {
	f.Add((&State{ResumeAfter: []byte("a"), remaining: -1}).Append(nil))
	f.Add((&State{cursorKeys: []doc.Value{{}, doc.String("x")}, hasCursor: true, remaining: 3}).Append(nil))
	docs := fuzzedDocuments(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := ParseState(text)
		if err != nil {
			return
		}
		for _, query := range []string{"SELECT * FROM c", "SELECT * FROM c ORDER BY c.n", "SELECT c.n FROM c GROUP BY c.n",
			"SELECT DISTINCT c.n, c.s FROM c"} {
			w := world{}
			p, err := w.compile(query)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.Run(context.Background(), documentsOf(docs, s.ResumeAfter), s, Options{Rows: 2}); err != nil &&
				err != ErrState {
				t.Fatal(err)
			}
		}
	})
}
