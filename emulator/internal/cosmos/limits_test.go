package cosmos

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestIDAndKeyLengthLimits checks the limits of ids and partition key values for each way of writing an item.
func TestIDAndKeyLengthLimits(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.newContainer(t, "c")
	long := func(n int) string { return strings.Repeat("é", n/2) + strings.Repeat("x", n%2) }
	item := func(id, pk string) string { return fmt.Sprintf(`{"id":"%s","pk":"%s"}`, id, pk) }
	d.send(t, http.MethodPost, "/dbs/db-c/colls/c/sprocs\n"+
		`{"id":"make","body":"function (item) { var c = getContext().getCollection(); c.createDocument(c.getSelfLink(), item); }"}`)
	for _, c := range []struct {
		what, path, headers, body string
		status                    int
		words                     string
	}{
		{"an id of 1,023 bytes", "/dbs/db-c/colls/c/docs", "", item(long(1023), "a"), http.StatusCreated, ""},
		{"an id of 1,024 bytes", "/dbs/db-c/colls/c/docs", "", item(long(1024), "a"), http.StatusBadRequest,
			"Ensure to provide a unique non-empty string less than '1024' characters."},
		{"a key of 2,048 bytes", "/dbs/db-c/colls/c/docs", "", item("1", long(2048)), http.StatusCreated, ""},
		{"a key of 2,049 bytes", "/dbs/db-c/colls/c/docs", "", item("1", long(2049)), http.StatusBadRequest, "2049 bytes"},
		{"a key of 2,049 bytes, upserted", "/dbs/db-c/colls/c/docs", "x-ms-documentdb-is-upsert: true\n",
			item("1", long(2049)), http.StatusBadRequest, "2049 bytes"},
		{"a key of 2,049 bytes in a batch", "/dbs/db-c/colls/c/docs", "x-ms-cosmos-is-batch-request: true\n",
			`[{"operationType":"Create","resourceBody":` + item("1", long(2049)) + `}]`, http.StatusMultiStatus,
			`"statusCode":400`},
		{"a key of 2,049 bytes in a script", "/dbs/db-c/colls/c/sprocs/make", "", "[" + item("1", long(2049)) + "]",
			http.StatusBadRequest, "2049 bytes"},
	} {
		pk := "a"
		if strings.Contains(c.what, "key") {
			pk = long(2048)
			if strings.Contains(c.what, "2,049") {
				pk = long(2049)
			}
		}
		w := d.send(t, http.MethodPost, c.path+"\npk: [\""+pk+"\"]\n"+c.headers+c.body)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.words) {
			t.Errorf("%s: %d %.300s", c.what, w.Code, w.Body)
		}
	}
	if w := d.send(t, http.MethodPost, "/dbs\n"+`{"id":"`+strings.Repeat("x", 256)+
		`"}`); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "less than '255' characters.") {
		t.Errorf("a database's name of 256 characters: %d %s", w.Code, w.Body)
	}
}
