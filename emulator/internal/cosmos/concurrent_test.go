package cosmos

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/tabletop-db/tabletop/internal/testutil/concurrently"
)

// seen is an item as a reader of a change feed sees it.
type seen struct {
	Writer string `json:"pk"`
	ID     string `json:"id"`
	N      int    `json:"n"`
}

// follow reads a change feed from a continuation to its end and returns the new continuation.
func (d *testService) follow(t *testing.T, mode, etag string, visit func(seen)) string {
	t.Helper()
	for {
		header := http.Header{"A-Im": {mode}, "X-Ms-Max-Item-Count": {"10"},
			"X-Ms-Cosmos-Changefeed-Wire-Format-Version": {"2021-09-15"}}
		if etag != "" {
			header["If-None-Match"] = []string{etag}
		}
		w := d.do(t, http.MethodGet, "/dbs/db/colls/c/docs", header, nil)
		if etag = w.Header().Get("Etag"); w.Code == http.StatusNotModified {
			return etag
		}
		var page struct {
			Documents []struct{ Current seen }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || w.Code != http.StatusOK {
			t.Errorf("%d %s: %v", w.Code, w.Body, err)
			return etag
		}
		for _, one := range page.Documents {
			visit(one.Current)
		}
	}
}

// TestChangeFeedReadersMissNothing follows both change feeds during concurrent writes. The latest-version feed must end
// with each item's last version; the feed of all versions must contain every version, in the order of its writer.
func TestChangeFeedReadersMissNothing(t *testing.T) {
	t.Parallel()
	const writers, each, ids = 6, 60, 7
	d := newTestService(t)
	d.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	d.send(t, http.MethodPost, "/dbs/db/colls\n"+
		`{"id":"c","partitionKey":{"paths":["/pk"]},"changeFeedPolicy":{"retentionDuration":60}}`)
	var wg sync.WaitGroup
	atAll := d.follow(t, "Full-Fidelity Feed", "*", func(seen) {})
	for w := range writers {
		wg.Go(func() {
			for n := range each {
				answer := d.send(t, http.MethodPost,
					fmt.Sprintf("/dbs/db/colls/c/docs\npk: [\"%d\"]\nx-ms-documentdb-is-upsert: true\n"+`{"id":"%d","pk":"%d","n":%d}`,
						w, n%ids, w, n))
				if answer.Code >= http.StatusBadRequest {
					t.Errorf("%d %s", answer.Code, answer.Body)
				}
			}
		})
	}
	latest, next, atLatest := map[string]int{}, map[string]int{}, ""
	concurrently.ReadUntilDone(&wg, func() {
		atLatest = d.follow(t, "Incremental Feed", atLatest, func(s seen) { latest[s.Writer+"/"+s.ID] = s.N })
		atAll = d.follow(t, "Full-Fidelity Feed", atAll, func(s seen) {
			if next[s.Writer] != s.N {
				t.Errorf("writer %s: version %d came after %d", s.Writer, s.N, next[s.Writer]-1)
			}
			next[s.Writer] = s.N + 1
		})
	})
	for w := range writers {
		if n := next[fmt.Sprint(w)]; n != each {
			t.Errorf("writer %d: %d versions of %d", w, n, each)
		}
		for n := each - ids; n < each; n++ {
			if got := latest[fmt.Sprintf("%d/%d", w, n%ids)]; got != n {
				t.Errorf("writer %d: item %d ends with %d, not %d", w, n%ids, got, n)
			}
		}
	}
}

// TestContainersCanBeDeletedDuringRequests checks that requests fail with OwnerNotFound if their container is deleted
// while they run.
func TestContainersCanBeDeletedDuringRequests(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	var wg sync.WaitGroup
	stop := make(chan struct{})
	requests := []string{"POST /dbs/db/colls/c/docs\npk: [\"a\"]\nx-ms-documentdb-is-upsert: true\n" +
		`{"id":"1","pk":"a","ttl":1}`, "GET /dbs/db/colls/c/docs/1\npk: [\"a\"]\n",
		"GET /dbs/db/colls/c/docs\na-im: Incremental Feed\n",
		"POST /dbs/db/colls/c/docs\ncontent-type: application/query+json\nx-ms-documentdb-query-enablecrosspartition: true\n" +
			`{"query":"SELECT * FROM c"}`,
		"POST /dbs/db/colls/c/docs\npk: [\"a\"]\nx-ms-cosmos-is-batch-request: true\n" +
			`[{"operationType":"Upsert","resourceBody":{"id":"2","pk":"a"}}]`}
	for _, text := range requests {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				var method, rest string
				if _, err := fmt.Sscanf(text, "%s ", &method); err != nil {
					t.Error(err)
					return
				}
				rest = text[len(method)+1:]
				if w := d.send(t, method, rest); w.Code >= http.StatusInternalServerError || w.Code == http.StatusBadRequest {
					t.Errorf("%s: %d %s", text, w.Code, w.Body)
				}
			}
		})
	}
	for range 20 {
		for _, request := range [][2]string{{http.MethodPost, "/dbs/db/colls\n" +
			`{"id":"c","partitionKey":{"paths":["/pk"]},"defaultTtl":-1}`}, {http.MethodDelete, "/dbs/db/colls/c"}} {
			if w := d.send(t, request[0], request[1]); w.Code >= http.StatusBadRequest {
				t.Errorf("%v: %d %s", request, w.Code, w.Body)
			}
		}
	}
	close(stop)
	wg.Wait()
}
