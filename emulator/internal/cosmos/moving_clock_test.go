package cosmos

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/testutil/concurrently"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// TestPagesWhileTheClockAdvances reads in all ways from lagging replicas, during concurrent batches, while the clock
// advances in steps that let all writes arrive at once: no read fails, a page contains all items of a batch or none, a
// reader of the change feed misses nothing, and a session reads its own writes.
func TestPagesWhileTheClockAdvances(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 2, func(t *testing.T, seed uint64) {
		const writers, rounds, items = 4, 40, 6
		d := newTestService(t, lagging)
		d.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
		d.send(t, http.MethodPost, "/dbs/db/colls\n"+
			`{"id":"c","partitionKey":{"paths":["/pk"]},"changeFeedPolicy":{"retentionDuration":60}}`)
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() { d.writeAndReadBack(t, fmt.Sprint(w), items, rounds) })
		}
		stop := concurrently.Advance(t, seed, 2*time.Second, d.clock.Advance)
		r := &movingReader{testService: d, items: items, random: rand.New(rand.NewPCG(seed, 1)), latest: map[string]int{}}
		concurrently.ReadUntilDone(&wg, func() { r.look(t) })
		stop()
		r.checkFollowed(t, writers, rounds)
	})
}

// writeAndReadBack writes batches to one partition and, after each, reads an item of it in the session.
func (d *testService) writeAndReadBack(t *testing.T, writer string, items, rounds int) {
	for n := range rounds {
		w := d.send(t, http.MethodPost, batchOf(writer, items, n))
		if w.Code != http.StatusOK {
			t.Errorf("%d %s", w.Code, w.Body)
			return
		}
		header := http.Header{"X-Ms-Documentdb-Partitionkey": {`["` + writer + `"]`},
			"X-Ms-Session-Token": {w.Header().Get("X-Ms-Session-Token")}}
		read := d.do(t, http.MethodGet, "/dbs/db/colls/c/docs/0", header, nil)
		var got seen
		if err := json.Unmarshal(read.Body.Bytes(), &got); err != nil || read.Code != http.StatusOK || got.N != n {
			t.Errorf("writer %s reads %d %s after it wrote %d: %v", writer, read.Code, read.Body, n, err)
			return
		}
	}
}

// movingReader reads a container in all ways.
type movingReader struct {
	*testService
	items  int
	random *rand.Rand
	latest map[string]int // the latest number of an item in the change feed
	at     string         // the continuation of the change feed
}

func (r *movingReader) look(t *testing.T) {
	header := http.Header{"X-Ms-Consistency-Level": {"Eventual"}, "X-Ms-Max-Item-Count": {"-1"}}
	switch r.random.IntN(4) {
	case 0:
		header.Set("A-Im", "Incremental Feed")
		r.whole(t, r.do(t, http.MethodGet, "/dbs/db/colls/c/docs", header, nil))
	case 1:
		r.whole(t, r.do(t, http.MethodGet, "/dbs/db/colls/c/docs", header, nil))
	case 2:
		header.Set("Content-Type", "application/query+json")
		header.Set("X-Ms-Documentdb-Isquery", "true")
		header.Set("X-Ms-Documentdb-Query-Enablecrosspartition", "true")
		text := []string{"SELECT * FROM c", "SELECT c.pk, c.id, c.n FROM c WHERE c.n >= 0",
			"SELECT * FROM c WHERE c.pk = '1' ORDER BY c.n DESC"}[r.random.IntN(3)]
		r.whole(t, r.do(t, http.MethodPost, "/dbs/db/colls/c/docs", header, fmt.Appendf(nil, `{"query":%q}`, text)))
	default:
		r.follow(t)
	}
}

// whole checks that a page of all items contains whole batches only.
func (r *movingReader) whole(t *testing.T, w *httptest.ResponseRecorder) {
	if w.Code == http.StatusNotModified {
		return
	}
	var page struct{ Documents []seen }
	if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || w.Code != http.StatusOK {
		t.Errorf("%d %s: %v", w.Code, w.Body, err)
		return
	}
	numbers, counts := map[string]int{}, map[string]int{}
	for _, one := range page.Documents {
		if n, ok := numbers[one.Writer]; ok && n != one.N {
			t.Errorf("a page has the batches %d and %d of writer %s", n, one.N, one.Writer)
		}
		numbers[one.Writer] = one.N
		counts[one.Writer]++
	}
	for writer, n := range counts {
		if n != r.items {
			t.Errorf("a page has %d items of writer %s, which has %d", n, writer, r.items)
		}
	}
}

// follow reads the next page of the change feed.
func (r *movingReader) follow(t *testing.T) {
	header := http.Header{"A-Im": {"Incremental Feed"}, "X-Ms-Max-Item-Count": {"3"},
		"X-Ms-Consistency-Level": {"Eventual"}}
	if r.at != "" {
		header["If-None-Match"] = []string{r.at}
	}
	w := r.do(t, http.MethodGet, "/dbs/db/colls/c/docs", header, nil)
	if w.Code == http.StatusOK {
		var page struct{ Documents []seen }
		if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil {
			t.Error(err)
		}
		for _, one := range page.Documents {
			if name := one.Writer + "/" + one.ID; one.N < r.latest[name] {
				t.Errorf("the change feed goes back from %d to %d", r.latest[name], one.N)
			} else {
				r.latest[name] = one.N
			}
		}
	} else if w.Code != http.StatusNotModified {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	r.at = w.Header().Get("Etag")
}

// checkFollowed reads the change feed to its end, which must contain the last number of every item.
func (r *movingReader) checkFollowed(t *testing.T, writers, rounds int) {
	if err := r.clock.Advance(10 * time.Second); err != nil {
		t.Fatal(err)
	}
	for last := "none"; last != r.at && !t.Failed(); {
		last = r.at
		r.follow(t)
	}
	if len(r.latest) != writers*r.items {
		t.Errorf("the change feed has %d items of %d", len(r.latest), writers*r.items)
	}
	for name, n := range r.latest {
		if n != rounds-1 {
			t.Errorf("the change feed ends with %d for item %s, not %d", n, name, rounds-1)
		}
	}
}
