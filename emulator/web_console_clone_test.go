package emulator_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

const clonePath = consolePath + "api/clone/"

// TestConsoleClones clones a table and a container, and asks for clones that cannot be.
func TestConsoleClones(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithManualClock(time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)))
	operate(t, e, "CreateTable", `{"TableName":"orders","BillingMode":"PAY_PER_REQUEST",`+ordersPK+`}`)
	operate(t, e, "PutItem", `{"TableName":"orders","Item":{"pk":{"S":"a"}}}`)
	writeOrders(t, e)
	for _, c := range []struct {
		path, body string
		status     int
		want       string
	}{
		{"dynamodb/orders", `{"to":"copies"}`, 200, `{"done":true,"items":1}`},
		{"dynamodb/orders", `{"to":"empty","withoutItems":true}`, 200, `{"done":true,"items":0}`},
		{"dynamodb/orders", `{"to":"copies"}`, 400, "Table already exists: copies"},
		{"dynamodb/orders", `{"to":""}`, 400, "targetTableName"},
		{"dynamodb/none", `{"to":"more"}`, 404, "Table: none not found"},
		{"dynamodb/orders", `[]`, 400, "the body must be"},
		{"dynamodb/orders/items", `{"to":"more"}`, 404, "the path must be"},
		{"cosmos/app/orders", `{"to":"copies"}`, 200, `{"done":true,"items":1}`},
		{"cosmos/app/orders", `{"to":"empty","withoutItems":true}`, 200, `{"done":true,"items":0}`},
		{"cosmos/app/orders", `{"to":"copies"}`, 409, "already exists"},
		{"cosmos/app/orders", `{"to":"a/b"}`, 400, ""},
		{"cosmos/app/none", `{"to":"more"}`, 404, "app/none"},
		{"cosmos/app", `{"to":"more"}`, 404, "the path must be"},
	} {
		a := browse(t, e, e.DynamoDBURL(), "POST", clonePath+c.path, c.body)
		kind := "application/problem+json"
		if c.status == 200 {
			kind = "application/jsonl"
		}
		if a.status != c.status || !strings.Contains(a.body, c.want) || a.header.Get("Content-Type") != kind {
			t.Errorf("%s %s: %d %s, want %d %s", c.path, c.body, a.status, a.body, c.status, c.want)
		}
	}
	if a := browse(t, e, e.DynamoDBURL(), "GET", clonePath+"dynamodb/orders", ""); a.status != 405 {
		t.Errorf("GET: %d %s", a.status, a.body)
	}
	if a := browse(t, e, e.DynamoDBURL(), "POST", dynamoPath+"Scan", `{"TableName":"copies"}`); !strings.Contains(a.body,
		`"Items":[{"pk":{"S":"a"}}]`) {
		t.Errorf("the clone: %s", a.body)
	}
	off := emulator.Run(t, console.Option(), emulator.WithCosmosAddr(""))
	resp, err := http.Post(strings.TrimSuffix(off.DynamoDBURL(), "/")+clonePath+"cosmos/app/orders", "application/json",
		strings.NewReader(`{"to":"copies"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if text, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != 404 ||
		!strings.Contains(string(text), "Cosmos DB is off") {
		t.Errorf("without Cosmos DB: %d %s %v", resp.StatusCode, text, err)
	}
}

// TestClonesNeedPermission clones a table as users whom policies restrict.
func TestClonesNeedPermission(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithIdentitiesFrom(strings.NewReader(people)))
	ana, bob := signIn(t, e, e.DynamoDBURL(), anasKey), signIn(t, e, e.DynamoDBURL(), bobsKey)
	operate(t, e, "CreateTable", `{"TableName":"orders","BillingMode":"PAY_PER_REQUEST",`+ordersPK+`}`, "Cookie", ana)
	for _, c := range []struct {
		cookie, path string
		status       int
		want         string
	}{
		{bob, "dynamodb/orders", 403, "dynamodb:DescribeTable"}, {"", "dynamodb/orders", 401, "sign in"},
		{"", "cosmos/app/orders", 401, "sign in"}, {ana, "dynamodb/orders", 200, `"done":true`},
	} {
		a := browse(t, e, e.DynamoDBURL(), "POST", clonePath+c.path, `{"to":"copies"}`, "Cookie", c.cookie)
		if a.status != c.status || !strings.Contains(a.body, c.want) {
			t.Errorf("%.20s %s: %d %s, want %d %s", c.cookie, c.path, a.status, a.body, c.status, c.want)
		}
	}
}
