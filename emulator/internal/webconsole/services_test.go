package webconsole

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// seen is a service that keeps the last request.
type seen struct{ *http.Request }

func (s *seen) ServeHTTP(_ http.ResponseWriter, r *http.Request) { s.Request = r }

// pages returns a console of two services that keep their last request, without identities.
func pages(aws, cosmos http.Handler) *console {
	return &console{Emulator: control.Emulator{AWS: aws, Cosmos: cosmos, Identities: nobody()}}
}

// nobody returns an identity service without identities.
func nobody() *identity.Service { return &identity.Service{} }

// TestRequestsAreRebuilt checks that a service sees only what belongs to its request.
func TestRequestsAreRebuilt(t *testing.T) {
	t.Parallel()
	var dynamo, cosmos seen
	c := pages(&dynamo, &cosmos)
	for _, path := range []string{"dynamodb/GetRecords?region=eu-west-1", "cosmos/dbs/a%2Fb?x=1"} {
		ctx, cancel := context.WithCancel(t.Context())
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1:8000"+apiPath+path,
			strings.NewReader("body"))
		for _, name := range []string{"Cookie", "Authorization", "Origin", "X-Amz-Target", "X-Ms-Max-Item-Count",
			"Accept-Encoding", "Content-Type", "If-Match", "User-Agent", "Expect"} {
			r.Header.Set(name, "of the page")
		}
		c.serve(httptest.NewRecorder(), r)
		cancel()
	}
	for _, one := range []struct {
		*http.Request
		url, of string
	}{{dynamo.Request, "/", "Accept-Encoding"},
		{cosmos.Request, "/dbs/a%2Fb?x=1", "Content-Type If-Match X-Ms-Max-Item-Count"}} {
		var passed []string
		for name, values := range one.Header {
			if values[0] == "of the page" {
				passed = append(passed, name)
			}
		}
		slices.Sort(passed)
		if got := strings.Join(passed, " "); got != one.of || one.URL.String() != one.url || one.UserAgent() != userAgent {
			t.Errorf("%s with %q by %s, want %s with %q", one.URL, got, one.UserAgent(), one.url, one.of)
		}
		if one.Context().Err() == nil {
			t.Errorf("%s: the request is not canceled with that of the page", one.url)
		}
		if body, err := io.ReadAll(one.Body); string(body) != "body" {
			t.Errorf("%s: %q, %v", one.url, body, err)
		}
	}
	if target := dynamo.Header.Get("X-Amz-Target"); target != "DynamoDBStreams_20120810.GetRecords" {
		t.Error(target)
	}
	if signed := dynamo.Header.Get("Authorization"); !strings.Contains(signed, "Credential=tabletop/") ||
		!strings.Contains(signed, "/eu-west-1/dynamodb/") {
		t.Error(signed)
	}
}

// TestRequestsToCloudWatch checks the operation and the signature of a request to CloudWatch.
func TestRequestsToCloudWatch(t *testing.T) {
	t.Parallel()
	var aws seen
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8000"+apiPath+"cloudwatch/ListMetrics?region=eu-west-1",
		strings.NewReader("{}"))
	pages(&aws, nil).serve(httptest.NewRecorder(), r)
	target, signed := aws.Header.Get("X-Amz-Target"), aws.Header.Get("Authorization")
	if target != "GraniteServiceVersion20100801.ListMetrics" || !strings.Contains(signed, "/eu-west-1/monitoring/") {
		t.Errorf("%s, %s", target, signed)
	}
}

// TestWrongRequestsDoNotReachServices sends requests that name no operation, no region, or no path.
func TestWrongRequestsDoNotReachServices(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{"GET", "dynamodb/GetItem", 405}, {"PUT", "dynamodb/GetItem", 405}, {"POST", "dynamodb", 404},
		{"POST", "dynamodb/", 404}, {"POST", "dynamodb/Get.Item", 404}, {"POST", "dynamodb/Get%0AItem", 404},
		{"POST", "dynamodb/GetItem/x", 404}, {"POST", "dynamodb/../../clock", 404}, {"POST", "dynamodb/%2e%2e", 404},
		{"POST", "dynamodb/" + strings.Repeat("A", maxOperation+1), 404},
		{"POST", "dynamodb/GetItem?region=", 400}, {"POST", "dynamodb/GetItem?region=a/b", 400},
		{"POST", "dynamodb/GetItem?region=%0d%0aX:", 400},
		{"POST", "dynamodb/GetItem?region=" + strings.Repeat("a", maxRegion+1), 400},
		{"GET", "cloudwatch/ListMetrics", 405}, {"POST", "cloudwatch/", 404}, {"POST", "cloudwatch/x?region=a/b", 400},
		{"GET", "cosmos/dbs", 404}, {"GET", "cosmosdbs", 404}, {"GET", "history/cosmos/a/b", 404},
		{"POST", "history/cosmos/a/b/restore", 404}, {"GET", "history/cosmos/a", 404}, {"GET", "history", 404},
		{"POST", "history/dynamodb/a", 405}, {"GET", "history/dynamodb/a?limit=x", 400}, {"POST", "none", 404},
	} {
		var dynamo seen
		r := httptest.NewRequest(c.method, "http://127.0.0.1:8000"+apiPath+c.path, nil)
		w := httptest.NewRecorder()
		pages(&dynamo, nil).serve(w, r)
		if w.Code != c.status || dynamo.Request != nil || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s %s: %d %s", c.method, c.path, w.Code, w.Body)
		}
	}
}

// FuzzCosmosURL checks that Cosmos DB sees the ids that the page escaped, whatever they contain, and no other resource.
func FuzzCosmosURL(f *testing.F) {
	for _, id := range []string{"a", "a/b", "..", ".", "a b", "%2e%2e", `a\b`, "a?b#c", "ü", "\x00", "a//b", "%", "+",
		"dbs"} {
		f.Add(id, "orders")
		f.Add("app", id)
	}
	f.Fuzz(func(t *testing.T, database, container string) {
		if database == "" || container == "" {
			return
		}
		path := apiPath + "cosmos/dbs/" + url.PathEscape(database) + "/colls/" + url.PathEscape(container)
		target, err := url.ParseRequestURI(path)
		if err != nil {
			t.Fatal(err)
		}
		var cosmos seen
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8000/", nil)
		r.URL = target
		pages(nil, &cosmos).serve(httptest.NewRecorder(), r)
		route, refused := wire.ParseRoute(cosmos.URL.EscapedPath())
		if refused != nil || !slices.Equal(route.IDs, []string{database, container}) || route.Kind != wire.KindContainer {
			t.Errorf("%q %q became %q: %v", database, container, route.IDs, refused)
		}
	})
}

// TestIDsOfDots requests resources whose ids browsers would remove from a path.
func TestIDsOfDots(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{"dbs/..;/colls/.;": "/dbs/../colls/.", "dbs/..;": "/dbs/..",
		"dbs/...;/colls/..%3B": "/dbs/...;/colls/..%3B", "dbs/a..;": "/dbs/a..;"} {
		var cosmos seen
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8000"+apiPath+"cosmos/"+path, nil)
		pages(nil, &cosmos).serve(httptest.NewRecorder(), r)
		if got := cosmos.URL.EscapedPath(); got != want {
			t.Errorf("%s became %s, want %s", path, got, want)
		}
	}
}

// TestHistoryOfIDsOfDots requests the history of a container whose ids browsers would remove from a path.
func TestHistoryOfIDsOfDots(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{"..;/.;/items": `{"Container":".","Database":".."}`,
		"a..;/..%3B": `{"Container":"..;","Database":"a..;"}`} {
		var history seen
		c := pages(nil, nil)
		c.CosmosHistory = &history
		c.serve(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet,
			"http://127.0.0.1:8000"+apiPath+"history/cosmos/"+path, nil))
		if body, err := io.ReadAll(history.Body); err != nil || string(body) != want {
			t.Errorf("%s became %s, want %s: %v", path, body, want, err)
		}
	}
}

// FuzzPaths sends any path: what does not name an operation or a resource gets a response of the console.
func FuzzPaths(f *testing.F) {
	for _, path := range []string{"", "dynamodb/GetItem", "cosmos/dbs", "cosmos/../../x", "cosmos/%2e%2e/x",
		"cosmos//evil.example", "cosmos/%zz", "dynamodb/%2fGetItem", "session/..", "assets/../doc.go"} {
		f.Add(path, "a=b")
	}
	f.Fuzz(func(t *testing.T, path, query string) {
		var dynamo, cosmos seen
		r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8000/", nil)
		r.URL = &url.URL{Path: apiPath + path, RawPath: apiPath + path, RawQuery: query}
		w := httptest.NewRecorder()
		c := pages(&dynamo, &cosmos)
		c.serve(w, r)
		if one := dynamo.Request; one != nil {
			_, operation, _ := strings.Cut(one.Header.Get("X-Amz-Target"), "_20120810.")
			if one.URL.String() != "/" || !isName(operation, maxOperation) {
				t.Errorf("%q reached DynamoDB as %s %v", path, one.URL, one.Header)
			}
		}
		if one := cosmos.Request; one != nil && (!strings.HasPrefix(one.URL.EscapedPath(), "/") || one.URL.Host != "") {
			t.Errorf("%q reached Cosmos DB as %s", path, one.URL)
		}
	})
}
