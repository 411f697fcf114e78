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

// TestMergedRowsMatchNaiveEvaluator runs random queries over random items of five physical partitions, merged
// as SDKs do. It ignores the order of rows, which other tests check with queries whose order does not depend on the
// partitions.
func TestMergedRowsMatchNaiveEvaluator(t *testing.T) {
	t.Parallel()
	d := newTestService(t).indexed(true)
	d.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	for seed := range uint64(40) {
		g := naive.NewGenerator(seed)
		w := g.World()
		m := d.random(t, world{name: fmt.Sprint("c", seed), rate: 30_000, parts: 7}, w)
		for range 12 {
			agreeMerged(t, m, w, g.Query())
		}
	}
}

func agreeMerged(t *testing.T, m *merger, w *naive.World, q *ast.Query) {
	t.Helper()
	q, err := sql.Parse(q.String())
	if err != nil {
		t.Fatal(err)
	}
	want, uncut := w.Expect(q), *q
	uncut.Select.Top, uncut.OffsetLimit = nil, nil
	all := w.Expect(&uncut)
	if want.Open || errors.Is(all.Err, naive.ErrNotFinite) || !ordersByIndex(q) || strings.Contains(q.String(), "MAKE") {
		return
	}
	if m.composes(t, queryBody(q.String(), parametersOf(w)...)) {
		return
	}
	got := m.query(t, q.String(), parametersOf(w)...)
	if !all.Contains(got) || len(got) != len(want.Rows) {
		t.Errorf("%s\n%s\nnot %s", q, doc.Array(got...).JSON(), doc.Array(want.Rows...).JSON())
	}
}

// composes reports whether a query computes something from an aggregate, which the service cannot plan.
func (m *merger) composes(t *testing.T, body []byte) bool {
	t.Helper()
	status, answer, _ := m.ask(t, body, "X-Ms-Cosmos-Is-Query-Plan-Request", "True",
		"X-Ms-Cosmos-Supported-Query-Features", allFeatures)
	return status == http.StatusBadRequest && strings.Contains(answer.Field("message").Str(), "Compositions of aggregates")
}
