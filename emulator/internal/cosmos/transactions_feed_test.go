package cosmos

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/tabletop-db/tabletop/internal/testutil/concurrently"
)

// batchOf returns a batch that sets the number of all items of a writer.
func batchOf(writer string, items, n int) string {
	var operations []string
	for i := range items {
		operations = append(operations, fmt.Sprintf(`{"operationType":"Upsert","resourceBody":{"id":"%d","pk":"%s","n":%d}}`,
			i, writer, n))
	}
	return "/dbs/db/colls/c/docs\npk: [\"" + writer +
		"\"]\nx-ms-cosmos-is-batch-request: true\nprefer: return=minimal\n[" + strings.Join(operations, ",") + "]"
}

// TestChangeFeedPagesContainWholeTransactions reads both change feeds, with pages smaller than a transaction, during
// concurrent batches: each page must contain all items of a batch or none.
func TestChangeFeedPagesContainWholeTransactions(t *testing.T) {
	t.Parallel()
	const writers, rounds, items = 4, 30, 7
	d := newTestService(t)
	d.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	d.send(t, http.MethodPost, "/dbs/db/colls\n"+
		`{"id":"c","partitionKey":{"paths":["/pk"]},"changeFeedPolicy":{"retentionDuration":60}}`)
	all := &batchFollower{testService: d, mode: "Full-Fidelity Feed", at: "*"}
	all.page(t, items)
	latest := &batchFollower{testService: d, mode: "Incremental Feed"}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for n := range rounds {
				if w := d.send(t, http.MethodPost, batchOf(fmt.Sprint(w), items, n)); w.Code != http.StatusOK {
					t.Errorf("%d %s", w.Code, w.Body)
				}
			}
		})
	}
	concurrently.ReadUntilDone(&wg, func() {
		for !t.Failed() && (latest.page(t, items) || all.page(t, items)) {
		}
	})
	if all.batches != writers*rounds {
		t.Errorf("%d batches of %d are in the feed of all versions", all.batches, writers*rounds)
	}
}

// batchFollower reads a change feed.
type batchFollower struct {
	*testService
	mode, at string
	batches  int
}

// page reads a page of items, which must contain whole batches. It returns false if there is nothing new.
func (f *batchFollower) page(t *testing.T, items int) bool {
	header := http.Header{"A-Im": {f.mode}, "X-Ms-Max-Item-Count": {"3"},
		"X-Ms-Cosmos-Changefeed-Wire-Format-Version": {"2021-09-15"}}
	if f.at != "" {
		header["If-None-Match"] = []string{f.at}
	}
	w := f.do(t, http.MethodGet, "/dbs/db/colls/c/docs", header, nil)
	if f.at = w.Header().Get("Etag"); w.Code == http.StatusNotModified {
		return false
	}
	var page struct {
		Documents []struct {
			Current  seen
			Metadata struct{ LSN uint64 }
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || w.Code != http.StatusOK {
		t.Errorf("%d %s: %v", w.Code, w.Body, err)
		return false
	}
	counts, numbers := map[string]int{}, map[uint64]string{}
	for _, one := range page.Documents {
		batch := fmt.Sprint(one.Current.Writer, "/", one.Current.N)
		counts[batch]++
		if other, ok := numbers[one.Metadata.LSN]; ok && other != batch {
			t.Errorf("the batches %s and %s have one number, %d", other, batch, one.Metadata.LSN)
		}
		numbers[one.Metadata.LSN] = batch
	}
	for batch, n := range counts {
		if n != items {
			t.Errorf("%s: %d items of the batch %s in a page, not %d", f.mode, n, batch, items)
		}
	}
	if len(numbers) != len(counts) {
		t.Errorf("%s: %d batches have %d numbers", f.mode, len(counts), len(numbers))
	}
	f.batches += len(counts)
	return true
}
