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

// TestTheServiceAgreesWithTheNaiveEvaluator runs random queries over random items of one logical partition, by indexes
// that each query may make, page by page.
func TestTheServiceAgreesWithTheNaiveEvaluator(t *testing.T) {
	t.Parallel()
	d := newDesk(t).indexed(true)
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

// world is what a container is made of for a random world: how many logical partitions its documents are in.
type world struct {
	name        string
	rate, parts int
}

// random makes a container with a world's documents, and makes them those that the container has.
func (d *desk) random(t *testing.T, made world, w *naive.World) *merger {
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

// ordersByIndex says that the default indexing policy allows the order: of one item, and of no array's element.
func ordersByIndex(q *ast.Query) bool {
	return q.OrderBy == nil || len(q.OrderBy.Items) == 1 && !strings.Contains(ast.Print(q.OrderBy.Items[0].Expr), "[")
}

// parametersOf are a world's parameters by turns: name, value.
func parametersOf(w *naive.World) (all []any) {
	for name, value := range w.Params {
		all = append(all, name, value)
	}
	return all
}
