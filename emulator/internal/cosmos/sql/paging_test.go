package sql

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// collection is a changing set of documents, in the order of their positions.
type collection struct {
	next int
	docs []stored
}

type stored struct {
	at  []byte
	doc doc.Value
}

func (c *collection) insert(v doc.Value) {
	c.next++
	c.docs = append(c.docs, stored{binary.BigEndian.AppendUint32(nil, uint32(c.next)), v})
}

// ordered returns the documents in the order of a property, as an index does.
func (c *collection) ordered(by string, desc bool) []stored {
	all := slices.Clone(c.docs)
	if by == "" {
		return all
	}
	slices.SortStableFunc(all, func(a, b stored) int {
		if order := doc.Compare(a.doc.Field(by), b.doc.Field(by)); order != 0 {
			return order
		}
		return bytes.Compare(a.at, b.at)
	})
	if desc {
		slices.Reverse(all)
	}
	return all
}

// cursor is a Source that starts after a position. As in an index, the position includes the value, so that it is valid
// even after its document was deleted.
type cursor struct {
	docs []stored
	by   string
}

func (c *collection) open(by string, desc bool, behind []byte) Source {
	all := c.ordered(by, desc)
	if behind != nil {
		all = slices.DeleteFunc(all, func(s stored) bool { return comparePositions(positionOf(s, by), behind, desc) <= 0 })
	}
	return &cursor{all, by}
}

func positionOf(s stored, by string) []byte {
	if by == "" {
		return s.at
	}
	return append([]byte(fmt.Sprintf("%d|%06d|", s.doc.Field(by).Kind(), int(s.doc.Field(by).Float()))), s.at...)
}

func comparePositions(a, b []byte, desc bool) int {
	if desc {
		return bytes.Compare(b, a)
	}
	return bytes.Compare(a, b)
}

func (c *cursor) Next(context.Context) (doc.Value, []byte, bool, error) {
	if len(c.docs) == 0 {
		return doc.Value{}, nil, false, nil
	}
	s := c.docs[0]
	c.docs = c.docs[1:]
	return s.doc, positionOf(s, c.by), true, nil
}

func drawDocument(t *rapid.T, id int) doc.Value {
	members := []doc.Member{{Name: "id", Value: doc.Number(float64(id))}}
	if rapid.IntRange(0, 4).Draw(t, "has") > 0 {
		members = append(members, doc.Member{Name: "v", Value: doc.Number(float64(rapid.IntRange(0, 3).Draw(t, "v")))})
	}
	var tags []doc.Value
	for range rapid.IntRange(0, 3).Draw(t, "tags") {
		tags = append(tags, doc.Number(float64(len(tags))))
	}
	return doc.Object(append(members, doc.Member{Name: "tags", Value: doc.Array(tags...)})...)
}

// TestPagesSurviveChanges reads queries in small pages while documents are inserted and deleted between them: each row
// of a document that stays must appear exactly once.
func TestPagesSurviveChanges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := rapid.SampledFrom([]struct {
			text, by string
			desc     bool
		}{
			{text: "SELECT VALUE {id: c.id} FROM c"},
			{text: "SELECT VALUE {id: c.id, t: t} FROM c JOIN t IN c.tags WHERE c.v > 0"},
			{text: "SELECT VALUE {id: c.id} FROM c ORDER BY c.v"},
			{text: "SELECT VALUE {id: c.id} FROM c ORDER BY c.v", by: "v"},
			{text: "SELECT VALUE {id: c.id, t: t} FROM c JOIN t IN c.tags ORDER BY c.v DESC"},
			{text: "SELECT VALUE {id: c.id, t: t} FROM c JOIN t IN c.tags ORDER BY c.v DESC", by: "v", desc: true},
			{text: "SELECT DISTINCT VALUE {id: c.id} FROM c JOIN t IN c.tags"},
			{text: "SELECT DISTINCT VALUE {id: c.id} FROM c JOIN t IN c.tags ORDER BY c.v DESC"},
			{text: "SELECT c.id FROM c JOIN t IN c.tags GROUP BY c.id"},
		}).Draw(t, "query")
		all := &collection{}
		for i := range rapid.IntRange(0, 12).Draw(t, "documents") {
			all.insert(drawDocument(t, i))
		}
		checkPages(t, q.text, q.by, q.desc, all)
	})
}

func checkPages(t *rapid.T, text, by string, desc bool, all *collection) {
	w := world{}
	p, err := w.compile(text)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Rows: rapid.IntRange(1, 4).Draw(t, "rows"), Ordered: by != ""}
	got := map[string]int{}
	var state *State
	for pages := 0; ; pages++ {
		var behind []byte
		if state != nil {
			behind = state.ResumeAfter
		}
		page, err := p.Run(context.Background(), all.open(by, desc, behind), state, o)
		if err != nil || len(page.Rows) > o.Rows || pages > 200 {
			t.Fatal(err, len(page.Rows), pages)
		}
		for _, row := range page.Rows {
			got[row.JSON()]++
		}
		if page.State == nil {
			break
		}
		if state, err = ParseState(page.State.Append(nil)); err != nil {
			t.Fatal(err)
		}
		change(t, all)
	}
	left, err := p.Run(context.Background(), all.open(by, desc, nil), nil, Options{Ordered: by != ""})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range left.Rows {
		id := int(row.Field("id").Float())
		if n := got[row.JSON()]; n > 1 || n == 0 && id < 100 {
			t.Fatalf("%s came %d times", row.JSON(), n)
		}
	}
}

// change deletes a document, or inserts one with an id above 100.
func change(t *rapid.T, all *collection) {
	switch rapid.IntRange(0, 2).Draw(t, "change") {
	case 0:
		if len(all.docs) > 0 {
			i := rapid.IntRange(0, len(all.docs)-1).Draw(t, "deleted")
			all.docs = slices.Delete(all.docs, i, i+1)
		}
	case 1:
		all.insert(drawDocument(t, 100+all.next))
	}
}

// TestLongValuesStayOutOfStates reads queries whose states would contain long values: the states are short enough for a
// header, and the pages have the same rows as a single page.
func TestLongValuesStayOutOfStates(t *testing.T) {
	t.Parallel()
	w := world{}
	for i := range 12 {
		text := strings.Repeat("x", i%3*20_000) + strconv.Itoa(i%5)
		w.docs = append(w.docs, parseLines(t, fmt.Sprintf(`{"id":"%d","text":%q}`, i, text))...)
	}
	for _, query := range []string{"SELECT VALUE c.id FROM c ORDER BY c.text", "SELECT DISTINCT VALUE c.text FROM c",
		"SELECT VALUE c.id FROM c ORDER BY c.text DESC OFFSET 3 LIMIT 8", "SELECT DISTINCT * FROM c",
		"SELECT c.text, COUNT(1) AS n FROM c GROUP BY c.text", "SELECT DISTINCT VALUE c.text FROM c ORDER BY c.id"} {
		p, err := w.compile(query)
		if err != nil {
			t.Fatal(query, err)
		}
		whole, err := w.pages(t, p, Options{})
		if err != nil || len(whole) != 1 {
			t.Fatal(query, err)
		}
		var state *State
		var rows []doc.Value
		for {
			page, err := p.Run(t.Context(), documentsOf(w.docs, nil), state, Options{Rows: 2})
			if err != nil {
				t.Fatal(query, err)
			}
			if rows = append(rows, page.Rows...); page.State == nil {
				break
			}
			text := page.State.Append(nil)
			if len(text) > 5_000 || !page.State.Collected() {
				t.Errorf("%s: a state of %d bytes", query, len(text))
			}
			if state, err = ParseState(text); err != nil {
				t.Fatal(query, err)
			}
		}
		one := slices.Clone(whole[0])
		if !strings.Contains(query, "ORDER BY") { // a single page has the order of the documents
			slices.SortFunc(one, doc.Compare)
			slices.SortFunc(rows, doc.Compare)
		}
		if slices.CompareFunc(one, rows, doc.Compare) != 0 {
			t.Errorf("%s: pages of %d rows, not %d", query, len(rows), len(one))
		}
	}
}
