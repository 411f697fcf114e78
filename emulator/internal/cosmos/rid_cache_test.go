package cosmos

import (
	"net/http"
	"strings"
	"testing"
)

// TestCachedRIDsNeverGoStale reads items whose rids are cached: one that was deleted and created again, and one of a
// store whose content was replaced, where numbers start again.
func TestCachedRIDsNeverGoStale(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	fill := func(ids ...string) {
		d.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
		d.send(t, http.MethodPost, "/dbs/db/colls\n"+`{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`)
		for _, id := range ids {
			if w := d.send(t, http.MethodPost, "/dbs/db/colls/c/docs\npk: [\"a\"]\n"+`{"id":"`+id+
				`","pk":"a"}`); w.Code != http.StatusCreated {
				t.Fatal(id, w.Code, w.Body)
			}
		}
	}
	read := func(id string, status int) {
		t.Helper()
		for range 2 { // the second time the rid is cached
			w := d.send(t, http.MethodGet, "/dbs/db/colls/c/docs/"+id+"\npk: [\"a\"]\n")
			if w.Code != status || status == http.StatusOK && !strings.Contains(w.Body.String(), `"id":"`+id+`"`) {
				t.Error(id, w.Code, w.Body)
			}
		}
	}
	fill("one", "two")
	read("one", http.StatusOK)
	read("two", http.StatusOK)
	d.send(t, http.MethodDelete, "/dbs/db/colls/c/docs/one\npk: [\"a\"]\n")
	read("one", http.StatusNotFound)
	fill("one")
	read("one", http.StatusOK)
	if err := d.Replace(t.Context(), d.store.Reset); err != nil {
		t.Fatal(err)
	}
	fill("two", "one")
	read("one", http.StatusOK)
	read("two", http.StatusOK)
}
