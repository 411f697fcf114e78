package sql

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// hostileItem returns an item with an array of 300 numbers and one of 300 texts, texts of 100 KB, an object of 20,000
// properties, and a polygon of 2,000 points.
func hostileItem(t testing.TB) doc.Value {
	t.Helper()
	list := func(n int, format string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = strings.ReplaceAll(format, "#", fmt.Sprint(i))
		}
		return strings.Join(parts, ",")
	}
	v, err := doc.Parse([]byte(`{"id":"1","a":[` + list(300, "#") + `],"texts":[` + list(300, `"text #"`) + `],
		"long":"` + strings.Repeat("x", 100_000) + `","words":"` + strings.Repeat("lorem ipsum ", 8_000) + `",
		"many":[` + list(50_000, "#") + `],
		"wide":{` + list(20_000, `"p#":#`) + `},
		"area":{"type":"Polygon","coordinates":[[` + list(2000, "[#,0]") + `,[0,1],[0,0]]]}}`))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const cross3 = " FROM c JOIN x IN c.a JOIN y IN c.a JOIN z IN c.a "

// hostileQueries return queries that would take minutes or gigabytes, or never end, on one document of 1 MB.
func hostileQueries() map[string]string {
	nest := func(n int, open, inner, end string) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	return map[string]string{
		"a cross join with REGEXMATCH": "SELECT VALUE COUNT(1)" + cross3 + "WHERE REGEXMATCH(c.long, '(x+x+)+y')",
		"a pattern that repeats itself": "SELECT VALUE COUNT(1)" + cross3 +
			"WHERE REGEXMATCH(c.long, CONCAT('((x{100}){10}){1}', ToString(x), ToString(y)))",
		"nested ARRAY subqueries":  "SELECT VALUE ARRAY(SELECT VALUE ARRAY(SELECT VALUE ARRAY(SELECT VALUE [x, y, z] FROM z IN c.a) FROM y IN c.a) FROM x IN c.a) FROM c",
		"ARRAY subqueries of rows": "SELECT ARRAY(SELECT x, y, z FROM x IN c.a JOIN y IN c.a JOIN z IN c.a) AS rows FROM c",
		"shared values by ARRAY_CONCAT": "SELECT VALUE ARRAY_CONCAT([x, x], []) FROM " + nest(60,
			"(SELECT VALUE ARRAY_CONCAT([x, x], []) FROM ", "(SELECT VALUE c.a FROM c) x", ") x"),
		"shared values by a condition": "SELECT VALUE (true ? [x, x] : 0) FROM " + nest(60,
			"(SELECT VALUE (true ? [x, x] : 0) FROM ", "(SELECT VALUE c.a FROM c) x", ") x"),
		"DISTINCT of large rows":   "SELECT DISTINCT x, y, z, c.a" + cross3,
		"GROUP BY of a cross join": "SELECT x, y, z, COUNT(1) AS n" + cross3 + "GROUP BY x, y, z",
		"MAKELIST of a cross join": "SELECT VALUE MAKELIST([x, y, z])" + cross3,
		"ORDER BY of a cross join": "SELECT c.texts, x" + cross3 + "ORDER BY c.id",
		"fuzzy search": "SELECT VALUE COUNT(1)" + cross3 +
			"WHERE FULLTEXTCONTAINS(c.words, {'term': c.long, 'distance': 2})",
		"fuzzy search of long words":  "SELECT VALUE FULLTEXTCONTAINS(CONCAT(c.long, c.long, 'y'), {'term': CONCAT(c.long, 'yy', c.long), 'distance': 2}) FROM c",
		"polygons":                    "SELECT VALUE COUNT(1)" + cross3 + "WHERE ST_INTERSECTS(c.area, c.area)",
		"validity of polygons":        "SELECT VALUE COUNT(1)" + cross3 + "WHERE ST_ISVALID(c.area)",
		"unions of sets":              "SELECT VALUE COUNT(1)" + cross3 + "WHERE ARRAY_LENGTH(SETUNION(c.many, c.many)) = 0",
		"ARRAY_CONTAINS_ALL":          "SELECT VALUE COUNT(1)" + cross3 + "WHERE ARRAY_CONTAINS_ALL(c.many, x, y, z)",
		"CONTAINS_ANY_CI":             "SELECT VALUE COUNT(1)" + cross3 + "WHERE CONTAINS_ANY_CI(c.long, 'a', 'b', 'c', 'd')",
		"REPLACE":                     "SELECT VALUE COUNT(1)" + cross3 + "WHERE LENGTH(REPLACE(c.long, 'x', 'yy')) = 0",
		"equality of arrays":          "SELECT VALUE COUNT(1)" + cross3 + "WHERE c.many != ARRAY_CONCAT(c.many, [])",
		"order of texts":              "SELECT VALUE COUNT(1)" + cross3 + "WHERE CONCAT(c.long, 'x') < c.long",
		"a property of a wide object": "SELECT VALUE COUNT(1)" + cross3 + "WHERE c.wide.p19999 = -1",
		"LIKE":                        "SELECT VALUE COUNT(1)" + cross3 + "WHERE c.long LIKE '%x%x%x%y'",
		"STRINGTOARRAY": "SELECT VALUE COUNT(1)" + cross3 +
			"WHERE ARRAY_LENGTH(STRINGTOARRAY(TOSTRING(c.many))) = 0",
		"STRINGSPLIT": "SELECT VALUE COUNT(1)" + cross3 + "WHERE ARRAY_LENGTH(STRINGSPLIT(c.long, 'x')) = 0",
		"EXISTS in EXISTS": "SELECT VALUE COUNT(1)" + cross3 +
			"WHERE EXISTS(SELECT VALUE u FROM u IN c.many WHERE u < 0)",
		"VECTORDISTANCE":         "SELECT VALUE COUNT(1)" + cross3 + "WHERE VECTORDISTANCE(c.many, c.many) < 0",
		"user-defined functions": "SELECT VALUE COUNT(1)" + cross3 + "WHERE udf.f(x)",
	}
}

func hostileProgram(t *testing.T, query string) *Program {
	t.Helper()
	w := world{}
	p, err := w.compile(query)
	if err != nil {
		t.Fatal(query, err)
	}
	p.params.UDF = func(name string, _ []doc.Value) (doc.Value, error) {
		if name == "wide" {
			return doc.Array(make([]doc.Value, 100)...), nil
		}
		return doc.Bool(false), nil
	}
	return p
}

// TestHostileQueriesAreStopped checks that each of them ends within a budget of work and memory, here a part of the
// usual one, and releases the memory.
func TestHostileQueriesAreStopped(t *testing.T) {
	t.Parallel()
	item := hostileItem(t)
	for name, query := range hostileQueries() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := budget.NewPool(budget.DefaultPool)
			limits := budget.Limits{Steps: maxSteps / 64, Bytes: maxBytes / 64, Pool: pool}
			b := budget.New(t.Context(), limits)
			_, err := hostileProgram(t, query).Run(t.Context(), documentsOf([]doc.Value{item}, nil), nil,
				Options{Bytes: 4 << 20, Budget: b})
			var refused *Error
			if err != nil && (!errors.As(err, &refused) || refused.Code != "SC3009") {
				t.Errorf("%v", err)
			}
			if err == nil && b.Steps() > limits.Steps || b.Peak() > limits.Bytes {
				t.Errorf("%d steps, %d bytes", b.Steps(), b.Peak())
			}
			if b.Close(); pool.Used() != 0 {
				t.Errorf("%d bytes are not given back", pool.Used())
			}
		})
	}
}

// TestQueriesStopWhenTheClientDisconnects checks that each of them ends after few steps when the client disconnects.
func TestQueriesStopWhenTheClientDisconnects(t *testing.T) {
	t.Parallel()
	item := hostileItem(t)
	for name, query := range hostileQueries() {
		ctx, cancel := context.WithCancel(t.Context())
		b := budget.New(ctx, Limits(nil))
		cancel()
		_, err := hostileProgram(t, query).Run(ctx, documentsOf([]doc.Value{item}, nil), nil, Options{Budget: b})
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if b.Steps() > 30<<20 { // one call of the most expensive function, which is counted before it runs
			t.Errorf("%s: %d steps", name, b.Steps())
		}
	}
}

// leaving is the context of a client that disconnects when it has been looked at several times.
type leaving struct {
	context.Context
	looks int // that are left
}

// Err implements context.Context.
func (l *leaving) Err() error {
	if l.looks--; l.looks < 0 {
		return context.Canceled
	}
	return nil
}

// TestLongMatchesAreDoneInPortions matches a long text with a large pattern, and disconnects the client meanwhile: the
// match counts its work in portions, between which other requests get their turn, and ends.
func TestLongMatchesAreDoneInPortions(t *testing.T) {
	t.Parallel()
	item := []doc.Value{hostileItem(t)}
	b := budget.New(&leaving{context.Background(), 20}, Limits(nil))
	p := hostileProgram(t, "SELECT VALUE REGEXMATCH(c.long, 'x{100}y') FROM c")
	_, err := p.Run(t.Context(), documentsOf(item, nil), nil, Options{Budget: b})
	if most := int64(500_000); !errors.Is(err, context.Canceled) || b.Steps() > most {
		t.Errorf("%v after %d steps of at most %d", err, b.Steps(), most)
	}
	for query, want := range map[string]bool{
		"REGEXMATCH(CONCAT(c.long, 'y'), '^x+x{10}y$')": true,
		"REGEXMATCH(CONCAT(c.long, 'ß'), 'x{10}ß')":     true,
		"REGEXMATCH(c.long, '^x+x{10}y$')":              false,
	} {
		page, err := hostileProgram(t, "SELECT VALUE "+query+" FROM c").Run(t.Context(), documentsOf(item, nil), nil,
			Options{Budget: budget.New(t.Context(), Limits(nil))})
		if err != nil || page.Rows[0].IsTrue() != want {
			t.Errorf("%s: %v, %v", query, page, err)
		}
	}
}

// TestFullPoolRejectsQueries checks that a query gets ErrBusy while other queries hold the memory.
func TestFullPoolRejectsQueries(t *testing.T) {
	t.Parallel()
	pool := budget.NewPool(1 << 20)
	b := budget.New(t.Context(), Limits(pool))
	defer b.Close()
	query := hostileQueries()["MAKELIST of a cross join"]
	_, err := hostileProgram(t, query).Run(t.Context(), documentsOf([]doc.Value{hostileItem(t)}, nil), nil,
		Options{Budget: b})
	if !errors.Is(err, budget.ErrBusy) || pool.Peak() > 1<<20 {
		t.Errorf("%v, %d bytes", err, pool.Peak())
	}
}

// TestPagesEndAfterTheirStepLimit checks that a query with expensive documents ends its pages early, and that the pages
// together contain every row once.
func TestPagesEndAfterTheirStepLimit(t *testing.T) {
	t.Parallel()
	var documents []doc.Value
	for i := range 50 {
		documents = append(documents, doc.Object(doc.Member{Name: "id", Value: doc.String(fmt.Sprintf("%02d", i))},
			doc.Member{Name: "a", Value: doc.Array(doc.Number(1), doc.Number(2))}))
	}
	p := hostileProgram(t, "SELECT VALUE CONCAT(c.id, '-', ToString(x)) FROM c JOIN x IN c.a WHERE c.id != '07'")
	var rows []string
	pages := 0
	for state := (*State)(nil); pages == 0 || state != nil; pages++ {
		b := budget.New(t.Context(), Limits(nil))
		_ = b.Step(sliceSteps - 200)
		var behind []byte
		if state != nil {
			behind = state.ResumeAfter
		}
		page, err := p.Run(t.Context(), documentsOf(documents, behind), state, Options{Budget: b})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range page.Rows {
			rows = append(rows, row.Str())
		}
		if state = page.State; state != nil {
			if state, err = ParseState(state.Append(nil)); err != nil {
				t.Fatal(err)
			}
		}
	}
	seen := map[string]bool{}
	for _, row := range rows {
		seen[row] = true
	}
	if len(rows) != 98 || len(seen) != 98 || pages < 5 {
		t.Errorf("%d rows, %d different, in %d pages", len(rows), len(seen), pages)
	}
}

// skipping is a source that returns one document in ten, and skips the others.
type skipping struct{ Source }

// Next implements Source.
func (s skipping) Next(ctx context.Context) (doc.Value, []byte, bool, error) {
	v, at, ok, err := s.Source.Next(ctx)
	if ok && v.Field("n").Float() == 0 {
		v = doc.Value{}
	}
	return v, at, ok, err
}

// TestPagesEndAmongSkippedDocuments checks that a page that has taken its steps ends where its source skips documents,
// and that the next one continues there. A query that reads everything before its first row does not end there, nor
// does one whose subquery has taken the steps.
func TestPagesEndAmongSkippedDocuments(t *testing.T) {
	t.Parallel()
	w := world{}
	for i := range 100 {
		w.docs = append(w.docs, parseLines(t, fmt.Sprintf(`{"id":"%d","n":%d}`, i, max(0, i%10-8)))...)
	}
	for query, want := range map[string]string{
		"SELECT VALUE c.id FROM c":                                        "[9 19 29 39 49 59 69 79 89 99] in 91 pages",
		"SELECT VALUE x FROM (SELECT DISTINCT VALUE c.id FROM c) x":       "[9 19 29 39 49 59 69 79 89 99] in 1 pages",
		"SELECT VALUE ToString(COUNT(1)) FROM c":                          "[10] in 1 pages",
		"SELECT DISTINCT VALUE c.id FROM c ORDER BY c.n OFFSET 9 LIMIT 9": "[99] in 1 pages",
	} {
		p, err := w.compile(query)
		if err != nil {
			t.Fatal(query, err)
		}
		rows, pages := []string{}, 0
		for state := (*State)(nil); pages == 0 || state != nil && pages < 200; pages++ {
			b := budget.New(t.Context(), Limits(nil))
			_ = b.Step(sliceSteps + 1)
			var behind []byte
			if state != nil {
				behind = state.ResumeAfter
			}
			page, err := p.Run(t.Context(), skipping{documentsOf(w.docs, behind)}, state, Options{Budget: b})
			if err != nil {
				t.Fatal(query, err)
			}
			for _, row := range page.Rows {
				rows = append(rows, row.Str())
			}
			state = page.State
		}
		if got := fmt.Sprintf("%v in %d pages", rows, pages); got != want {
			t.Errorf("%s: %s, not %s", query, got, want)
		}
	}
}

// TestTemporaryValuesAreReleased checks that values which a row makes and does not keep are released with the row.
func TestTemporaryValuesAreReleased(t *testing.T) {
	t.Parallel()
	for value, bytes := range map[string]int64{ // what it makes for one row
		"ARRAY_LENGTH(ARRAY_CONCAT(c.many, [x]))":                                        50_000 * valueBytes,
		"LENGTH(UPPER(c.long)) * ARRAY_LENGTH((SELECT VALUE MAKELIST(y) FROM y IN c.a))": 100_000,
		"LENGTH(UPPER(c.long)) * FIRST(SELECT COUNT(1) AS n FROM y IN c.a).n":            100_000,
	} {
		b := budget.New(t.Context(), Limits(nil))
		query := "SELECT VALUE COUNT(1) FROM c JOIN x IN c.a WHERE " + value + " > 0"
		page, err := hostileProgram(t, query).Run(t.Context(), documentsOf([]doc.Value{hostileItem(t)}, nil), nil,
			Options{Budget: b})
		if err != nil || page.Rows[0].Float() != 300 {
			t.Fatal(err)
		}
		if made := 300 * bytes; b.Peak() > made/50 {
			t.Errorf("%s: %d bytes at once of %d in all", value, b.Peak(), made)
		}
	}
}

// TestOrderByReleasesDroppedRows checks that a page of a large sorted result holds only a page of rows, however many
// it reads.
func TestOrderByReleasesDroppedRows(t *testing.T) {
	t.Parallel()
	b := budget.New(t.Context(), Limits(nil))
	p := hostileProgram(t, "SELECT TOP 20 * FROM c ORDER BY c.createdAt DESC")
	src := &repeated{document: notification(t), at: []byte("12345678"), left: 20_000}
	page, err := p.Run(t.Context(), src, nil, Options{Rows: 1000, Budget: b})
	if err != nil || len(page.Rows) != 20 {
		t.Fatal(err)
	}
	if one := int64(maxBytes - remainingBytes(&src.document, maxBytes)); b.Peak() > 100*one {
		t.Errorf("%d bytes at once, of rows of %d", b.Peak(), one)
	}
}
