package cosmos

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// procedures returns a service with a container that has stored procedures. Their time limit is one that no machine is
// too slow for.
func procedures(t *testing.T, sources map[string]string) *testService {
	t.Helper()
	d := newTestService(t)
	d.limitScripts(time.Minute)
	requests := []string{"/dbs\n" + `{"id":"db"}`,
		"/dbs/db/colls\n" + `{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/u"]}]}}`}
	for id, source := range sources {
		requests = append(requests, "/dbs/db/colls/c/sprocs\n"+doc.Object(doc.Member{Name: "id", Value: doc.String(id)},
			doc.Member{Name: "body", Value: doc.String(source)}).JSON())
	}
	for _, request := range requests {
		if w := d.send(t, http.MethodPost, request); w.Code != http.StatusCreated {
			t.Fatal(w.Code, w.Body)
		}
	}
	return d
}

// limitScripts sets another time limit for scripts, on the machine's clock.
func (d *testService) limitScripts(after time.Duration) {
	d.Scripts = script.New(script.Config{Now: d.Now, Random: d.Service.Random.Next, Time: after})
}

// limitScriptsFor sets a short time limit for scripts if the next request must exceed it, and otherwise one that no
// machine is too slow for.
func (d *testService) limitScriptsFor(status int) {
	d.limitScripts(time.Minute)
	if status == http.StatusRequestTimeout {
		d.limitScripts(300 * time.Millisecond)
	}
}

func (d *testService) execute(t *testing.T, id, args string) (int, string) {
	t.Helper()
	w := d.send(t, http.MethodPost, "/dbs/db/colls/c/sprocs/"+id+"\npk: [\"a\"]\n"+args)
	return w.Code, w.Body.String()
}

// executeInTurn executes a procedure, and again if it did not get its turn: on a very busy machine, those before it may
// take over ten seconds.
func (d *testService) executeInTurn(t *testing.T, id string) {
	status, body := d.execute(t, id, "")
	for status == wire.StatusRetryWith {
		status, body = d.execute(t, id, "")
	}
	if status != http.StatusOK {
		t.Error(status, body)
	}
}

// count returns the number of items in the partition.
func (d *testService) count(t *testing.T) string {
	t.Helper()
	w := d.send(t, http.MethodPost, "/dbs/db/colls/c/docs\npk: [\"a\"]\nx-ms-documentdb-isquery: true\n"+
		`{"query":"SELECT VALUE COUNT(1) FROM c"}`)
	v, err := doc.Parse(w.Body.Bytes())
	if err != nil {
		t.Fatal(err, w.Body)
	}
	return v.Field("Documents").JSON()
}

func TestProceduresAreAtomic(t *testing.T) {
	t.Parallel()
	d := procedures(t, map[string]string{
		"fill":   `function(n) { for (let i = 0; i < n; i++) __.createDocument(__.getSelfLink(), {id: 'i' + i, pk: 'a', u: i}); }`,
		"fail":   `function() { __.createDocument(__.getSelfLink(), {id: 'x', pk: 'a', u: 'x'}, () => { throw new Error('late'); }); }`,
		"loop":   `function() { __.createDocument(__.getSelfLink(), {id: 'x', pk: 'a', u: 'x'}, () => { for (;;); }) || (() => { for (;;); })(); }`,
		"unique": `function() { __.createDocument(__.getSelfLink(), {id: 'x', pk: 'a', u: 5}, (err) => __.response.setBody(err ? err.number : 0)); }`,
		"empty":  `function() { __.filter(x => true, (err, feed) => feed.forEach(x => __.deleteDocument(x._self))); }`,
		"undone": `function() { __.createDocument(__.getSelfLink(), {id: 'x', pk: 'a', u: 'x'}, (err, x) => __.deleteDocument(x._self)); }`,
	})
	steps := []struct {
		id, args string
		status   int
		body     string
		count    string
	}{
		{"fill", "[20]", 200, `""`, "[20]"}, {"fail", "", 400, "late", "[20]"}, {"loop", "", 408, "RequestTimeout", "[20]"},
		{"unique", "", 200, "409", "[20]"},
		{"undone", "", 200, `""`, "[20]"}, {"fill", "[30]", 400, "already exists", "[20]"}, {"empty", "", 200, `""`, "[0]"},
	}
	for _, s := range steps {
		d.limitScriptsFor(s.status)
		if status, body := d.execute(t, s.id, s.args); status != s.status || !strings.Contains(body, s.body) {
			t.Errorf("%s: %d %s", s.id, status, body)
		}
		if got := d.count(t); got != s.count {
			t.Errorf("%s left %s items, not %s", s.id, got, s.count)
		}
	}
}

func TestProceduresReadTheirPartitionInPages(t *testing.T) {
	t.Parallel()
	d := procedures(t, map[string]string{
		"fill": `function(n) { for (let i = 0; i < n; i++) __.createDocument(__.getSelfLink(), {id: 'i' + i, pk: 'a', u: i, n: n - i}); }`,
		"read": `function(query) {
			const pages = [];
			// What the procedure writes itself is there at once.
			__.upsertDocument(__.getSelfLink(), {id: 'mine', pk: 'a', u: 'mine', n: 2.5});
			const next = (continuation) => {
				const options = {pageSize: 2, continuation}, take = (err, docs, o) => {
					if (err) throw err;
					pages.push(docs.map(d => d.id || d));
					if (o.continuation) next(o.continuation); else __.response.setBody(pages);
				};
				if (query) __.queryDocuments(__.getSelfLink(), query, options, take); else __.readDocuments(__.getAltLink(), options, take);
			};
			next();
		}`,
		"forged": `function(kind) { (kind === 'list' ? (o, f) => __.readDocuments(__.getSelfLink(), o, f) : (o, f) => __.queryDocuments(__.getSelfLink(), 'SELECT * FROM c', o, f))({continuation: 'forged!'}, (err) => { throw err; }); }`,
	})
	w := d.send(t, http.MethodPost, "/dbs/db/colls/c/docs\npk: [\"b\"]\n"+`{"id":"other","pk":"b","u":0}`)
	if status, body := d.execute(t, "fill", "[4]"); w.Code != 201 || status != 200 {
		t.Fatal(w.Code, status, body)
	}
	for args, want := range map[string]string{
		`[]`:                                      `[["i0","i1"],["i2","i3"],["mine"]]`,
		`["SELECT * FROM c WHERE c.n > 1"]`:       `[["i0","i1"],["i2","mine"]]`,
		`["SELECT c.id FROM c ORDER BY c.n"]`:     `[["i3","i2"],["mine","i1"],["i0"]]`,
		`["SELECT VALUE COUNT(1) FROM c"]`:        `[[5]]`,
		`["SELECT * FROM c WHERE c.id = 'none'"]`: `[[]]`,
	} {
		if status, body := d.execute(t, "read", args); status != 200 || body != want {
			t.Errorf("%s: %d %s; want %s", args, status, body, want)
		}
	}
	for _, args := range []string{`["list"]`, `["query"]`} {
		if status, body := d.execute(t, "forged", args); status != 400 || !strings.Contains(body,
			"Invalid Continuation Token") {
			t.Errorf("%s: %d %s", args, status, body)
		}
	}
	if status, body := d.execute(t, "read", `["SELECT nonsense"]`); status != 400 || !strings.Contains(body, "SC2001") {
		t.Errorf("%d %s", status, body)
	}
}

func TestProceduresOfOnePartitionAreSerialized(t *testing.T) {
	t.Parallel()
	d := procedures(t, map[string]string{"add": `function() {
		__.readDocument(__.getAltLink() + '/docs/counter', (err, doc) => {
			doc = doc || {id: 'counter', pk: 'a', n: 0};
			doc.n++;
			__.upsertDocument(__.getSelfLink(), doc);
		});
	}`})
	const callers, each = 4, 10
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range each {
				d.executeInTurn(t, "add")
			}
		})
	}
	all.Wait()
	w := d.send(t, http.MethodGet, "/dbs/db/colls/c/docs/counter\npk: [\"a\"]")
	if !strings.Contains(w.Body.String(), fmt.Sprintf(`"n":%d`, callers*each)) {
		t.Error(w.Body)
	}
}

func TestFunctionsShareOneTimeLimitPerQuery(t *testing.T) {
	t.Parallel()
	d := procedures(t, nil)
	for _, request := range []string{
		"/dbs/db/colls/c/udfs\n" + `{"id":"slow","body":"function(x) { const end = Date.now(); let n = 0; for (let i = 0; i < 1e9 * x; i++) n += i; return n; }"}`,
		"/dbs/db/colls/c/docs\npk: [\"a\"]\n" + `{"id":"1","pk":"a","u":1}`,
	} {
		if w := d.send(t, http.MethodPost, request); w.Code != http.StatusCreated {
			t.Fatal(w.Code, w.Body)
		}
	}
	for query, want := range map[string]int{"SELECT VALUE udf.slow(1) FROM c": 408, "SELECT VALUE udf.slow(0) FROM c": 200,
		"SELECT VALUE udf.slow(0.000001) FROM c WHERE udf.slow(0) = 0": 200} {
		d.limitScriptsFor(want)
		w := d.send(t, http.MethodPost, "/dbs/db/colls/c/docs\npk: [\"a\"]\nx-ms-documentdb-isquery: true\n"+
			`{"query":"`+query+`"}`)
		if w.Code != want {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
}

func TestContainersLimitTheirScripts(t *testing.T) {
	t.Parallel()
	d := procedures(t, nil)
	last := 0
	for i := range engine.MaxFunctions + 1 {
		last = d.send(t, http.MethodPost, "/dbs/db/colls/c/udfs\n"+fmt.Sprintf(`{"id":"f%d","body":"x"}`, i)).Code
	}
	if last != http.StatusForbidden {
		t.Error("one function too many:", last)
	}
	// Deleting the container deletes its scripts.
	for _, request := range [][2]string{{"DELETE", "/dbs/db/colls/c"},
		{"POST", "/dbs/db/colls\n" + `{"id":"c","partitionKey":{"paths":["/pk"]}}`}} {
		if w := d.send(t, request[0], request[1]); w.Code >= 300 {
			t.Fatal(w.Code, w.Body)
		}
	}
	if w := d.send(t, http.MethodGet, "/dbs/db/colls/c/udfs"); !strings.Contains(w.Body.String(), `"_count":0`) {
		t.Error(w.Body)
	}
}

// TestProceduresHoldABoundedSizeOfItems queues operations that are accepted, but write more text than a transaction may
// hold.
func TestProceduresHoldABoundedSizeOfItems(t *testing.T) {
	t.Parallel()
	d := procedures(t, map[string]string{"large": `function() {
		const text = 'x'.repeat(1.9e6);
		let n = 0;
		for (let i = 0; i < 37; i++) {
			__.createDocument(__.getSelfLink(), {id: 'i' + i, pk: 'a', u: i, text}, (err) => {
				if (err && err.number === 413) n++;
				__.response.setBody(n);
			});
		}
	}`})
	status, body := d.execute(t, "large", "")
	if status != http.StatusOK || body != "2" {
		t.Error(status, body)
	}
}
