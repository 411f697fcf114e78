package cosmos

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// newFuzzService returns a service with a container and an item in it.
func newFuzzService(f *testing.F) *testService {
	f.Helper()
	d := newTestService(f)
	for path, body := range map[string]string{"/dbs": `{"id":"db"}`} {
		d.send(f, http.MethodPost, path+"\n"+body)
	}
	w := d.send(f, http.MethodPost,
		"/dbs/db/colls\n"+`{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"defaultTtl":-1,
"changeFeedPolicy":{"retentionDuration":5},"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/a/b"]}]}}`)
	if w.Code != http.StatusCreated {
		f.Fatal(w.Body)
	}
	if w := d.send(f, http.MethodPost, fuzzDocs+"\npk: [\"a\"]\n"+
		`{"id":"1","pk":"a","n":1,"a":[1,{"b":2}]}`); w.Code != http.StatusCreated {
		f.Fatal(w.Body)
	}
	return d
}

const fuzzDocs = "/dbs/db/colls/c/docs"

// must checks what holds for every response: its status is a success or an error of the service, and its body is JSON.
func must(t *testing.T, d *testService, method, path string, header http.Header, body string) {
	t.Helper()
	for _, values := range header {
		if strings.ContainsAny(values[0], "\r\n\x00") {
			return // net/http rejects such a header
		}
	}
	w := d.do(t, method, path, header, []byte(body))
	if w.Code < http.StatusOK || w.Code >= http.StatusInternalServerError {
		t.Fatalf("%s %v %q: %d %s", method, header, body, w.Code, w.Body)
	}
	if w.Body.Len() == 0 {
		return
	}
	if _, err := doc.ParseAny(w.Body.Bytes()); err != nil {
		t.Fatalf("%s %v %q answers %d %q: %v", method, header, body, w.Code, w.Body, err)
	}
}

// FuzzBodies sends bodies to all operations that have one.
func FuzzBodies(f *testing.F) {
	d := newFuzzService(f)
	for _, body := range []string{`{"id":"2","pk":"a","ttl":1}`,
		`{"id":"1","pk":"a","a":{"b":1e400}}`, `[{"operationType":"Create","resourceBody":{"id":"3","pk":"a"}},{"operationType":"Patch","id":"1","resourceBody":{"operations":[{"op":"incr","path":"/n","value":1}]}},{"operationType":"Read","id":"1","ifNoneMatch":"*"}]`,
		`{"condition":"from c where c.n > 0","operations":[{"op":"move","from":"/a/0","path":"/a/-"}]}`, "\x80\xea",
		`[{"operationType":"Delete","id":"1","partitionKey":"[\"a\"]"}]`, `{"id":"` + strings.Repeat("x", 1100) +
			`","pk":"a"}`} {
		f.Add(body)
	}
	key := []string{`["a"]`}
	f.Fuzz(func(t *testing.T, body string) {
		must(t, d, http.MethodPost, fuzzDocs, http.Header{"X-Ms-Documentdb-Partitionkey": key}, body)
		must(t, d, http.MethodPost, fuzzDocs, http.Header{"X-Ms-Documentdb-Partitionkey": key,
			"X-Ms-Documentdb-Is-Upsert": {"true"}}, body)
		must(t, d, http.MethodPut, fuzzDocs+"/1", http.Header{"X-Ms-Documentdb-Partitionkey": key}, body)
		must(t, d, http.MethodPatch, fuzzDocs+"/1", http.Header{"X-Ms-Documentdb-Partitionkey": key}, body)
		for _, atomic := range []string{"true", "false"} {
			must(t, d, http.MethodPost, fuzzDocs, http.Header{"X-Ms-Documentdb-Partitionkey": key,
				"X-Ms-Cosmos-Is-Batch-Request": {"true"},
				"X-Ms-Cosmos-Batch-Atomic":     {atomic}, "X-Ms-Cosmos-Batch-Continue-On-Error": {"true"}}, body)
		}
	})
}

// FuzzHeaders sends headers that select items and pages.
func FuzzHeaders(f *testing.F) {
	d := newFuzzService(f)
	f.Add(`["a"]`, "0:-1#1", `"1"`, "2", "00", "Sat, 21 Nov 2026 12:00:05 GMT")
	f.Add(`[{}]`, "0:1#2#3=4,1:5", "*", "-1", "FF", "yesterday")
	f.Add(`[]`, "7:-1#99999999999999999999", `"1795262400000000000"`, "0", "3", "")
	f.Add(`["\x01\U0001f600"]`, "::", "W/\"0\"", "abc", "zz", "Sat, 21 Nov 0001 12:00:05 GMT")
	f.Fuzz(func(t *testing.T, key, session, etag, size, epk, since string) {
		for _, mode := range []string{"", "Incremental Feed", "Full-Fidelity Feed"} {
			for _, header := range []http.Header{
				{"X-Ms-Documentdb-Partitionkey": {key}, "If-None-Match": {etag}},
				{"X-Ms-Start-Epk": {epk}, "X-Ms-Read-Key-Type": {"EffectivePartitionKeyRange"}, "If-Modified-Since": {since}},
				{"X-Ms-Documentdb-Partitionkeyrangeid": {epk}, "X-Ms-Continuation": {etag}},
			} {
				header["X-Ms-Session-Token"], header["X-Ms-Max-Item-Count"] = []string{session}, []string{size}
				if mode != "" {
					header["A-Im"] = []string{mode}
				}
				must(t, d, http.MethodGet, fuzzDocs, header, "")
			}
		}
		must(t, d, http.MethodGet, fuzzDocs+"/1", http.Header{"X-Ms-Documentdb-Partitionkey": {key},
			"X-Ms-Session-Token": {session}, "If-None-Match": {etag}}, "")
		must(t, d, http.MethodDelete, fuzzDocs+"/2", http.Header{"X-Ms-Documentdb-Partitionkey": {key}, "If-Match": {etag}},
			"")
		must(t, d, http.MethodPost, "/dbs/db/colls/c/operations/partitionkeydelete",
			http.Header{"X-Ms-Documentdb-Partitionkey": {key + " "}}, "")
	})
}
