package cosmos

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// shared returns a service with two items in a container, and a user.
func shared(t *testing.T) *testService {
	d := newTestService(t)
	for _, request := range []string{
		"/dbs\n" + `{"id":"db"}`, "/dbs/db/colls\n" + `{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`,
		"/dbs/db/colls\n" + `{"id":"other","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`, "/dbs/db/users\n" +
			`{"id":"ada"}`,
		"/dbs/db/colls/c/docs\npk: [\"a\"]\n" + `{"id":"1","pk":"a"}`, "/dbs/db/colls/c/docs\npk: [\"b\"]\n" +
			`{"id":"2","pk":"b"}`,
	} {
		if w := d.send(t, http.MethodPost, request); w.Code != http.StatusCreated {
			t.Fatal(request, w.Code, w.Body)
		}
	}
	return d
}

// permit creates a permission and returns its token.
func (d *testService) permit(t *testing.T, headers, permission string) string {
	t.Helper()
	w := d.send(t, http.MethodPost, "/dbs/db/users/ada/permissions\n"+headers+permission)
	v, err := doc.Parse(w.Body.Bytes())
	if err != nil || w.Code != http.StatusCreated || !strings.HasPrefix(v.Field("_token").Str(),
		"type=resource&ver=1.0&sig=") {
		t.Fatal(w.Code, w.Body, err)
	}
	return v.Field("_token").Str()
}

// with sends a request with a token. key is the partition key as in its header.
func (d *testService) with(t *testing.T, token, method, path, key, body string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", url.QueryEscape(token))
	r.Header.Set("X-Ms-Documentdb-Partitionkey", key)
	if strings.HasPrefix(body, `{"query"`) {
		r.Header.Set("X-Ms-Documentdb-Isquery", "True")
	}
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w
}

func TestResourceTokensGrantTheirPermission(t *testing.T) {
	t.Parallel()
	const item, all, a = `{"id":"1","pk":"a"}`, `{"query":"SELECT * FROM c"}`, `["a"]`
	requests := []struct{ name, method, path, key, body string }{
		{"account", "GET", "/", "", ""},
		{"container", "GET", "/dbs/db/colls/c", "", ""},
		{"ranges", "GET", "/dbs/db/colls/c/pkranges", "", ""},
		{"read", "GET", "/dbs/db/colls/c/docs/1", a, ""},
		{"read b", "GET", "/dbs/db/colls/c/docs/2", `["b"]`, ""},
		{"query", "POST", "/dbs/db/colls/c/docs", a, all},
		{"replace", "PUT", "/dbs/db/colls/c/docs/1", a, item},
		{"create", "POST", "/dbs/db/colls/c/docs", a, `{"id":"%d","pk":"a"}`},
		{"delete container", "DELETE", "/dbs/db/colls/c", "", ""},
		{"other container", "GET", "/dbs/db/colls/other", "", ""},
		{"database", "GET", "/dbs/db", "", ""},
		{"users", "GET", "/dbs/db/users", "", ""},
	}
	cases := []struct{ permission, allowed string }{
		{`{"id":"p","permissionMode":"Read","resource":"dbs/db/colls/c"}`, "account,container,ranges,read,read b,query"},
		{`{"id":"p","permissionMode":"all","resource":"dbs/db/colls/c/"}`,
			"account,container,ranges,read,read b,query,replace,create,delete container"},
		{`{"id":"p","permissionMode":"read","resource":"dbs/db/colls/c","resourcePartitionKey":["a"]}`,
			"account,container,ranges,read,query"},
		{`{"id":"p","permissionMode":"all","resource":"dbs/db/colls/c","resourcePartitionKey":["b"]}`,
			"account,container,ranges,read b"},
		{`{"id":"p","permissionMode":"read","resource":"dbs/db/colls/c/docs/1"}`, "account,container,ranges,read"},
		{`{"id":"p","permissionMode":"all","resource":"dbs/db/colls/c/docs/1"}`, "account,container,ranges,read,replace"},
	}
	for i, c := range cases {
		d := shared(t)
		token := d.permit(t, "", c.permission)
		var allowed []string
		for _, r := range requests {
			w := d.with(t, token, r.method, r.path, r.key, strings.ReplaceAll(r.body, "%d", fmt.Sprint("new", i)))
			switch {
			case w.Code < 300:
				allowed = append(allowed, r.name)
			case w.Code != http.StatusForbidden:
				t.Errorf("%s, %s: %d %s", c.permission, r.name, w.Code, w.Body)
			}
		}
		if got := strings.Join(allowed, ","); got != c.allowed {
			t.Errorf("%s: %s; want %s", c.permission, got, c.allowed)
		}
	}
}

func TestResourceTokensExpire(t *testing.T) {
	t.Parallel()
	d := shared(t)
	token := d.permit(t, "x-ms-documentdb-expiry-seconds: 600\n",
		`{"id":"p","permissionMode":"read","resource":"dbs/db/colls/c"}`)
	if err := d.clock.Advance(599 * time.Second); err != nil {
		t.Fatal(err)
	}
	if w := d.with(t, token, "GET", "/dbs/db/colls/c/docs/1", `["a"]`, ""); w.Code != http.StatusOK {
		t.Error(w.Code, w.Body)
	}
	if err := d.clock.Advance(time.Second); err != nil {
		t.Fatal(err)
	}
	if w := d.with(t, token, "GET", "/dbs/db/colls/c/docs/1", `["a"]`, ""); w.Code != http.StatusForbidden {
		t.Error(w.Code, w.Body)
	}
	// Reading the permission returns a new token.
	w := d.send(t, http.MethodGet, "/dbs/db/users/ada/permissions/p")
	v, err := doc.Parse(w.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if w := d.with(t, v.Field("_token").Str(), "GET", "/dbs/db/colls/c/docs/1", `["a"]`, ""); w.Code != http.StatusOK {
		t.Error(w.Code, w.Body)
	}
	w = d.send(t, http.MethodPost, "/dbs/db/users/ada/permissions\n"+
		`{"id":"q","permissionMode":"all","resource":"dbs/db/colls/c"}`)
	if w.Code != http.StatusConflict {
		t.Error("a second permission for a resource:", w.Code, w.Body)
	}
}

// TestInvalidTokenLifetimeChangesNothing writes a permission with a lifetime below the minimum: the request is rejected
// before it takes effect.
func TestInvalidTokenLifetimeChangesNothing(t *testing.T) {
	t.Parallel()
	d := shared(t)
	const path, short = "/dbs/db/users/ada/permissions", "\nx-ms-documentdb-expiry-seconds: 5\n"
	const permission = `{"id":"p","permissionMode":"read","resource":"dbs/db/colls/c"}`
	if w := d.send(t, http.MethodPost, path+short+permission); w.Code != http.StatusBadRequest {
		t.Error(w.Code, w.Body)
	}
	if w := d.send(t, http.MethodGet, path+"/p"); w.Code != http.StatusNotFound {
		t.Error("the rejected permission was created:", w.Code, w.Body)
	}
	d.permit(t, "", permission)
	if w := d.send(t, http.MethodPut, path+"/p"+short+strings.Replace(permission, "read", "all",
		1)); w.Code != http.StatusBadRequest {
		t.Error(w.Code, w.Body)
	}
	if w := d.send(t, http.MethodGet, path+"/p"); !strings.Contains(w.Body.String(), `"permissionMode":"read"`) {
		t.Error("the rejected request replaced the permission:", w.Body)
	}
}

func TestForgedResourceTokensAreRejected(t *testing.T) {
	t.Parallel()
	d := shared(t)
	token := d.permit(t, "", `{"id":"p","permissionMode":"read","resource":"dbs/db/colls/c"}`)
	signature, payload, _ := strings.Cut(strings.TrimPrefix(token, "type=resource&ver=1.0&sig="), ";")
	for _, forged := range []string{
		"type=resource&ver=1.0&sig=" + signature + ";" + payload[:len(payload)-8] + ";", "type=resource&ver=1.0&sig=" +
			signature + ";;",
		"type=resource&ver=1.0&sig=" + signature, "type=resource&ver=1.0&sig=AAAA;" + payload,
		"type=resource&ver=1.0&sig=%;" + payload,
		"type=resource&ver=1.0&sig=;", "type=master&ver=1.0&sig=" + signature,
	} {
		if w := d.with(t, forged, "GET", "/dbs/db/colls/c/docs/1", `["a"]`, ""); w.Code != http.StatusUnauthorized {
			t.Errorf("%s: %d %s", forged, w.Code, w.Body)
		}
	}
	// A container that is deleted and created again is another container.
	for _, request := range [][2]string{{"DELETE", "/dbs/db/colls/c"},
		{"POST", "/dbs/db/colls\n" + `{"id":"c","partitionKey":{"paths":["/pk"]}}`}} {
		if w := d.send(t, request[0], request[1]); w.Code >= 300 {
			t.Fatal(w.Code, w.Body)
		}
	}
	if w := d.with(t, token, "GET", "/dbs/db/colls/c", "", ""); w.Code != http.StatusForbidden {
		t.Error(w.Code, w.Body)
	}
}

// TestResourceTokensGrantNothingElse checks the limits of tokens: a user may have the same name as the container,
// operations of a bulk have partition keys of their own, and scripts belong to the whole container.
func TestResourceTokensGrantNothingElse(t *testing.T) {
	t.Parallel()
	d := shared(t)
	if w := d.send(t, http.MethodPost, "/dbs/db/users\n"+`{"id":"c"}`); w.Code != http.StatusCreated {
		t.Fatal(w.Code, w.Body)
	}
	whole := d.permit(t, "", `{"id":"whole","permissionMode":"All","resource":"dbs/db/colls/c"}`)
	d.send(t, http.MethodDelete, "/dbs/db/users/ada/permissions/whole\n")
	keyed := d.permit(t, "",
		`{"id":"keyed","permissionMode":"All","resource":"dbs/db/colls/c","resourcePartitionKey":["a"]}`)
	const permission = `{"id":"q","permissionMode":"All","resource":"dbs/db/colls/other"}`
	const trigger = `{"id":"t","body":"function(){}","triggerType":"Pre","triggerOperation":"All"}`
	for _, r := range []struct{ token, method, path, body string }{
		{whole, "GET", "/dbs/db/users/c", ""},
		{whole, "POST", "/dbs/db/users/c/permissions", permission},
		{keyed, "POST", "/dbs/db/colls/c/sprocs", `{"id":"s","body":"function(){}"}`},
		{keyed, "POST", "/dbs/db/colls/c/triggers", trigger},
	} {
		if w := d.with(t, r.token, r.method, r.path, `["a"]`, r.body); w.Code != http.StatusForbidden {
			t.Error(r.method, r.path, w.Code, w.Body)
		}
	}
	r := httptest.NewRequest("POST", "/dbs/db/colls/c/docs",
		strings.NewReader(`[{"operationType":"Delete","id":"2","partitionKey":"[\"b\"]"}]`))
	r.Header.Set("Authorization", url.QueryEscape(keyed))
	r.Header.Set("X-Ms-Documentdb-Partitionkey", `["a"]`)
	r.Header.Set("X-Ms-Cosmos-Is-Batch-Request", "True")
	r.Header.Set("X-Ms-Cosmos-Batch-Atomic", "False")
	w := httptest.NewRecorder()
	if d.ServeHTTP(w, r); w.Code != http.StatusForbidden {
		t.Error("bulk:", w.Code, w.Body)
	}
}
