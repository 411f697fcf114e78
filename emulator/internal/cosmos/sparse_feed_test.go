package cosmos

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

const sparseFeed = "/dbs/db/colls/c/docs"

// TestFeedThatSkipsManyItemsEndsItsPagesEarly reads feeds of the one item that follows 40 MB of others: a page ends
// before it has visited them all, empty and with a continuation, so that no request holds or visits a whole container.
func TestFeedThatSkipsManyItemsEndsItsPagesEarly(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	d.send(t, http.MethodPost, "/dbs/db/colls\n"+`{"id":"c","partitionKey":{"paths":["/pk"],"version":2},`+
		`"indexingPolicy":{"indexingMode":"none","automatic":false},"changeFeedPolicy":{"retentionDuration":60}}`)
	versions := http.Header{"A-Im": {"Full-Fidelity Feed"}, "If-None-Match": {"*"},
		"X-Ms-Documentdb-Partitionkey": {`["rare"]`}}
	now := d.do(t, http.MethodGet, sparseFeed, versions, nil)
	versions.Set("If-None-Match", now.Header().Get("Etag"))
	filler := strings.Repeat("x", 2_000_000)
	for i := range 20 {
		d.send(t, http.MethodPost, fmt.Sprintf(sparseFeed+"\npk: [\"common\"]\n"+
			`{"id":"%d","pk":"common","filler":%q}`, i, filler))
	}
	if w := d.send(t, http.MethodPost, sparseFeed+"\npk: [\"rare\"]\n"+
		`{"id":"1","pk":"rare"}`); w.Code != http.StatusCreated {
		t.Fatal(w.Code, w.Body)
	}
	key := &d.Catalog.Container("db", "c").Definition.Load().Key
	low, high := key.Range(doc.PartitionKey{doc.String("rare")})
	for name, header := range map[string]http.Header{
		"latest versions": {"A-Im": {"Incremental Feed"}, "X-Ms-Documentdb-Partitionkey": {`["rare"]`}},
		"all versions":    versions,
		"items": {"X-Ms-Read-Key-Type": {"EffectivePartitionKeyRange"}, "X-Ms-Start-Epk": {low.Hex()},
			"X-Ms-End-Epk": {high.Hex()}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if counts := d.pageCounts(t, header.Clone()); fmt.Sprint(counts) != "[0 1]" {
				t.Errorf("pages of %v items", counts)
			}
			gone, leave := context.WithCancel(t.Context())
			leave()
			w := httptest.NewRecorder()
			d.ServeHTTP(w, d.signedRequest(http.MethodGet, sparseFeed, header, nil).WithContext(gone))
			if w.Code != http.StatusServiceUnavailable {
				t.Errorf("a client that is gone gets %d", w.Code)
			}
		})
	}
}

// TestQueriesSkipManyItems reads the one item of a range of hashes that follows thousands of others.
func TestQueriesSkipManyItems(t *testing.T) {
	t.Parallel()
	d := newTestService(t).indexed(false)
	d.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	d.send(t, http.MethodPost, "/dbs/db/colls\n"+`{"id":"c","partitionKey":{"paths":["/pk"],"version":2}}`)
	for i := range 3000 {
		pk := "common"
		if i == 2500 {
			pk = "rare"
		}
		d.send(t, http.MethodPost, fmt.Sprintf(sparseFeed+"\npk: [%q]\n"+`{"id":"%d","pk":%[1]q}`, pk, i))
	}
	low, high := d.Catalog.Container("db", "c").Definition.Load().Key.Range(doc.PartitionKey{doc.String("rare")})
	for query, want := range map[string]string{"SELECT VALUE c.id FROM c": `["2500"]`,
		"SELECT VALUE COUNT(1) FROM c":           "[1]",
		"SELECT VALUE c.id FROM c ORDER BY c.id": `["2500"]`, "SELECT DISTINCT VALUE c.pk FROM c": `["rare"]`} {
		w := d.send(t, http.MethodPost, sparseFeed+"\nx-ms-documentdb-isquery: true\nx-ms-read-key-type: "+
			"EffectivePartitionKeyRange\nx-ms-start-epk: "+low.Hex()+"\nx-ms-end-epk: "+high.Hex()+"\n"+
			`{"query":"`+query+`"}`)
		if got := parsed(t, w.Body.Bytes()).Field("Documents").JSON(); got != want ||
			w.Header().Get("X-Ms-Continuation") != "" {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
}

// pageCounts reads a feed to its end and returns how many items each page has.
func (d *testService) pageCounts(t *testing.T, header http.Header) (counts []int) {
	t.Helper()
	for len(counts) < 3 {
		w := d.do(t, http.MethodGet, sparseFeed, header, nil)
		if w.Code == http.StatusNotModified {
			break
		}
		if w.Code != http.StatusOK {
			t.Fatal(w.Code, w.Body)
		}
		counts = append(counts, parsed(t, w.Body.Bytes()).Field("Documents").Len())
		if etag := w.Header().Get("Etag"); etag != "" {
			header.Set("If-None-Match", etag)
		} else if next := w.Header().Get("X-Ms-Continuation"); next != "" {
			header.Set("X-Ms-Continuation", next)
		} else {
			break
		}
	}
	return counts
}

// TestFeedFromAPointInTimeHasNoOlderItems reads the changes since a time before which more was written than a page
// visits. The SDKs for Java and Python repeat the time on each page, that for .NET does not.
func TestFeedFromAPointInTimeHasNoOlderItems(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	d.send(t, http.MethodPost, "/dbs/db/colls\n"+`{"id":"c","partitionKey":{"paths":["/pk"],"version":2},`+
		`"indexingPolicy":{"indexingMode":"none","automatic":false}}`)
	create := func(id int, filler string) {
		w := d.send(t, http.MethodPost, fmt.Sprintf(sparseFeed+"\npk: [\"a\"]\n"+`{"id":"%d","pk":"a","filler":%q}`, id,
			filler))
		if w.Code != http.StatusCreated {
			t.Fatal(w.Code, w.Body)
		}
	}
	for i := range 20 {
		create(i, strings.Repeat("x", 2_000_000))
	}
	since := start.Add(time.Minute).Format(http.TimeFormat)
	d.clock.Advance(time.Hour)
	for i := range 2 {
		create(100+i, "")
	}
	for _, repeats := range []bool{true, false} {
		header := http.Header{"A-Im": {"Incremental Feed"}, "If-Modified-Since": {since}, "X-Ms-Max-Item-Count": {"1"}}
		var ids []string
		for range 10 {
			w := d.do(t, http.MethodGet, sparseFeed, header, nil)
			if w.Code == http.StatusNotModified {
				break
			}
			for _, v := range parsed(t, w.Body.Bytes()).Field("Documents").Elements() {
				ids = append(ids, v.Field("id").Str())
			}
			header.Set("If-None-Match", w.Header().Get("Etag"))
			if !repeats {
				header.Del("If-Modified-Since")
			}
		}
		if fmt.Sprint(ids) != "[100 101]" {
			t.Errorf("time repeated: %v; items %v", repeats, ids)
		}
	}
}
