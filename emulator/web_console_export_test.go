package emulator_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

const exportPath = consolePath + "api/export"

// exportedItems is how many items the tests export: with exportedText they take several pages.
const exportedItems = 40

var exportedText = strings.Repeat("x", 100<<10)

// emulatorWithItems has a table and a container of exportedItems items.
func emulatorWithItems(t *testing.T, options ...emulator.Option) *emulator.Emulator {
	t.Helper()
	e := emulator.Run(t, append(options, console.Option())...)
	if _, a := importFile(t, e, "load", strings.Split(shopModel, `,"TableData"`)[0]+`}]}`); a.status != 200 {
		t.Fatal(a.body)
	}
	for _, step := range [][2]string{{"dbs", `{"id":"my shop"}`},
		{"dbs/my%20shop/colls", `{"id":"orders","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`}} {
		if a := browse(t, e, consolePorts(e)[0], "POST", cosmosPath+step[0], step[1]); a.status != 201 {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	var lines strings.Builder
	for i := range exportedItems {
		fmt.Fprintf(&lines, `{"id":"%d","pk":"p","n":%d,"text":"%s"}`+"\n", i, i, exportedText)
	}
	for _, into := range []string{"load?table=orders", "load?database=my%20shop&container=orders"} {
		if report, a := importFile(t, e, into, lines.String()); report.Written != exportedItems {
			t.Fatal(a.body)
		}
	}
	return e
}

// TestConsoleExportsAllPages exports a table, an index, and the results of queries in each format. A throttled page is
// read again.
func TestConsoleExportsAllPages(t *testing.T) {
	t.Parallel()
	e := emulatorWithItems(t)
	throttle := emulator.Fault{Operations: []string{"Scan"}, Do: emulator.DoThrottle, Skip: 1, Times: 1}
	if _, err := e.Fail(throttle); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ request, first, line string }{
		{`{"format":"json","operation":"Scan","input":{"TableName":"orders","Limit":1,"ExclusiveStartKey":{}}}`,
			`{"pk":"p","n":0,`, `{"pk":"p","n":39,`},
		{`{"format":"dynamodb-json","operation":"Query","input":{"TableName":"orders","KeyConditionExpression":"pk = :p",` +
			`"ExpressionAttributeValues":{":p":{"S":"p"}},"ScanIndexForward":false}}`,
			`{"Item":{"pk":{"S":"p"},"n":{"N":"39"},`, `{"Item":{"pk":{"S":"p"},"n":{"N":"7"},`},
		{`{"format":"csv","operation":"ExecuteStatement","input":{"Statement":"SELECT n, text FROM orders"}}`,
			"n:N,text", "39,x"},
		{`{"format":"json","database":"my shop","container":"orders","query":"SELECT c.n, c.text FROM c ORDER BY c.n DESC"}`,
			`{"n":39,`, `{"n":0,`},
		{`{"format":"csv","database":"my shop","container":"orders","query":"SELECT VALUE c.n FROM c",` +
			`"partitionKey":"[\"p\"]"}`, "value:N", "39"},
	} {
		a := browse(t, e, consolePorts(e)[0], "POST", exportPath, c.request)
		lines := strings.Split(strings.TrimSpace(a.body), "\n")
		want := exportedItems
		if strings.Contains(c.request, "csv") {
			want++ // the header
		}
		if a.status != 200 || len(lines) != want || !strings.HasPrefix(lines[0], c.first) ||
			!strings.Contains(a.body, "\n"+c.line) {
			t.Errorf("%s: %d, %d lines, the first is %.60s", c.request, a.status, len(lines), lines[0])
		}
	}
}

func TestConsoleRefusesInvalidExports(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	for request, want := range map[string]string{
		`{`:                                   "is not JSON of an export",
		`{"format":"xml","operation":"Scan"}`: "format must be one of",
		`{"format":"aws-export","operation":"Scan"}`:                              "format must be one of",
		`{"format":"csv","operation":"PutItem"}`:                                  "an export has an operation",
		`{"format":"csv","operation":"Scan"}`:                                     "tableName",
		`{"format":"csv","operation":"Scan","input":{"TableName":"none"}}`:        "Requested resource not found",
		`{"format":"csv","database":"no","container":"no","query":"SELECT"}`:      "does not exist",
		`{"format":"csv","operation":"ExecuteStatement","input":{"Statement":1}}`: "cannot be converted",
	} {
		a := browse(t, e, consolePorts(e)[0], "POST", exportPath, request)
		if a.status != 400 || !strings.Contains(a.body, want) {
			t.Errorf("%s: %d %s", request, a.status, a.body)
		}
	}
	if a := browse(t, e, consolePorts(e)[0], "GET", exportPath, ""); a.status != 405 {
		t.Errorf("GET: %d", a.status)
	}
}

// TestConsoleExportsNeedAccess exports as a user who may not scan the table, and as nobody.
func TestConsoleExportsNeedAccess(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithIdentitiesFrom(strings.NewReader(people)))
	port := consolePorts(e)[0]
	for cookie, status := range map[string]int{signIn(t, e, port, bobsKey): 403, "": 401} {
		a := browse(t, e, port, "POST", exportPath, `{"format":"csv","operation":"Scan","input":{"TableName":"orders"}}`,
			"Cookie", cookie)
		if a.status != status {
			t.Errorf("%d %s, want %d", a.status, a.body, status)
		}
	}
}

// TestACutExportIsNoFile fails at a later page: the client sees that the file is not whole.
func TestACutExportIsNoFile(t *testing.T) {
	t.Parallel()
	e := emulatorWithItems(t)
	if _, err := e.Fail(emulator.Fault{Operations: []string{"Scan"}, Do: emulator.DoInternalError, Skip: 2}); err != nil {
		t.Fatal(err)
	}
	resp, err := http.Post(e.DynamoDBURL()+exportPath, "application/json",
		strings.NewReader(`{"format":"json","operation":"Scan","input":{"TableName":"orders"}}`))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if text, err := io.ReadAll(resp.Body); err == nil || resp.StatusCode != 200 {
		t.Errorf("%d and %d bytes without an error", resp.StatusCode, len(text))
	}
}
