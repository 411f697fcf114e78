package cosmos

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/naive"
)

// TestServiceMatchesNaiveEvaluator runs random queries over random items of one logical partition, page by
// page, with the indexes that each query may build.
func TestServiceMatchesNaiveEvaluator(t *testing.T) {
	t.Parallel()
	d := newTestService(t).indexed(true)
	d.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	for seed := range uint64(40) {
		g := naive.NewGenerator(seed)
		w := g.World()
		m := d.random(t, world{name: fmt.Sprint("c", seed), rate: 400, parts: 1}, w)
		for range 12 {
			agree(t, m, w, g.Query())
		}
	}
}

// world describes the container for a random world: its throughput, and the number of its logical partitions.
type world struct {
	name        string
	rate, parts int
}

// random creates a container with a world's documents, and replaces the world's documents with those of the container.
func (d *testService) random(t *testing.T, made world, w *naive.World) *merger {
	t.Helper()
	d.send(t, http.MethodPost, fmt.Sprintf("/dbs/db/colls\nx-ms-offer-throughput: %d\n", made.rate)+
		`{"id":"`+made.name+`","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`)
	for i := range w.Documents {
		key := fmt.Sprint("p", i%made.parts)
		w.Documents[i] = w.Documents[i].With("pk", doc.String(key))
		answer := d.send(t, http.MethodPost, "/dbs/db/colls/"+made.name+"/docs\npk: [\""+key+"\"]\n"+w.Documents[i].JSON())
		if answer.Code != http.StatusCreated {
			t.Fatal(answer.Body)
		}
		stored, err := doc.Parse(answer.Body.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		w.Documents[i] = stored
	}
	return &merger{d, "/dbs/db/colls/" + made.name + "/docs", 2}
}

func agree(t *testing.T, m *merger, w *naive.World, q *ast.Query) {
	t.Helper()
	q, err := sql.Parse(q.String())
	if err != nil {
		t.Fatal(err)
	}
	want := w.Expect(q)
	if want.Open || errors.Is(want.Err, naive.ErrNotFinite) || !ordersByIndex(q) {
		return
	}
	got := m.drain(t, queryBody(q.String(), parametersOf(w)...), "X-Ms-Documentdb-Partitionkey", `["p0"]`)
	if !want.Allows(got) {
		t.Errorf("%s\n%s\nnot %s", q, doc.Array(got...).JSON(), doc.Array(want.Rows...).JSON())
	}
}

// ordersByIndex reports whether the default indexing policy supports the ORDER BY: a single path, without array
// elements.
func ordersByIndex(q *ast.Query) bool {
	return q.OrderBy == nil || len(q.OrderBy.Items) == 1 && !strings.Contains(ast.Print(q.OrderBy.Items[0].Expr), "[")
}

// parametersOf returns a world's parameters, alternating between name and value.
func parametersOf(w *naive.World) (all []any) {
	for name, value := range w.Params {
		all = append(all, name, value)
	}
	return all
}
