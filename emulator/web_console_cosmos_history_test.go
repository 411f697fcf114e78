package emulator_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

const ordersHistory = historyPath + "cosmos/app/orders"

// writeOrders creates the container orders, whose items expire if they say so, and changes it in steps of a minute.
func writeOrders(t *testing.T, e *emulator.Emulator) {
	t.Helper()
	for _, step := range []struct{ method, path, body string }{
		{"POST", "dbs", `{"id":"app"}`},
		{"POST", "dbs/app/colls", `{"id":"orders","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"defaultTtl":-1}`},
		{"POST", "dbs/app/colls/orders/docs", `{"id":"1","pk":"a","n":1}`},
		{"PUT", "dbs/app/colls/orders/docs/1", `{"id":"1","pk":"a","n":2}`},
		{"PATCH", "dbs/app/colls/orders/docs/1", `[{"op":"incr","path":"/n","value":1}]`},
		{"POST", "dbs/app/colls/orders/docs", `{"id":"<2>","pk":"a","ttl":30}`},
	} {
		if err := e.Advance(time.Minute); err != nil {
			t.Fatal(err)
		}
		headers := []string{"X-Ms-Documentdb-Partitionkey", `["a"]`, "Content-Type", "application/json"}
		if step.method == "PATCH" {
			headers[3] = "application/json-patch+json"
		}
		a := browse(t, e, e.DynamoDBURL(), step.method, cosmosPath+step.path, step.body, headers...)
		if a.status >= 300 {
			t.Fatalf("%s %s: %d %s", step.method, step.path, a.status, a.body)
		}
	}
	if err := e.Advance(time.Minute); err != nil { // the last item expires
		t.Fatal(err)
	}
}

// TestConsoleShowsHistoryOfContainers looks at earlier states of a container on each port, and restores one of them.
func TestConsoleShowsHistoryOfContainers(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithManualClock(time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)),
		emulator.WithCosmosHTTPAddr("127.0.0.1:0"), emulator.WithCosmosContinuousBackup(7))
	writeOrders(t, e)
	key := func(id string) string {
		return "/item?key=" + url.QueryEscape(`{"id":"`+id+`","partitionKey":["a"]}`)
	}
	for _, port := range consolePorts(e) {
		for path, wants := range map[string][]string{
			"":                                      {`"earliest":"2026-11-26T11:59:59.999999999Z","latest":"2026-11-26T12:06:59.999999999Z"`, `"puts":1,"deletes":0`},
			"/items?at=2026-11-26T12:02:59Z":        {`{"items":[],"next":"","at":"2026-11-26T12:02:59Z","count":0}`},
			"/items?at=2026-11-26T12:03:00Z":        {`"n":1,`, `"count":1}`},
			"/items?at=2026-11-26T12:06:00Z":        {`"n":3,`, `"id":"<2>"`, `"count":2}`},
			"/items?pk=" + url.QueryEscape(`["a"]`): {`"n":3,`, `"_etag":`, `"count":1}`},
			"/items?pk=" + url.QueryEscape(`["b"]`): {`"count":0}`},
			key("1"): {`"at":"2026-11-26T12:05:00Z","kind":"update","user":"primary key","operation":"PatchDocument"`,
				`"at":"2026-11-26T12:04:00Z","kind":"put","user":"primary key","operation":"ReplaceDocument"`,
				`"at":"2026-11-26T12:03:00Z","kind":"put","user":"primary key","operation":"CreateDocument","before":null,`},
			key("<2>"):                              {`"kind":"expire","user":"","operation":"","before":{"id":"<2>"`, `"after":null}`},
			"/difference?from=2026-11-26T12:03:00Z": {`{"changes":[{"key":{"id":"1","partitionKey":["a"]},"before":{`, `"next":""}`},
		} {
			a := browse(t, e, port, "GET", ordersHistory+path, "")
			for _, want := range wants {
				if a.status != 200 || !strings.Contains(a.body, want) {
					t.Errorf("%s %s: %d %s, want %s", port, path, a.status, a.body, want)
				}
			}
		}
	}
	restore := func(body string) answer {
		return browse(t, e, e.DynamoDBURL(), "POST", ordersHistory+"/restore", body)
	}
	if a := restore(`{"at":"2026-11-26T12:04:30Z","to":"again"}`); a.status != 200 ||
		a.body != `{"at":"2026-11-26T12:04:30Z","container":"again","items":1}` {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := restore(`{"at":"2026-11-26T12:04:30Z","to":"again"}`); a.status != 409 {
		t.Errorf("to a container that exists: %d %s", a.status, a.body)
	}
	if a := browse(t, e, e.DynamoDBURL(), "GET", cosmosPath+"dbs/app/colls/again/docs", ""); !strings.Contains(a.body,
		`"n":2,`) || !strings.Contains(a.body, `"_count":1`) {
		t.Errorf("the restored container: %d %s", a.status, a.body)
	}
}

// TestConsoleRefusesHistoryOfContainers asks for what is not there, and with wrong parameters.
func TestConsoleRefusesHistoryOfContainers(t *testing.T) {
	t.Parallel()
	start := emulator.WithManualClock(time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC))
	e := emulator.Run(t, console.Option(), start, emulator.WithCosmosContinuousBackup(30))
	plain := emulator.Run(t, console.Option(), start)
	writeOrders(t, e)
	writeOrders(t, plain)
	for _, c := range []struct {
		at           *emulator.Emulator
		method, path string
		status       int
		want         string
	}{
		{plain, "GET", "", 404, "start the emulator with --cosmos-continuous-backup 7"},
		{plain, "GET", "/items", 404, "start the emulator with --cosmos-continuous-backup 7"},
		{plain, "POST", "/restore", 404, "start the emulator with --cosmos-continuous-backup 7"},
		{e, "GET", "/others", 404, "items, item, difference and restore"}, {e, "POST", "/items", 405, "use GET"},
		{e, "GET", "/restore", 405, "use POST"}, {e, "GET", "2", 404, "app/orders2"},
		{e, "GET", "/items?at=x", 400, "at must be a time"},
		{e, "GET", "/items?at=2026-11-26T11:00:00Z", 400, "at must be from 2026-11-26T11:59:59.999999999Z to"},
		{e, "GET", "/items?limit=0", 400, "limit must be from 1 to 1000"},
		{e, "GET", "/items?start=x", 400, "start must be"}, {e, "GET", "/items?pk=1", 400, "must be an array"},
		{e, "GET", `/items?pk=["a","b"]`, 400, ""}, {e, "GET", "/item", 400, "key must be"},
		{e, "GET", `/item?key={"id":1}`, 400, "key must be"}, {e, "GET", `/item?key={"id":"1"}`, 400, "must be an array"},
		{e, "GET", "/difference?from=2026-11-26T12:02:00Z&to=2026-11-26T12:01:00Z", 400, "from must not be after to"},
	} {
		path, query, _ := strings.Cut(c.path, "?")
		values, _ := url.ParseQuery(query)
		if query = values.Encode(); query != "" {
			path += "?" + query
		}
		a := browse(t, c.at, c.at.DynamoDBURL(), c.method, ordersHistory+path, `{"at":"","to":"again"}`)
		if a.status != c.status || !strings.Contains(a.body, c.want) ||
			a.header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s, want %d %s", c.path, a.status, a.body, c.status, c.want)
		}
	}
	if _, err := emulator.Start(emulator.WithCosmosContinuousBackup(8)); err == nil ||
		!strings.Contains(err.Error(), "7 or 30") {
		t.Errorf("8 days: %v", err)
	}
}

// TestContinuousBackupBeginsAgain opens a folder with continuous backup, without, and with it again: what was written
// without it is no part of it.
func TestContinuousBackupBeginsAgain(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	for i, want := range []string{`"earliest":"2026-11-26T11:59:59.999999999Z"`, `"earliest":"2026-11-26T11:59:59.999999999Z"`,
		`no continuous backup`, `"earliest":"2026-11-26T14:59:59.999999999Z"`} {
		days := 7
		if i == 2 {
			days = 0
		}
		e := emulator.Run(t, console.Option(), emulator.WithData(dir), emulator.WithManualClock(now),
			emulator.WithCosmosContinuousBackup(days))
		if i == 0 {
			writeOrders(t, e)
		}
		if a := browse(t, e, e.DynamoDBURL(), "GET", ordersHistory, ""); !strings.Contains(a.body, want) {
			t.Errorf("%d: %d %s, want %s", i, a.status, a.body, want)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Hour)
	}
	if report, err := emulator.CheckFolder(dir, ""); err != nil || report.Damaged {
		t.Errorf("%+v %v", report, err)
	}
}
