package cosmos

import (
	"fmt"
	"net/http"
	"testing"
)

// TestPageHasRowsOfOnePhysicalPartition reads a container of five physical partitions with pages large enough for
// all its items: each page contains the items of one partition, and the last is not followed by an empty one.
func TestPageHasRowsOfOnePhysicalPartition(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	d.send(t, http.MethodPost, "/dbs/db/colls\nx-ms-offer-throughput: 25100\n"+
		`{"id":"c","partitionKey":{"paths":["/id"]}}`)
	const items = 20
	by := map[string]int{}
	for i := range items {
		w := d.send(t, http.MethodPost, fmt.Sprintf("/dbs/db/colls/c/docs\npk: [\"%d\"]\n{\"id\":\"%d\"}", i, i))
		by[w.Header().Get("X-Ms-Documentdb-Partitionkeyrangeid")]++
	}
	m := &merger{testService: d, path: "/dbs/db/colls/c/docs"}
	body, token, pages, rows := queryBody("SELECT * FROM c"), "", 0, 0
	for pages == 0 || token != "" {
		status, v, next := m.ask(t, body, "X-Ms-Documentdb-Query-Enablecrosspartition", "True", "X-Ms-Continuation", token)
		n := v.Field("Documents").Len()
		if status != http.StatusOK || n == 0 || n == items {
			t.Fatalf("page %d: %d, %d rows", pages, status, n)
		}
		pages, rows, token = pages+1, rows+n, next
	}
	if pages != len(by) || rows != items {
		t.Errorf("%d rows in %d pages; the items are in the partitions %v", rows, pages, by)
	}
}
