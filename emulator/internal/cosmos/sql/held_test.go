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

// large is a source of left documents, each with a text and an array of about 100 KB of its own.
type large struct {
	t    testing.TB
	left int
}

// Next implements Source.
func (l *large) Next(context.Context) (doc.Value, []byte, bool, error) {
	if l.left--; l.left < 0 {
		return doc.Value{}, nil, false, nil
	}
	v, err := doc.Parse(fmt.Appendf(nil, `{"id":"%d","text":"%[1]d%s","list":[%s%[1]d]}`, l.left,
		strings.Repeat("w", 100_000), strings.Repeat("1,", 1_250)))
	if err != nil {
		l.t.Fatal(err)
	}
	return v, position(l.left), true, nil
}

// TestComparedValuesCountAgainstTheBudget checks that the memory of a sort, a ranking or a group is counted while it
// grows, including keys, texts and arrays that are compared but appear in no row. So a query that needs too much fails
// as soon as its memory is used up.
func TestComparedValuesCountAgainstTheBudget(t *testing.T) {
	t.Parallel()
	const documents, bytes = 50, 1 << 20
	for _, query := range []string{
		"SELECT c.id FROM c ORDER BY c.text",
		"SELECT c.id FROM c ORDER BY c.list",
		"SELECT c.id FROM c ORDER BY RANK FullTextScore(c.text, 'word')",
		"SELECT c.id FROM c ORDER BY RANK RRF(FullTextScore(c.text, 'word'), FullTextScore(c.text, 'other'))",
		"SELECT DISTINCT VALUE [c.text, c.list] FROM c",
		"SELECT DISTINCT c.text, c.list FROM c ORDER BY c.id",
		"SELECT c.text, COUNT(1) AS n FROM c GROUP BY c.text",
		"SELECT VALUE MAKELIST(c.text) FROM c",
		"SELECT VALUE x FROM (SELECT VALUE c.text FROM c) x",
		"SELECT c.text FROM c",
	} {
		b := budget.New(t.Context(), budget.Limits{Bytes: bytes})
		src := &large{t, documents}
		var refused *Error
		_, err := hostileProgram(t, query).Run(t.Context(), src, nil, Options{Budget: b})
		if given := documents - src.left; !errors.As(err, &refused) || refused.Code != "SC3009" || given > 2*bytes/100_000 {
			t.Errorf("%s: %v, after %d documents of 100 KB", query, err, given)
		}
	}
}

// TestDuplicatesAreNotHeld reads 20,000 rows of which two are distinct, in a page of any size, with the memory of
// 2,000.
func TestDuplicatesAreNotHeld(t *testing.T) {
	t.Parallel()
	w, text := world{}, strings.Repeat("x", 500)
	for i := range 20_000 {
		w.docs = append(w.docs, parseLines(t, fmt.Sprintf(`{"id":"%d","a":"%s","b":%d}`, i, text, i%2))...)
	}
	for _, query := range []string{"SELECT DISTINCT c.a, c.b FROM c", "SELECT DISTINCT VALUE LOWER(c.a) FROM c",
		"SELECT DISTINCT c.a, c.b FROM c ORDER BY c.b, c.a", "SELECT DISTINCT c.a FROM c ORDER BY c.id"} {
		for _, rows := range []int{0, 1, 1000} {
			p, err := w.compile(query)
			if err != nil {
				t.Fatal(err)
			}
			b := budget.New(t.Context(), budget.Limits{Bytes: 5 << 20})
			page, err := p.Run(t.Context(), documentsOf(w.docs, nil), nil, Options{Rows: rows, Budget: b})
			if err != nil || len(page.Rows) == 0 {
				t.Errorf("%s, %d rows a page: %v", query, rows, err)
			}
		}
	}
}

// TestSetsCountEachValueOnce gathers one text of 100 KB from 300 rows: MAKESET holds it once, with a key. So that is
// what counts against the budget, however many rows have it.
func TestSetsCountEachValueOnce(t *testing.T) {
	t.Parallel()
	const text = 100_000
	for function, held := range map[string]int64{"MAKESET": 1, "MAKELIST": 300} {
		b := budget.New(t.Context(), Limits(nil))
		p := hostileProgram(t, "SELECT VALUE ARRAY_LENGTH("+function+"(c.long)) FROM c JOIN x IN c.a")
		page, err := p.Run(t.Context(), documentsOf([]doc.Value{hostileItem(t)}, nil), nil, Options{Budget: b})
		if err != nil || page.Rows[0].Float() != float64(held) {
			t.Fatal(function, page, err)
		}
		if b.Peak() < held*text || b.Peak() > 3*held*text {
			t.Errorf("%s: %d bytes, of %d texts of %d bytes", function, b.Peak(), held, text)
		}
	}
}

// TestConstantsCountAgainstTheBudget checks that constant expressions, which are evaluated before the first row, share
// one budget, which ends when the client disconnects.
func TestConstantsCountAgainstTheBudget(t *testing.T) {
	t.Parallel()
	w := world{params: map[string]doc.Value{"@many": hostileItem(t).Field("many")}}
	query := "SELECT VALUE 1 FROM c WHERE c.n = 0" + strings.Repeat(" AND c.n = ARRAY_LENGTH(SETUNION(@many, @many))", 400)
	q, err := Parse(query)
	if err != nil {
		t.Fatal(err)
	}
	work := budget.New(t.Context(), budget.Limits{Steps: maxSteps / 64})
	p, err := Compile(q, Params{Values: w.params, Budget: work})
	if err != nil {
		t.Fatal(err)
	}
	if work.Steps() > maxSteps/16 {
		t.Errorf("%d steps, of %d that it may take", work.Steps(), maxSteps/64)
	}
	var refused *Error
	if _, err := p.Run(t.Context(), documentsOf(nil, nil), nil, Options{Budget: work}); !errors.As(err, &refused) ||
		refused.Code != "SC3009" {
		t.Errorf("beyond its budget: %v", err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	work = budget.New(gone, Limits(nil))
	if _, err := Compile(q, Params{Values: w.params, Budget: work}); err != nil || work.Steps() > 30<<20 {
		t.Errorf("without its client: %v, %d steps", err, work.Steps())
	}
}

// TestRankingsStopWithTheirBudget ranks texts by many terms with too few steps: the ranking ends soon after them. With
// enough, it releases the words of a text before it reads the next one.
func TestRankingsStopWithTheirBudget(t *testing.T) {
	t.Parallel()
	const documents, steps = 50, 1 << 20
	p := hostileProgram(t, "SELECT c.id FROM c ORDER BY RANK FullTextScore(c.text, 'word'"+strings.Repeat(", 'other'", 10)+")")
	b := budget.New(t.Context(), budget.Limits{Steps: steps})
	var refused *Error
	if _, err := p.Run(t.Context(), &large{t, documents}, nil, Options{Budget: b}); !errors.As(err, &refused) ||
		b.Steps() > 2*steps {
		t.Errorf("%v, after %d steps of %d", err, b.Steps(), steps)
	}
	b = budget.New(t.Context(), budget.Limits{})
	page, err := p.Run(t.Context(), &large{t, documents}, nil, Options{Budget: b})
	if most := int64(documents * 300_000); err != nil || len(page.Rows) != documents || b.Peak() > most {
		t.Errorf("%v, %d bytes of at most %d", err, b.Peak(), most)
	}
}
