package emulator_test

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

const historyPath = consolePath + "api/history/"

const enableRecovery = `{"TableName":"orders","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`

// operate runs an operation of DynamoDB in the console, which must succeed.
func operate(t *testing.T, e *emulator.Emulator, operation, body string, headers ...string) {
	t.Helper()
	if a := browse(t, e, e.DynamoDBURL(), "POST", dynamoPath+operation, body, headers...); a.status != 200 {
		t.Fatalf("%s %s: %d %s", operation, body, a.status, a.body)
	}
}

// TestConsoleShowsHistory looks at earlier states of a table on each port, and restores one of them.
func TestConsoleShowsHistory(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithManualClock(time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)),
		emulator.WithCosmosHTTPAddr("127.0.0.1:0"))
	operate(t, e, "CreateTable", `{"TableName":"orders","BillingMode":"PAY_PER_REQUEST",`+ordersPK+`}`)
	operate(t, e, "UpdateContinuousBackups", enableRecovery)
	for _, item := range []string{`{"pk":{"S":"a"},"n":{"N":"1"}}`, `{"pk":{"S":"a"},"n":{"N":"2"}}`,
		`{"pk":{"S":"<b>"}}`} {
		if err := e.Advance(time.Minute); err != nil {
			t.Fatal(err)
		}
		operate(t, e, "PutItem", `{"TableName":"orders","Item":`+item+`}`)
	}
	key := url.QueryEscape(`{"pk":{"S":"a"}}`)
	for _, port := range consolePorts(e) {
		for path, want := range map[string]string{
			"":                               `"earliest":"2026-11-26T12:00:00Z","latest":"2026-11-26T12:03:00Z","counted":"2026-11-26T12:03:00Z","buckets":[{`,
			"?from=2026-11-26T12:02:00Z":     `"from":"2026-11-26T12:02:00Z","to":"2026-11-26T12:02:00.3Z","puts":1,"deletes":0}`,
			"?to=2026-11-26T12:03:00Z":       `"restorable":{"earliest":"2026-11-26T12:00:00Z","latest":"2026-11-26T12:00:00Z"}`,
			"/items?at=2026-11-26T12:00:00Z": `{"at":"2026-11-26T12:00:00Z","items":[],"next":"","count":0}`,
			"/items?at=2026-11-26T12:01:59.999999999Z":  `"items":[{"n":{"N":"1"},"pk":{"S":"a"}}],"next":"","count":1`,
			"/items?at=2026-11-26T12:02:00Z":            `"items":[{"n":{"N":"2"},"pk":{"S":"a"}}],"next":"","count":1`,
			"/items":                                    `"count":2`,
			"/items?pk=" + url.QueryEscape(`{"S":"a"}`): `"items":[{"n":{"N":"2"},"pk":{"S":"a"}}],"next":"","count":1`,
			"/item?limit=1&key=" + key: `{"versions":[{"at":"2026-11-26T12:02:00Z","kind":"put","user":"tabletop","operation":"PutItem",` +
				`"before":{"n":{"N":"1"},"pk":{"S":"a"}},"after":{"n":{"N":"2"},"pk":{"S":"a"}}}],"next":"v`,
			"/difference?from=2026-11-26T12:01:00Z&to=2026-11-26T12:03:00Z&limit=1000": `{"key":{"pk":{"S":"a"}},` +
				`"before":{"n":{"N":"1"},"pk":{"S":"a"}},"after":{"n":{"N":"2"},"pk":{"S":"a"}}}`,
		} {
			a := browse(t, e, port, "GET", historyPath+"dynamodb/orders"+path, "")
			if a.status != 200 || !strings.Contains(a.body, want) || a.header.Get("Content-Type") != "application/json" {
				t.Errorf("%s %s: %d %s, want %s", port, path, a.status, a.body, want)
			}
		}
	}
	if err := e.Advance(5 * time.Minute); err != nil {
		t.Fatal(err)
	}
	operate(t, e, "RestoreTableToPointInTime", `{"SourceTableName":"orders","TargetTableName":"again","RestoreDateTime":`+
		fmt.Sprint(time.Date(2026, 11, 26, 12, 1, 0, 0, time.UTC).Unix())+`}`)
	a := browse(t, e, e.DynamoDBURL(), "POST", dynamoPath+"Scan", `{"TableName":"again"}`)
	if !strings.Contains(a.body, `"Items":[{"n":{"N":"1"},"pk":{"S":"a"}}]`) {
		t.Errorf("restored: %s", a.body)
	}
}

// TestConsoleRefusesHistory asks for what is not there, and with wrong parameters.
func TestConsoleRefusesHistory(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithManualClock(time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)))
	operate(t, e, "CreateTable", `{"TableName":"orders","BillingMode":"PAY_PER_REQUEST",`+ordersPK+`}`)
	operate(t, e, "CreateTable", `{"TableName":"plain","BillingMode":"PAY_PER_REQUEST",`+ordersPK+`}`)
	operate(t, e, "UpdateContinuousBackups", enableRecovery)
	for _, c := range []struct {
		path   string
		status int
		want   string
	}{
		{"dynamodb/none", 404, "Table: none not found"},
		{"dynamodb/plain", 404, `table \"plain\" has no point-in-time recovery, so its earlier states are not stored; enable it with: aws dynamodb`},
		{"dynamodb/plain/items", 404, "no point-in-time recovery"},
		{"dynamodb/orders/others", 404, "items, item and difference"},
		{"dynamodb", 404, "the name of a table"},
		{"other/orders", 404, "the path must be"},
		{"dynamodb/orders/items?at=yesterday", 400, "at must be a time such as"},
		{"dynamodb/orders/items?at=2026-11-26T11:59:59Z", 400, "at must be from 2026-11-26T12:00:00Z to"},
		{"dynamodb/orders/items?at=2027-11-26T11:59:59Z", 400, "at must be from 2026-11-26T12:00:00Z to"},
		{"dynamodb/orders/items?limit=x", 400, "limit must be a number"},
		{"dynamodb/orders/items?limit=1001", 400, "limit must be from 1 to 1000"},
		{"dynamodb/orders/items?start=x", 400, "start must be the value of next"},
		{"dynamodb/orders/items?start=k*", 400, "start must be the value of next"},
		{"dynamodb/orders/items?pk={", 400, "pk must be JSON"},
		{`dynamodb/orders/items?pk={"N":"1"}`, 400, "pk must be a value of the partition key attribute pk"},
		{"dynamodb/orders/items?index=none", 400, "does not have the specified index"},
		{"dynamodb/orders/item", 400, "The provided key element does not match the schema"},
		{`dynamodb/orders/item?key={"other":{"S":"a"}}`, 400, "does not match the schema"},
		{`dynamodb/orders/item?key={"pk":{"S":"a"}}&start=v1.2`, 400, "start must be the value of next"},
		{`dynamodb/orders/item?key={"pk":{"S":"a"}}&start=v1.2.3`, 400, "start must be the value of next"},
		{"dynamodb/orders/difference?from=2026-11-26T12:00:00.000000001Z&to=2026-11-26T12:00:00Z", 400, "must be"},
		{"dynamodb/orders?region=a/b", 400, "region must be the name of a region"},
		{"dynamodb/orders?accessKey=ana", 400, "--isolate"},
		{"dynamodb/orders?region=eu-west-1", 200, "earliest"},
	} {
		path, query, _ := strings.Cut(c.path, "?")
		values, _ := url.ParseQuery(query)
		a := browse(t, e, e.DynamoDBURL(), "GET", historyPath+path+"?"+values.Encode(), "")
		if a.status != c.status || !strings.Contains(a.body, c.want) ||
			c.status != 200 && a.header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s, want %d %s", c.path, a.status, a.body, c.status, c.want)
		}
	}
	if a := browse(t, e, e.DynamoDBURL(), "POST", historyPath+"dynamodb/orders", ""); a.status != 405 {
		t.Errorf("POST: %d %s", a.status, a.body)
	}
}

// TestHistoryNeedsPermission reads earlier states as users whom policies restrict: a token for a page of one item must
// not show another.
func TestHistoryNeedsPermission(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithIdentitiesFrom(strings.NewReader(people)))
	ana, bob := signIn(t, e, e.DynamoDBURL(), anasKey), signIn(t, e, e.DynamoDBURL(), bobsKey)
	operate(t, e, "CreateTable", `{"TableName":"orders","BillingMode":"PAY_PER_REQUEST",`+ordersPK+`}`, "Cookie", ana)
	operate(t, e, "UpdateContinuousBackups", enableRecovery, "Cookie", ana)
	operate(t, e, "PutItem", `{"TableName":"orders","Item":{"pk":{"S":"bob"}}}`, "Cookie", bob)
	read := func(cookie, path string) answer {
		return browse(t, e, e.DynamoDBURL(), "GET", historyPath+"dynamodb/orders"+path, "", "Cookie", cookie)
	}
	key := func(pk string) string { return "/item?key=" + url.QueryEscape(`{"pk":{"S":"`+pk+`"}}`) }
	for _, c := range []struct {
		cookie, path string
		status       int
		want         string
	}{
		{ana, "", 200, `"puts":1`}, {ana, "/items", 200, `"bob"`}, {ana, "/difference", 200, `"bob"`},
		{ana, key("bob"), 200, `"kind":"put","user":"arn:aws:iam::123456789012:user/bob","operation":"PutItem"`},
		{bob, "", 403, "dynamodb:DescribeContinuousBackups"}, {bob, "/items", 403, "dynamodb:Scan"},
		{bob, "/difference", 403, "dynamodb:Scan"}, {bob, key("ana"), 403, "dynamodb:GetItem"},
		{"", "", 401, "sign in"}, {"", "/items", 401, "sign in"},
	} {
		if a := read(c.cookie, c.path); a.status != c.status || !strings.Contains(a.body, c.want) {
			t.Errorf("%.20s %s: %d %s, want %d %s", c.cookie, c.path, a.status, a.body, c.status, c.want)
		}
	}
}

// TestTokensShowNoOtherItem forges the token of a page of one item's versions: it must not lead to the image of another
// item, which policies hide.
func TestTokensShowNoOtherItem(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithManualClock(time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)))
	operate(t, e, "CreateTable", `{"TableName":"orders","BillingMode":"PAY_PER_REQUEST",`+ordersPK+`}`)
	operate(t, e, "UpdateContinuousBackups", enableRecovery)
	if err := e.Advance(time.Minute); err != nil {
		t.Fatal(err)
	}
	for _, item := range []string{`{"pk":{"S":"own"}}`, `{"pk":{"S":"other"}}`, `{"pk":{"S":"other"},"secret":{"S":"s"}}`,
		`{"pk":{"S":"other"}}`} {
		operate(t, e, "PutItem", `{"TableName":"orders","Item":`+item+`}`)
	}
	first := e.Now().UnixNano()
	for anchor, status := range map[int64]int{first: 200, first + 1: 400, first + 2: 400, first + 3: 400, first + 4: 400} {
		a := browse(t, e, e.DynamoDBURL(), "GET", historyPath+"dynamodb/orders/item?key="+
			url.QueryEscape(`{"pk":{"S":"own"}}`)+fmt.Sprintf("&start=v%d.%d.%d", first, anchor, first), "")
		if a.status != status || strings.Contains(a.body, "secret") {
			t.Errorf("anchor %d: %d %s", anchor-first, a.status, a.body)
		}
	}
}

// TestHistoryIsOfItsAccessKey looks at the tables of isolated access keys.
func TestHistoryIsOfItsAccessKey(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithIsolation())
	const ana = "?region=eu-west-1&accessKey=ana"
	operate(t, e, "CreateTable"+ana, `{"TableName":"orders","BillingMode":"PAY_PER_REQUEST",`+ordersPK+`}`)
	operate(t, e, "UpdateContinuousBackups"+ana, enableRecovery)
	operate(t, e, "PutItem"+ana, `{"TableName":"orders","Item":{"pk":{"S":"a"}}}`)
	for parameters, status := range map[string]int{ana: 200, "?region=eu-west-1": 404, "?accessKey=ana": 404,
		"?region=eu-west-1&accessKey=bob": 404} {
		a := browse(t, e, e.DynamoDBURL(), "GET", historyPath+"dynamodb/orders/items"+parameters, "")
		if a.status != status || status == 200 && !strings.Contains(a.body, `"items":[{"pk":{"S":"a"}}]`) {
			t.Errorf("%s: %d %s", parameters, a.status, a.body)
		}
	}
}

// TestOlderChangesHaveNoUser looks at the changes in a folder whose version did not store who made them.
func TestOlderChangesHaveNoUser(t *testing.T) {
	t.Parallel()
	dir := unpack(t, filepath.Join("testdata", "folders", "2026-11-23-always-encrypted.tar.gz"))
	e := emulator.Run(t, console.Option(), emulator.WithData(dir),
		emulator.WithManualClock(time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)))
	a := browse(t, e, e.DynamoDBURL(), "GET", historyPath+"dynamodb/orders/item?key="+
		url.QueryEscape(`{"pk":{"S":"a"},"sk":{"S":"1"}}`), "")
	for _, want := range []string{`"kind":"update","user":"","operation":"","before":{`,
		`"kind":"put","user":"","operation":"","before":null,"after":{`} {
		if !strings.Contains(a.body, want) {
			t.Errorf("%d %s, want %s", a.status, a.body, want)
		}
	}
}
