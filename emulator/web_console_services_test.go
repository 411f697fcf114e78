package emulator_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

const (
	dynamoPath = consolePath + "api/dynamodb/"
	cosmosPath = consolePath + "api/cosmos/"
	ordersPK   = `"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]`
)

// TestConsoleRunsOperationsOfDynamoDB creates a table, an item and a stream with the console on each port.
func TestConsoleRunsOperationsOfDynamoDB(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithRegions("eu-west-1"), emulator.WithShowCost(""),
		emulator.WithCosmosHTTPAddr("127.0.0.1:0"))
	for i, port := range consolePorts(e) {
		table := []string{"orders", "bills", "users"}[i]
		for _, step := range []struct{ operation, body, want string }{
			{"CreateTable", `{"TableName":"` + table + `","BillingMode":"PAY_PER_REQUEST",` + ordersPK +
				`,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}`, `"TableArn":`},
			{"PutItem", `{"TableName":"` + table + `","Item":{"pk":{"S":"a"},"n":{"N":"1234567890123456789012345678901234567"}}}`, `{}`},
			{"GetItem", `{"TableName":"` + table + `","Key":{"pk":{"S":"a"}}}`, `"1234567890123456789012345678901234567"`},
			{"ListStreams", `{}`, `table/` + table},
			{"GetItem?region=eu-west-1", `{"TableName":"` + table + `","Key":{"pk":{"S":"a"}}}`, `ResourceNotFoundException`},
			{"NoSuchOperation", `{}`, `UnknownOperationException`},
			{"GetItem", `{"TableName":"` + table + `"`, `SerializationException`},
		} {
			a := browse(t, e, port, "POST", dynamoPath+step.operation, step.body)
			if !strings.Contains(a.body, step.want) || a.header.Get("X-Amzn-Requestid") == "" {
				t.Errorf("%s %s: %d %s", port, step.operation, a.status, a.body)
			}
			if step.operation == "PutItem" && a.header.Get(emulator.CostHeader) == "" {
				t.Errorf("%s: no cost: %v", port, a.header)
			}
		}
	}
}

// TestConsoleShowsIsolatedTables chooses the access key and the region whose tables the console uses. Without isolation
// there is nothing to choose.
func TestConsoleShowsIsolatedTables(t *testing.T) {
	t.Parallel()
	isolated, shared := emulator.Run(t, console.Option(), emulator.WithIsolation()), emulator.Run(t, console.Option())
	create := `{"TableName":"orders","BillingMode":"PAY_PER_REQUEST",` + ordersPK + `}`
	for _, step := range []struct {
		to                    *emulator.Emulator
		operation, body, want string
	}{
		{isolated, "CreateTable?region=eu-west-1&accessKey=ana-1", create, `"TableName":"orders"`},
		{isolated, "ListTables?region=eu-west-1&accessKey=ana-1", "{}", `{"TableNames":["orders"]}`},
		{isolated, "ListTables?region=us-east-1&accessKey=ana-1", "{}", `{"TableNames":[]}`},
		{isolated, "ListTables?region=eu-west-1", "{}", `{"TableNames":[]}`},
		{isolated, "ListTables?accessKey=a%2Fb", "{}", "accessKey must be an access key"},
		{isolated, "ListTables?accessKey=", "{}", "accessKey must be an access key"},
		{shared, "ListTables?accessKey=ana-1", "{}", "must be started with --isolate"},
	} {
		if a := browse(t, step.to, step.to.DynamoDBURL(), "POST", dynamoPath+step.operation,
			step.body); !strings.Contains(a.body, step.want) {
			t.Errorf("%s: %d %s", step.operation, a.status, a.body)
		}
	}
	for e, want := range map[*emulator.Emulator]string{
		isolated: `"isolated":true,"accessKeyId":"tabletop","secretAccessKey":"tabletop","scopes":[{"accessKeyId":"ana-1","region":"eu-west-1"}]`,
		shared:   `"isolated":false,"accessKeyId":"tabletop","secretAccessKey":"tabletop","scopes":[]`,
	} {
		if got := browse(t, e, e.DynamoDBURL(), "GET", consolePath+"api/overview", "").body; !strings.Contains(got, want) {
			t.Errorf("%s does not contain %s", got, want)
		}
	}
}

// TestConsoleActsAsItsUser runs operations without a session, as a user whom policies restrict, and after signing out.
func TestConsoleActsAsItsUser(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithIdentitiesFrom(strings.NewReader(people)))
	port := e.DynamoDBURL()
	ana, bob := signIn(t, e, port, anasKey), signIn(t, e, port, bobsKey)
	put := func(key string) string { return `{"TableName":"orders","Item":{"pk":{"S":"` + key + `"}}}` }
	create := `{"TableName":"orders","BillingMode":"PAY_PER_REQUEST",` + ordersPK + `}`
	for _, step := range []struct {
		cookie, operation, body string
		status                  int
		want                    string
	}{
		{"", "CreateTable", create, 401, "sign in"},
		{"tabletop-console-0=none", "ListTables", `{}`, 401, "sign in"},
		{bob, "CreateTable", create, 400, "AccessDeniedException"},
		{ana, "CreateTable", create, 200, "orders"},
		{bob, "PutItem", put("bob"), 200, ""},
		{bob, "PutItem", put("ana"), 400, "AccessDeniedException"},
		{bob, "ListTables", `{}`, 400, "user/bob is not authorized to perform: dynamodb:ListTables"},
		{ana, "PutItem", put("ana"), 200, ""},
	} {
		a := browse(t, e, port, "POST", dynamoPath+step.operation, step.body, "Cookie", step.cookie)
		if a.status != step.status || !strings.Contains(a.body, step.want) {
			t.Errorf("%.30s %s: %d %s, want %d %s", step.cookie, step.operation, a.status, a.body, step.status, step.want)
		}
	}
	browse(t, e, port, "DELETE", sessionPath, "", "Cookie", ana)
	if a := browse(t, e, port, "POST", dynamoPath+"ListTables", "{}", "Cookie", ana); a.status != http.StatusUnauthorized {
		t.Errorf("after signing out: %d %s", a.status, a.body)
	}
}

// TestConsoleUsesCosmosDB creates a database, a container and items, whose ids have any character, and queries them.
func TestConsoleUsesCosmosDB(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithCosmosHTTPAddr("127.0.0.1:0"))
	for _, port := range consolePorts(e) {
		expect := func(method, path, body string, status int, headers ...string) answer {
			t.Helper()
			a := browse(t, e, port, method, cosmosPath+path, body, headers...)
			if a.status != status || a.header.Get("X-Ms-Request-Charge") == "" {
				t.Errorf("%s %s %s: %d %s", port, method, path, a.status, a.body)
			}
			return a
		}
		expect("GET", "", "", 200)
		expect("POST", "dbs", `{"id":"app"}`, 201)
		expect("POST", "dbs/app/colls", `{"id":"orders","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`, 201)
		for _, id := range []string{"a", "b/c", `d\e`, "f%20g", "h i", "ü", "?j#k", "…"} {
			body, _ := json.Marshal(map[string]string{"id": id, "pk": "p"})
			key := []string{"X-Ms-Documentdb-Partitionkey", `["p"]`}
			item := "dbs/app/colls/orders/docs/" + url.PathEscape(id)
			made := expect("POST", "dbs/app/colls/orders/docs", string(body), 201, key...)
			etag := made.header.Get("Etag")
			expect("GET", item, "", 200, key...)
			expect("GET", item, "", 304, append(key, "If-None-Match", etag)...)
			expect("PUT", item, string(body), 412, append(key, "If-Match", `"other"`)...)
			expect("DELETE", item, "", 204, append(key, "If-Match", etag)...)
		}
		expect("POST", "dbs/app/colls/orders/docs", `{"id":"n","pk":"p","n":12345678901234567890}`, 201,
			"X-Ms-Documentdb-Partitionkey", `["p"]`)
		a := expect("POST", "dbs/app/colls/orders/docs", `{"query":"SELECT c.id FROM c"}`, 200, "Content-Type",
			"application/query+json", "X-Ms-Documentdb-Isquery", "True", "X-Ms-Documentdb-Query-Enablecrosspartition", "True")
		if !strings.Contains(a.body, `"id":"n"`) {
			t.Errorf("%s: %s", port, a.body)
		}
		expect("GET", "offers", "", 200)
		expect("DELETE", "dbs/app", "", 204)
	}
	if a := browse(t, e, e.DynamoDBURL(), "GET", cosmosPath+"../../clock", ""); a.status == 200 {
		t.Errorf("a path out of the API: %d %s", a.status, a.body)
	}
	if a := browse(t, e, e.DynamoDBURL(), "GET", cosmosPath+"%2e%2e/info", ""); a.status != 400 {
		t.Errorf("an escaped path out of the API: %d %s", a.status, a.body)
	}
}

// TestConsoleRefusesLargeBodies sends bodies beyond the limits of the services.
func TestConsoleRefusesLargeBodies(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	for path, size := range map[string]int{dynamoPath + "PutItem": 17 << 20, cosmosPath + "dbs": 5 << 20} {
		if a := browse(t, e, e.DynamoDBURL(), "POST", path, strings.Repeat("x", size)); a.status != 413 {
			t.Errorf("%s: %d %.200s", path, a.status, a.body)
		}
	}
	off := emulator.Run(t, console.Option(), emulator.WithCosmosAddr(""))
	a := command(t, off, "GET", "/console/api/cosmos/dbs", "")
	if a.status != 404 || !strings.Contains(a.body, "--cosmos-addr") {
		t.Errorf("without Cosmos DB: %d %s", a.status, a.body)
	}
}
