package replay

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// accountOf returns the account of an emulator.
func accountOf(t *testing.T, e *emulator.Emulator) *Account {
	t.Helper()
	client, err := e.CosmosHTTPClient()
	if err != nil {
		t.Fatal(err)
	}
	return &Account{e.CosmosURL(), e.CosmosPrimaryKey(), client}
}

// runCosmos sends requests, each a method, a path and headers, and a body after |, to an emulator, and returns the
// recording. A request may contain a value of an earlier response, by the name of its member or header: "<_etag>". A +
// in a header is a space.
func runCosmos(t *testing.T, requests ...string) string {
	t.Helper()
	var out bytes.Buffer
	e, err := emulator.Start(emulator.WithRecording(&out), emulator.WithManualClock(start), emulator.WithSeed(7))
	if err != nil {
		t.Fatal(err)
	}
	s, err := newCosmosSender(accountOf(t, e))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	for _, request := range requests {
		head, body, _ := strings.Cut(request, "|")
		for name, value := range known {
			head = strings.ReplaceAll(head, "<"+name+">", value)
			body = strings.ReplaceAll(body, "<"+name+">", strings.TrimSuffix(strconv.Quote(value)[1:], `"`))
		}
		fields := strings.Fields(head)
		entry := &recording.Entry{Method: fields[0], Path: fields[1], Headers: map[string]string{}, Request: []byte(body)}
		for _, field := range fields[2:] {
			name, value, _ := strings.Cut(field, "=")
			entry.Headers[name] = strings.ReplaceAll(value, "+", " ")
		}
		got, err := s.send(t.Context(), entry, &generatedValues{})
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if len(got.body) > 0 {
			if err := json.Unmarshal(got.body, &v); err != nil {
				t.Fatalf("%s: %s", request, got.body)
			}
		}
		remember(known, v)
		for _, name := range []string{"x-ms-continuation", "x-ms-session-token", "etag"} {
			if value := got.header.Get(name); value != "" {
				known[name] = value
			}
		}
		if err := e.Advance(time.Second); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// shop are requests of every kind.
func shop() []string {
	const key, query = `x-ms-documentdb-partitionkey=["ana"]`, `content-type=application/query+json x-ms-documentdb-isquery=true `
	const docs = "/dbs/shop/colls/orders/docs"
	return []string{
		`GET /`,
		`POST /dbs |{"id":"shop"}`,
		`POST /dbs/shop/colls x-ms-offer-throughput=400 |{"id":"orders","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`,
		`GET /dbs/shop/colls/orders`,
		`POST ` + docs + ` ` + key + ` |{"id":"1 %/","pk":"ana","n":12345678901234567}`,
		`POST ` + docs + ` ` + key + ` |{"id":"1","pk":"ana"}`,
		`GET /<_self> ` + key,
		`POST ` + docs + ` ` + key + ` |{"id":"1","pk":"ana"}`,
		`PUT ` + docs + `/1 ` + key + ` if-match=<etag> |{"id":"1","pk":"ana","_etag":"<etag>","seen":"<_rid>"}`,
		`PUT ` + docs + `/1 ` + key + ` if-match="other" |{"id":"1","pk":"ana"}`,
		`GET ` + docs + `/1 ` + key + ` x-ms-session-token=<x-ms-session-token> if-none-match=<etag>`,
		`GET ` + docs + `/2 ` + key,
		`POST ` + docs + ` ` + key + ` x-ms-cosmos-is-batch-request=true x-ms-cosmos-batch-atomic=true |` +
			`[{"operationType":"Create","resourceBody":{"id":"3","pk":"ana"}},{"operationType":"Read","id":"1","ifNoneMatch":"<etag>"}]`,
		`POST ` + docs + ` ` + key + ` ` + query + `x-ms-max-item-count=1 |{"query":"SELECT * FROM c"}`,
		`POST ` + docs + ` ` + key + ` ` + query + `x-ms-max-item-count=1 x-ms-continuation=<x-ms-continuation> |{"query":"SELECT * FROM c"}`,
		`GET ` + docs + ` ` + key + ` a-im=Incremental+Feed`,
		`GET ` + docs + ` ` + key + ` a-im=Incremental+Feed if-none-match=<etag>`,
		`GET /offers`,
		`GET /<_self>`,
		`POST /dbs/shop/users |{"id":"ana"}`,
		`POST /dbs/shop/users/ana/permissions |{"id":"p","permissionMode":"Read","resource":"dbs/shop/colls/orders"}`,
		`GET /dbs/shop/colls/orders/pkranges`,
		`DELETE ` + docs + `/1 ` + key,
		`DELETE /dbs/shop`,
	}
}

// replayedToAccount replays a recording to the Cosmos DB of an emulator, whose resource ids are others: it has one more
// database.
func replayedToAccount(t *testing.T, text string, c Config) (Summary, string) {
	t.Helper()
	in, err := recording.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	e := emulator.Run(t, emulator.WithManualClock(in.Header.Start), emulator.WithSeed(99))
	c.Cosmos = accountOf(t, e)
	s, err := newCosmosSender(c.Cosmos)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.send(t.Context(), &recording.Entry{Method: "POST", Path: "/dbs", Request: []byte(`{"id":"other"}`)},
		&generatedValues{}); err != nil {
		t.Fatal(err)
	}
	c.Clock = func(to time.Time) error { return e.Advance(max(to.Sub(e.Now()), 0)) }
	var differ strings.Builder
	c.Differs = func(r Result) { _ = r.WriteText(&differ) }
	sum, err := Run(t.Context(), in, c)
	if err != nil {
		t.Fatal(err)
	}
	return sum, differ.String()
}

func TestReplayOfCosmosMatchesTheRecording(t *testing.T) {
	t.Parallel()
	text := runCosmos(t, shop()...)
	for name, c := range map[string]Config{"as it was": {}, "with capacity": {Capacity: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if sum, differ := replayedToAccount(t, text, c); sum.Sent != len(shop()) || sum.Different != 0 {
				t.Errorf("%+v\n%s", sum, differ)
			}
		})
	}
}

// TestDifferencesOfCosmosAreShown replays a recording with another item, and with a page that is the last one.
func TestDifferencesOfCosmosAreShown(t *testing.T) {
	t.Parallel()
	text := runCosmos(t, shop()...)
	for former, latter := range map[string]string{
		`"request":{"id":"1","pk":"ana"},"status":201`: `"request":{"id":"1","pk":"ana","n":1},"status":201`,
		`"x-ms-max-item-count":"1"},"request"`:         `"x-ms-max-item-count":"9"},"request"`,
		`"operation":"ReadDocument"`:                   `"operation":"DeleteDocument"`,
	} {
		if !strings.Contains(text, former) {
			t.Fatalf("no %s in\n%s", former, text)
		}
		text = strings.Replace(text, former, latter, 1)
	}
	sum, differ := replayedToAccount(t, text, Config{})
	for _, want := range []string{"#6 CreateDocument\n  n  nothing → 1\n", "QueryDocuments\n",
		"  Documents[1] ", "  x-ms-continuation  "} {
		if !strings.Contains(differ, want) {
			t.Errorf("no %q in\n%s", want, differ)
		}
	}
	if sum.Different == 0 || sum.Same+sum.Different != sum.Sent {
		t.Errorf("%+v", sum)
	}
}

// TestOnlyRequestsWithAKeyAreReplayed has requests that are not authenticated, or with a resource token.
func TestOnlyRequestsWithAKeyAreReplayed(t *testing.T) {
	t.Parallel()
	text := runCosmos(t, `GET /`)
	for i, principal := range []string{"", "resource token of key", "secondary key"} {
		text += strings.Replace(strings.Replace(strings.SplitAfter(text, "\n")[1], `"n":1`, `"n":`+strconv.Itoa(i+2), 1),
			"primary key", principal, 1)
	}
	if sum, differ := replayedToAccount(t, text, Config{}); sum.Sent != 2 || sum.Skipped != 2 || sum.Same != 2 {
		t.Errorf("%+v\n%s", sum, differ)
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	var g generatedValues
	g.learn("AAAAAg==", "AAAAAw==")
	for path, want := range map[string]address{
		"/":                  {"/", "", "", ""},
		"/dbs":               {"/dbs", "dbs", "", "dbs"},
		"/dbs/AAAAAg%3D%3D/": {"/dbs/AAAAAw==", "dbs", "dbs/AAAAAw==", "dbs/AAAAAg%3D%3D"},
		"dbs/a/colls/b/docs": {"/dbs/a/colls/b/docs", "docs", "dbs/a/colls/b", "dbs/a/colls/b"},
		"/dbs/a/colls/b/docs/1%20%25": {"/dbs/a/colls/b/docs/1%20%25", "docs", "dbs/a/colls/b/docs/1 %",
			"dbs/a/colls/b"},
		"/offers/AbC": {"/offers/AbC", "offers", "abc", "offers/AbC"},
		"/dbs/a/colls/b/operations/partitionkeydelete": {"/dbs/a/colls/b/operations/partitionkeydelete", "colls",
			"dbs/a/colls/b", "dbs/a/colls/b"},
	} {
		if got := parseAddress(path, &g); got != want {
			t.Errorf("%s: %+v, want %+v", path, got, want)
		}
	}
}

func TestHeadersAreTranslated(t *testing.T) {
	t.Parallel()
	var g generatedValues
	g.learn(`"e"`, `"f"`)
	g.learnHeaders("dbs/a/colls/b", map[string]string{"x-ms-session-token": "0:-1#1,1:-1#2", "etag": `"3"`},
		http.Header{"X-Ms-Session-Token": {"0:-1#7,1:-1#8"}, "Etag": {`"9"`}})
	g.learnHeaders("dbs/a/colls/b", map[string]string{"x-ms-continuation": "t"}, http.Header{})
	for _, c := range []struct{ container, name, value, want string }{
		{"dbs/a/colls/b", "x-ms-session-token", "1:-1#2,0:-1#1,2:-1#5", "1:-1#8,0:-1#7,2:-1#5"},
		{"dbs/a/colls/c", "x-ms-session-token", "0:-1#1", "0:-1#1"},
		{"dbs/a/colls/b", "if-none-match", `"3"`, `"9"`},
		{"dbs/a/colls/b", "if-match", `"e"`, `"f"`},
		{"dbs/a/colls/b", "x-ms-continuation", "t", "t"},
		{"dbs/a/colls/b", "x-ms-documentdb-partitionkey", `"e"`, `"e"`},
	} {
		if got := g.header(c.container, c.name, c.value); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
