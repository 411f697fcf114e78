package emulator_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

// events are the events of a stream of the console.
type events struct {
	*bufio.Reader
	t testing.TB
}

// watch opens a stream at a port, which ends with the test.
func watch(t *testing.T, e *emulator.Emulator, port, path string) *events {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		strings.TrimSuffix(port, "/")+consolePath+"api/"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	client, err := e.CosmosHTTPClient()
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%s: %s", path, resp.Status)
	}
	s := &events{bufio.NewReader(resp.Body), t}
	if line, err := s.ReadString('\n'); line != ": open\n" {
		t.Fatalf("%q, %v", line, err)
	}
	return s
}

// next returns the data of the next event.
func (s *events) next() string {
	s.t.Helper()
	for {
		line, err := s.ReadString('\n')
		if err != nil {
			s.t.Fatal(err)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			return strings.TrimSpace(data)
		}
	}
}

// watchedRequest is a request in a stream.
type watchedRequest struct {
	ID                                                       uint64
	Cloud, Operation, Error, User, Client, Request, Response string
	Target                                                   []string
	Status                                                   int
	Console                                                  bool
	Capacity                                                 struct{ Reads, Writes float64 }
	RequestCharge                                            float64
}

func (s *events) request() (r watchedRequest) {
	s.t.Helper()
	if text := s.next(); json.Unmarshal([]byte(text), &r) != nil {
		s.t.Fatal(text)
	}
	return r
}

// TestConsoleStreamsRequests watches the requests of an SDK and of the console itself to both clouds, on two ports.
func TestConsoleStreamsRequests(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	plain, full := watch(t, e, e.DynamoDBURL(), "requests"), watch(t, e, e.CosmosURL(), "requests?bodies=true")
	makeTable(t, client(e), "orders")
	item := `{"TableName":"orders","Item":{"pk":{"S":"a"},"sk":{"S":"b"}}}`
	put := browse(t, e, e.DynamoDBURL(), "POST", dynamoPath+"PutItem", item)
	browse(t, e, e.DynamoDBURL(), "POST", dynamoPath+"GetItem", `{"TableName":"none","Key":{"pk":{"S":"a"}}}`)
	browse(t, e, e.DynamoDBURL(), "POST", cosmosPath+"dbs", `{"id":"app"}`)
	missing := browse(t, e, e.DynamoDBURL(), "GET", cosmosPath+"dbs/none", "")
	var last uint64
	for _, want := range []watchedRequest{
		{Cloud: "dynamodb", Operation: "CreateTable", Target: []string{"orders"}, Status: 200},
		{Cloud: "dynamodb", Operation: "PutItem", Target: []string{"orders"}, Status: put.status, Console: true,
			Request: item, Response: put.body},
		{Cloud: "dynamodb", Operation: "GetItem", Target: []string{"none"}, Status: 400, Console: true,
			Error: "ResourceNotFoundException"},
		{Cloud: "cosmos", Operation: "CreateDatabase", Target: []string{}, Status: 201, Console: true,
			Request: `{"id":"app"}`},
		{Cloud: "cosmos", Operation: "ReadDatabase", Target: []string{"dbs/none"}, Status: missing.status, Console: true,
			Error: "NotFound"},
	} {
		short, long := plain.request(), full.request()
		if short.ID != long.ID || short.ID <= last || short.Request != "" || short.Response != "" || long.Response == "" {
			t.Errorf("after %d: %+v and %+v", last, short, long)
		}
		last = short.ID
		if want.Request != "" && long.Request != want.Request || want.Response != "" && long.Response != want.Response {
			t.Errorf("%s: the bodies are %q and %q", want.Operation, long.Request, long.Response)
		}
		if short.Cloud != want.Cloud || short.Operation != want.Operation || !slices.Equal(short.Target, want.Target) ||
			short.Status != want.Status || short.Error != want.Error || short.Console != want.Console || short.Client == "" {
			t.Errorf("%+v, want %+v", short, want)
		}
		if want.Operation == "PutItem" && (short.Capacity.Writes != 1 || short.User != "tabletop") ||
			want.Cloud == "cosmos" && want.Status < 300 && short.RequestCharge == 0 {
			t.Errorf("%+v", short)
		}
	}
}

// TestConsoleStreamsChanges watches what requests, time and resets change.
func TestConsoleStreamsChanges(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithManualClock(time.Unix(1_800_000_000, 0)))
	changes := watch(t, e, e.DynamoDBURL(), "changes")
	post := func(path, body string, headers ...string) func() {
		return func() { browse(t, e, e.DynamoDBURL(), "POST", path, body, headers...) }
	}
	for _, step := range []struct {
		change func()
		want   string
	}{
		{func() { makeTable(t, client(e), "orders") }, `{"cloud":"dynamodb","kind":"schema","name":"orders"}`},
		{post(dynamoPath+"UpdateTimeToLive",
			`{"TableName":"orders","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}`),
			`{"cloud":"dynamodb","kind":"schema","name":"orders"}`},
		{post(dynamoPath+"PutItem", `{"TableName":"orders","Item":{"pk":{"S":"a"},"sk":{"S":"b"},"ttl":{"N":"1800000001"}}}`),
			`{"cloud":"dynamodb","kind":"items","name":"orders"}`},
		{func() { _ = e.Advance(72 * time.Hour) }, `{"cloud":"dynamodb","kind":"items","name":"orders"}`},
		{post(cosmosPath+"dbs", `{"id":"app"}`), `{"cloud":"cosmos","kind":"schema","name":"app"}`},
		{post(cosmosPath+"dbs/app/colls", `{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash"}}`),
			`{"cloud":"cosmos","kind":"schema","name":"app/c"}`},
		{post(cosmosPath+"dbs/app/colls/c/docs", `{"id":"a","pk":"p"}`, "X-Ms-Documentdb-Partitionkey", `["p"]`),
			`{"cloud":"cosmos","kind":"items","name":"app/c"}`},
		{func() { _ = e.Reset() }, `{"cloud":"","kind":"schema","name":""}`},
	} {
		step.change()
		for got := changes.next(); got != step.want; got = changes.next() {
			if !strings.Contains(got, `"cloud":"dynamodb","kind":"schema"`) { // of a transition that ended
				t.Errorf("%s, want %s", got, step.want)
			}
		}
	}
}

// TestStreamsEndWithTheEmulator closes an emulator while browsers watch: their streams end, and are not cut off.
func TestStreamsEndWithTheEmulator(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithCosmosHTTPAddr("127.0.0.1:0"))
	var all []*events
	for _, port := range consolePorts(e) {
		all = append(all, watch(t, e, port, "requests"), watch(t, e, port, "changes"))
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for i, s := range all {
		if _, err := io.Copy(io.Discard, s); err != nil {
			t.Errorf("stream %d was cut off: %v", i, err)
		}
	}
}

// TestStreamsEndWithTheBrowser opens and leaves more streams than may be open.
func TestStreamsEndWithTheBrowser(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	for range 100 {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, e.DynamoDBURL()+consolePath+"api/requests", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		for resp.StatusCode == http.StatusServiceUnavailable { // those before are about to end
			_ = resp.Body.Close()
			if resp, err = http.DefaultClient.Do(r); err != nil {
				t.Fatal(err)
			}
		}
		cancel()
		if _, err := io.Copy(io.Discard, resp.Body); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		_ = resp.Body.Close()
	}
	if a := browse(t, e, e.DynamoDBURL(), "POST", consolePath+"api/requests", "{}"); a.status != 405 {
		t.Errorf("POST: %d", a.status)
	}
}

// TestConsoleComparesResponses compares by meaning: what a service generates is no difference, in either cloud.
func TestConsoleComparesResponses(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	path := consolePath + "api/compare"
	for _, c := range []struct{ cloud, operation, bodies, want string }{
		{"dynamodb", "GetItem", `"responses":["{\"Item\":{\"_ts\":{\"N\":\"1\"}}}","{\"Item\":{}}"]`,
			`[{"path":"response.Item._ts","recorded":"{\"N\":\"1\"}","answered":""}]`},
		{"dynamodb", "Scan", `"responses":["{\"Items\":[{},{\"a\":{\"S\":\"\"}}]}","{\"Items\":[{\"a\":{\"S\":\"\"}},{}]}"]`, `[]`},
		{"dynamodb", "TransactWriteItems", `"requests":["{\"ClientRequestToken\":\"a\",\"b\":1}",` +
			`"{\"b\":1,\"ClientRequestToken\":\"c\"}"]`, `[]`},
		{"cosmos", "ReadDocument", `"responses":["{\"_ts\":1,\"Items\":[1,2]}","{\"_ts\":2,\"Items\":[2,2]}"]`,
			`[{"path":"response.Items[0]","recorded":"1","answered":"2"}]`},
	} {
		body := fmt.Sprintf(`[{"cloud":%q,"operation":%q,%s}]`, c.cloud, c.operation, c.bodies)
		a := browse(t, e, consolePorts(e)[0], "POST", path, body)
		if want := "[" + c.want + "]"; a.status != 200 || strings.TrimSpace(a.body) != want {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
	if a := browse(t, e, consolePorts(e)[0], "POST", path, `{`); a.status != 400 {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := browse(t, e, consolePorts(e)[0], "GET", path, ""); a.status != 405 {
		t.Errorf("%d %s", a.status, a.body)
	}
}
