package cosmos

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// TestETagsDoNotRepeatAfterARestart writes items before and after a restart with the same seed at the same time: a
// repeated ETag would let a conditional write replace what its client has not read.
func TestETagsDoNotRepeatAfterARestart(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.newContainer(t, "things")
	seen := map[string]bool{}
	for range 3 {
		for i := range 50 {
			w := d.send(t, http.MethodPost, "/dbs/db-things/colls/things/docs\npk: [\"a\"]\nx-ms-documentdb-is-upsert: true\n"+
				fmt.Sprintf(`{"id":"%d","pk":"a"}`, i))
			etag := w.Header().Get("Etag")
			if w.Code >= http.StatusBadRequest || etag == "" || seen[etag] {
				t.Fatalf("write %d, after %d ETags: %d %s, ETag %s", i, len(seen), w.Code, w.Body, etag)
			}
			seen[etag] = true
		}
		d.restart(t)
	}
}

// TestETagsOfContainersDoNotRepeatAfterARestart replaces a container between restarts, at other times and without any
// write of an item.
func TestETagsOfContainersDoNotRepeatAfterARestart(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.newContainer(t, "things")
	seen := map[string]bool{}
	for range 3 {
		w := d.send(t, http.MethodPut, "/dbs/db-things/colls/things\n"+
			`{"id":"things","partitionKey":{"paths":["/pk"],"version":2},"defaultTtl":100}`)
		etag := w.Header().Get("Etag")
		if w.Code >= http.StatusBadRequest || etag == "" || seen[etag] {
			t.Fatalf("after %d ETags: %d %s, ETag %s", len(seen), w.Code, w.Body, etag)
		}
		seen[etag] = true
		d.advance(t, time.Minute)
		d.restart(t)
	}
}

// TestResourceIDsAreNotUsedAgainAfterARestart deletes the only database between restarts at the same time. An SDK that
// lived through that knows the new one by its own resource id, and by ETags of its own.
func TestResourceIDsAreNotUsedAgainAfterARestart(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	seen := map[string]bool{}
	for range 3 {
		database := parsed(t, d.send(t, http.MethodPost, "/dbs\nx-ms-offer-throughput: 400\n"+`{"id":"db"}`).Body.Bytes())
		offer := parsed(t, d.send(t, http.MethodGet, "/offers").Body.Bytes()).Field("Offers").At(0)
		for _, v := range []string{database.Field("_rid").Str(), database.Field("_etag").Str(), offer.Field("_rid").Str()} {
			if v == "" || seen[v] {
				t.Errorf("%q was there before, or is missing", v)
			}
			seen[v] = true
		}
		d.send(t, http.MethodDelete, "/dbs/db")
		d.restart(t)
	}
}

// restart closes the service and opens it again with the same seed.
func (d *testService) restart(t *testing.T) {
	t.Helper()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := New(Config{Store: d.store, Clock: d.clock, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	d.Service = again
}
