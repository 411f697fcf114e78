package cosmos

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestIndexBuiltWhileReplicasLag queries replicas before and after a batch reaches them, with indexes
// that are built in between: each page must show the items either before or after the batch.
func TestIndexBuiltWhileReplicasLag(t *testing.T) {
	t.Parallel()
	const items = 30
	d := newTestService(t, lagging)
	d.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	d.send(t, http.MethodPost, "/dbs/db/colls\n"+`{"id":"c","partitionKey":{"paths":["/pk"]}}`)
	if w := d.send(t, http.MethodPost, batchOf("a", items, 0)); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if err := d.clock.Advance(time.Minute); err != nil {
		t.Fatal(err)
	}
	batch := strings.TrimSuffix(batchOf("a", items-1, 1), "]") + fmt.Sprintf(`,{"operationType":"Delete","id":"%d"}]`,
		items-1)
	if w := d.send(t, http.MethodPost, batch); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	answers := map[string]int{}
	for i := range 60 {
		filter := []string{"c.n >= 0", "c.id >= '0'", "c.n IN (0, 1)", "c._ts > 0"}[i%4]
		header := http.Header{"X-Ms-Consistency-Level": {"Eventual"}, "Content-Type": {"application/query+json"},
			"X-Ms-Documentdb-Isquery":      {"true"},
			"X-Ms-Documentdb-Partitionkey": {`["a"]`}}
		w := d.do(t, http.MethodPost, "/dbs/db/colls/c/docs", header, fmt.Appendf(nil, `{"query":"SELECT * FROM c WHERE %s"}`,
			filter))
		var page struct{ Documents []seen }
		if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || w.Code != http.StatusOK {
			t.Fatalf("%d %s: %v", w.Code, w.Body, err)
		}
		sum := 0
		for _, one := range page.Documents {
			sum += one.N
		}
		answers[fmt.Sprint(len(page.Documents), " items, ", sum, " of the batch")]++
	}
	before, after := fmt.Sprint(items, " items, 0 of the batch"), fmt.Sprint(items-1, " items, ", items-1, " of the batch")
	if answers[before]+answers[after] != 60 || answers[after] == 0 {
		t.Errorf("the pages have %v", answers)
	}
}
