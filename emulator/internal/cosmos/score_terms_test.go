package cosmos

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// TestTermsOfScoresMayBeAnArray ranks by terms one by one and in an array, within a partition and by the plan of all.
func TestTermsOfScoresMayBeAnArray(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	d.send(t, http.MethodPost, "/dbs/db/colls\nx-ms-offer-throughput: 12000\n"+`{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`)
	for i, text := range []string{"calm", "a storm", "storm at sea", "sea and sand"} {
		d.send(t, http.MethodPost, fmt.Sprintf("/dbs/db/colls/c/docs\npk: [\"%d\"]\n{\"id\":\"%d\",\"pk\":\"%d\",\"text\":%q}", i, i, i, text))
	}
	m := &merger{desk: d, path: "/dbs/db/colls/c/docs", page: 10}
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
	status, own, _ := m.ask(t, queryBody(`SELECT VALUE c.id FROM c ORDER BY RANK FullTextScore(c.text, ['storm'])`), "X-Ms-Documentdb-Partitionkey", `["1"]`)
	if rows := own.Field("Documents"); status != http.StatusOK || !doc.Equal(rows, doc.Array(doc.String("1"))) {
		t.Errorf("%d %s", status, own.JSON())
	}
}
