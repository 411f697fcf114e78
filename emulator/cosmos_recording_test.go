package emulator_test

import (
	"bytes"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// recordedBy returns what an emulator, whose clock stands at recordedAt, records of a client.
func recordedBy(t *testing.T, client func(*emulator.Emulator), options ...emulator.Option) (text string) {
	t.Helper()
	var out bytes.Buffer
	e, err := emulator.Start(append(options, emulator.WithRecording(&out), emulator.WithManualClock(recordedAt))...)
	if err != nil {
		t.Fatal(err)
	}
	client(e)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var recordedAt = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// recordedOf returns the requests of an operation.
func recordedOf(all []recording.Entry, operation string) (found []recording.Entry) {
	for _, one := range all {
		if one.Operation == operation {
			found = append(found, one)
		}
	}
	return found
}

func TestRequestsToCosmosAreRecorded(t *testing.T) {
	t.Parallel()
	key := azcosmos.NewPartitionKeyString("ana")
	all := recorded(t, recordedBy(t, func(e *emulator.Emulator) {
		orders := makeContainer(t, e, nil)
		for _, body := range []string{`{"id":"1 %","pk":"ana"}`, `{"id":"2","pk":"ana"}`} {
			if _, err := orders.CreateItem(t.Context(), key, []byte(body),
				&azcosmos.ItemOptions{EnableContentResponseOnWrite: true}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := orders.ReadItem(t.Context(), key, "1 %", nil); err != nil {
			t.Fatal(err)
		}
		if _, err := orders.ReadItem(t.Context(), key, "3", nil); err == nil {
			t.Fatal("there is an item 3")
		}
		pages := orders.NewQueryItemsPager("SELECT * FROM c", key, &azcosmos.QueryOptions{PageSizeHint: 1})
		for pages.More() {
			if _, err := pages.NextPage(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}))
	create := recordedOf(all, "CreateDocument")[0]
	client, etag := create.Client, create.AnswerHeaders["etag"]
	if !strings.HasPrefix(client, "azsdk-go-azcosmos") || etag == "" || create.Micros < 0 {
		t.Errorf("client %q, ETag %q, %d µs", client, etag, create.Micros)
	}
	if !strings.Contains(string(create.Answer), `"id":"1 %","pk":"ana","_rid":"`) {
		t.Errorf("answer %s", create.Answer)
	}
	create.Answer, create.Micros = nil, 0
	want := recording.Entry{N: create.N, Time: recordedAt, Service: "cosmos", Operation: "CreateDocument",
		Principal: "primary key", Client: client, Method: "POST", Path: "/dbs/shop/colls/orders/docs",
		Headers: create.Headers, Request: []byte(`{"id":"1 %","pk":"ana"}`), Status: 201,
		AnswerHeaders: map[string]string{"etag": etag, "x-ms-session-token": create.AnswerHeaders["x-ms-session-token"]},
		Consumed:      []recording.Consumed{{Database: "shop", Container: "orders", Units: create.Consumed[0].Units}}}
	if diff := cmp.Diff(want, create); diff != "" || create.Consumed[0].Units < 1 {
		t.Errorf("%v %s", create.Consumed, diff)
	}
	if got := create.Headers["x-ms-documentdb-partitionkey"]; got != `["ana"]` || create.Headers["authorization"] != "" {
		t.Errorf("headers %v", create.Headers)
	}
	if read := recordedOf(all, "ReadDocument"); read[0].Path != "/dbs/shop/colls/orders/docs/1%20%25" ||
		read[0].Headers["x-ms-documentdb-partitionkey"] != `["ana"]` || read[1].Status != 404 ||
		read[1].Error != "NotFound" || !strings.Contains(string(read[1].Answer), `"code":"NotFound"`) {
		t.Errorf("%+v", read)
	}
	query := recordedOf(all, "QueryDocuments")
	token := query[0].AnswerHeaders["x-ms-continuation"]
	if token == "" || query[1].Headers["x-ms-continuation"] != token || query[1].Headers["x-ms-max-item-count"] != "1" {
		t.Errorf("token %q, then %v", token, query[1].Headers)
	}
}

// TestFaultsOfCosmosAreRecorded loses the response of one request, and cuts off another before it has an effect.
func TestFaultsOfCosmosAreRecorded(t *testing.T) {
	t.Parallel()
	all := recorded(t, recordedBy(t, func(e *emulator.Emulator) {
		orders := makeContainer(t, e, nil)
		for operation, do := range map[string]emulator.FaultAction{"CreateDocument": emulator.DoCutAfterCommit,
			"DeleteDocument": emulator.DoCutBeforeCommit} {
			if _, err := e.Fail(emulator.Fault{Operations: []string{operation}, Do: do}); err != nil {
				t.Fatal(err)
			}
		}
		key := azcosmos.NewPartitionKeyString("ana")
		for _, err := range []error{
			second(orders.CreateItem(t.Context(), key, []byte(`{"id":"1","pk":"ana"}`), nil)),
			second(orders.DeleteItem(t.Context(), key, "1", nil)),
		} {
			if err == nil {
				t.Error("a request that a fault cuts off has a response")
			}
		}
	}))
	if lost := recordedOf(all, "CreateDocument"); len(lost) == 0 || !lost[0].Lost || lost[0].Status != 201 {
		t.Errorf("%+v", lost)
	}
	if cut := recordedOf(all, "DeleteDocument"); len(cut) != 0 {
		t.Errorf("%+v", cut)
	}
}

func second[T any](_ T, err error) error { return err }

// TestRecordingsHaveNoTokens creates and lists a permission, sends its token back, and uses it and a wrong signature.
func TestRecordingsHaveNoTokens(t *testing.T) {
	t.Parallel()
	var token string
	text := recordedBy(t, func(e *emulator.Emulator) {
		makeContainer(t, e, nil)
		api := func(method, path, body string) string {
			t.Helper()
			a := command(t, e, method, "/console/api/cosmos/dbs/shop/"+path, body)
			if a.status >= 300 {
				t.Fatalf("%s %s: %d %s", method, path, a.status, a.body)
			}
			return a.body
		}
		api("POST", "users", `{"id":"ana"}`)
		made := api("POST", "users/ana/permissions", `{"id":"p","permissionMode":"Read","resource":"dbs/shop/colls/orders"}`)
		_, token, _ = strings.Cut(made, `"_token":"`)
		token, _, _ = strings.Cut(token, `"`)
		api("PUT", "users/ana/permissions/p", made)
		api("GET", "users/ana/permissions", "")
		for _, authorization := range []string{token, "type=mySecretType&ver=1.0&sig=mySecretSignature"} {
			r, err := http.NewRequestWithContext(t.Context(), "GET", e.CosmosHTTPURL()+"dbs/shop/colls/orders", nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", authorization)
			send(t, r)
		}
	}, emulator.WithCosmosHTTPAddr("127.0.0.1:0"), console.Option())
	if !strings.HasPrefix(token, "type=resource") {
		t.Fatalf("token %q", token)
	}
	for _, secret := range []string{token, "mySecret", "sig=", emulator.CosmosKey} {
		if strings.Contains(text, secret) {
			t.Errorf("the recording has %s:\n%s", secret, text)
		}
	}
	reads := recordedOf(recorded(t, text), "ReadContainer")
	if strings.Count(text, `"_token":"(not recorded)"`) != 4 || len(reads) != 1 ||
		reads[0].Principal != "resource token of p" {
		t.Errorf("%+v in\n%s", reads, text)
	}
}

// TestTracesAreRecorded sends a request with a trace to each cloud.
func TestTracesAreRecorded(t *testing.T) {
	t.Parallel()
	const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	agent := strings.Repeat("a", recording.MaxClient) + "b"
	all := recorded(t, recordedBy(t, func(e *emulator.Emulator) {
		read, err := http.NewRequestWithContext(t.Context(), "GET", e.CosmosHTTPURL(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []*http.Request{request(t, e, "ListTables", strings.NewReader("{}")), read} {
			r.Header.Set("Traceparent", trace)
			r.Header.Set("User-Agent", agent)
			send(t, r)
		}
	}, emulator.WithCosmosHTTPAddr("127.0.0.1:0")))
	if len(all) != 2 {
		t.Fatalf("%+v", all)
	}
	for _, one := range all {
		if one.Trace != trace || one.Client != agent[:recording.MaxClient] {
			t.Errorf("%+v", one)
		}
	}
}

// TestHeadersOfCosmosAreRecorded compares the headers that the service reads with those that are recorded.
func TestHeadersOfCosmosAreRecorded(t *testing.T) {
	t.Parallel()
	left := map[string]bool{"X-Ms-Date": true, "X-Ms-Activity-Id": true,
		"X-Ms-Documentdb-Content-Serialization-Format": true, "X-Ms-Cosmos-Supported-Serialization-Formats": true}
	header := regexp.MustCompile(`"(X-Ms-[A-Za-z-]+|A-Im|If-[A-Za-z-]+|Prefer|Content-Type)"`)
	source, err := os.ReadFile("cosmos_recording.go")
	if err != nil {
		t.Fatal(err)
	}
	names, n := strings.Fields(string(source)), 0
	err = filepath.WalkDir("internal/cosmos", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, found := range header.FindAllStringSubmatch(string(text), -1) {
			n++
			if name := found[1]; !left[name] && !contains(names, name) {
				t.Errorf("%s reads %s, which is not recorded", path, name)
			}
		}
		return err
	})
	if err != nil || n < 40 {
		t.Errorf("%d headers, %v", n, err)
	}
}

// contains reports whether one of the words is name, perhaps with a backquote.
func contains(words []string, name string) bool {
	for _, word := range words {
		if strings.Trim(word, "`") == name {
			return true
		}
	}
	return false
}
