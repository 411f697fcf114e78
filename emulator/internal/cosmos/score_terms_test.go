package cosmos

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// TestScoreTermsCanBeAnArray ranks by single terms and by an array of terms, within a partition and by the plan for
// all partitions.
func TestScoreTermsCanBeAnArray(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	d.send(t, http.MethodPost, "/dbs/db/colls\nx-ms-offer-throughput: 12000\n"+
		`{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`)
	for i, text := range []string{"calm", "a storm", "storm at sea", "sea and sand"} {
		d.send(t, http.MethodPost,
			fmt.Sprintf("/dbs/db/colls/c/docs\npk: [\"%d\"]\n{\"id\":\"%d\",\"pk\":\"%d\",\"text\":%q}", i, i, i, text))
	}
	m := &merger{testService: d, path: "/dbs/db/colls/c/docs", page: 10}
	ids := func(terms string) string {
		var all []string
		for _, row := range m.query(t, `SELECT TOP 3 c.id FROM c ORDER BY RANK FullTextScore(c.text, `+terms+`)`) {
			all = append(all, row.Field("id").Str())
		}
		return strings.Join(all, ",")
	}
	want := ids(`'storm', 'sea'`)
	if got := ids(`['storm', 'sea']`); got != want || !strings.HasPrefix(want, "2,") {
		t.Errorf("the array ranks %s, the terms one by one %s", got, want)
	}
	status, own, _ := m.ask(t, queryBody(`SELECT VALUE c.id FROM c ORDER BY RANK FullTextScore(c.text, ['storm'])`),
		"X-Ms-Documentdb-Partitionkey", `["1"]`)
	if rows := own.Field("Documents"); status != http.StatusOK || !doc.Equal(rows, doc.Array(doc.String("1"))) {
		t.Errorf("%d %s", status, own.JSON())
	}
}

// TestNegativeWeightsReverseRanks ranks by weights and by their negatives, within a partition and by the plan for
// all partitions: the second order must be the reverse of the first.
func TestNegativeWeightsReverseRanks(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	d.send(t, http.MethodPost, "/dbs/db/colls\nx-ms-offer-throughput: 12000\n"+
		`{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`)
	for i, text := range []string{"sea", "sea one two", "sea one two three four five",
		"sea one two three four five six seven eight"} {
		for _, pk := range []string{"p", fmt.Sprint(i)} {
			d.send(t, http.MethodPost,
				fmt.Sprintf("/dbs/db/colls/c/docs\npk: [%q]\n{\"id\":\"%d\",\"pk\":%q,\"text\":%q,\"all\":%t}", pk, i, pk,
					text, pk != "p"))
		}
	}
	m := &merger{testService: d, path: "/dbs/db/colls/c/docs", page: 10}
	ids := func(rows []doc.Value) string {
		var all []string
		for _, row := range rows {
			all = append(all, row.Field("id").Str())
		}
		return strings.Join(all, ",")
	}
	for weights, want := range map[string]string{"[1, 1]": "0,1,2,3", "[-1, -1]": "3,2,1,0"} {
		rank := ` ORDER BY RANK RRF(FullTextScore(c.text, 'sea'), FullTextScore(c.text, 'sea'), ` + weights + `)`
		if got := ids(m.query(t, `SELECT TOP 4 c.id FROM c WHERE c.all`+rank)); got != want {
			t.Errorf("all by %s: %s", weights, got)
		}
		_, own, _ := m.ask(t, queryBody(`SELECT TOP 4 c.id FROM c`+rank), "X-Ms-Documentdb-Partitionkey", `["p"]`)
		if got := ids(own.Field("Documents").Elements()); got != want {
			t.Errorf("a partition by %s: %s %s", weights, got, own.JSON())
		}
	}
}
