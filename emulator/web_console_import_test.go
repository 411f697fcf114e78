package emulator_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

const (
	importPath = consolePath + "api/import/"
	shopModel  = `{"ModelName":"Shop","DataModel":[{"TableName":"orders","KeyAttributes":{"PartitionKey":` +
		`{"AttributeName":"pk","AttributeType":"S"},"SortKey":{"AttributeName":"n","AttributeType":"N"}},` +
		`"GlobalSecondaryIndexes":[{"IndexName":"by-s","KeyAttributes":{"PartitionKey":{"AttributeName":"s","AttributeType":"S"}},` +
		`"Projection":{"ProjectionType":"ALL"}}],"TableData":[{"pk":{"S":"a"},"n":{"N":"1"},"s":{"S":"x"}},{"pk":{"S":"b"},"n":{"N":"2"}}]}]}`
)

// imported is what the report of an import and a preview have in common with what the tests compare.
type imported struct {
	Format       string
	Tables       json.RawMessage
	Items        []json.RawMessage
	Types        json.RawMessage
	Created      []string
	Written      int
	Deleted      int
	Invalid      json.RawMessage
	InvalidLines []struct{ Place, Reason, Text string }
	Problem      string
	Error        string
	Capacity     float64 `json:"capacityUnits"`
}

func importFile(t *testing.T, e *emulator.Emulator, path, file string) (report imported, a answer) {
	t.Helper()
	a = browse(t, e, consolePorts(e)[0], "POST", importPath+path, file)
	if err := json.Unmarshal([]byte(a.body), &report); err != nil && a.status == 200 {
		t.Fatalf("%s: %d %s", path, a.status, a.body)
	}
	return report, a
}

func TestConsoleImportsAModel(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	preview, a := importFile(t, e, "preview", shopModel)
	if preview.Format != "workbench" || len(preview.Items) != 2 || string(preview.Tables) !=
		`[{"name":"orders","key":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"n","AttributeType":"N"}],`+
			`"indexes":["by-s"],"exists":false}]` {
		t.Errorf("%s", a.body)
	}
	report, a := importFile(t, e, "load", shopModel)
	if report.Written != 2 || strings.Join(report.Created, " ") != "orders" || report.Capacity != 3 || report.Error != "" {
		t.Errorf("%s", a.body)
	}
	report, a = importFile(t, e, "load", shopModel)
	if report.Written != 2 || len(report.Created) != 0 {
		t.Errorf("again: %s", a.body)
	}
	if _, a := importFile(t, e, "load", strings.ReplaceAll(shopModel, `"n"`, `"m"`)); a.status != 400 ||
		!strings.Contains(a.body, "exists with another key") {
		t.Errorf("another key: %d %s", a.status, a.body)
	}
}

// TestConsoleCreatesNoTableOfARefusedModel imports models whose second table exists with another key, or is refused
// when it is created.
func TestConsoleCreatesNoTableOfARefusedModel(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	table := func(name, key, indexes string) string {
		return `{"TableName":"` + name + `","KeyAttributes":{"PartitionKey":{"AttributeName":"` + key +
			`","AttributeType":"S"}},"GlobalSecondaryIndexes":[` + indexes + `],"TableData":[{"` + key + `":{"S":"a"}}]}`
	}
	model := func(tables ...string) string {
		return `{"ModelName":"Shop","DataModel":[` + strings.Join(tables, ",") + `]}`
	}
	load := func(tables ...string) answer {
		_, a := importFile(t, e, "load", model(tables...))
		return a
	}
	if a := load(table("orders", "pk", "")); a.status != 200 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	const created = "these tables were created"
	if a := load(table("first", "pk", ""), table("orders", "id", "")); a.status != 400 ||
		!strings.Contains(a.body, "exists with another key") || strings.Contains(a.body, created) {
		t.Errorf("%d %s", a.status, a.body)
	}
	if preview, a := importFile(t, e, "preview", model(table("first", "pk", ""))); !strings.Contains(
		string(preview.Tables), `"exists":false`) {
		t.Errorf("%d %s", a.status, a.body)
	}
	index := `{"IndexName":"by-pk","KeyAttributes":{"PartitionKey":{"AttributeName":"pk","AttributeType":"S"}},` +
		`"Projection":{"ProjectionType":"ALL"}}`
	if a := load(table("first", "pk", ""), table("second", "pk", index+","+index)); a.status != 400 ||
		!strings.Contains(a.body, created+": first") || !strings.Contains(a.body, `table \"second\"`) {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestConsoleImportsIntoATable(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	if _, a := importFile(t, e, "load", shopModel); a.status != 200 {
		t.Fatalf("%s", a.body)
	}
	file := "pk,n,tags:SS\na,7,\"[\"\"x\"\"]\"\nb,seven,\nc,8,\n"
	preview, a := importFile(t, e, "preview?table=orders", file)
	if string(preview.Types) != `[{"name":"pk","types":["S"]},{"name":"n","types":["N"]},{"name":"tags","types":["SS"]}]` ||
		!strings.Contains(string(preview.Invalid), `"place":"line 3","reason":"\"n\" is not a number: \"seven\"","text":"b,seven,"`) {
		t.Errorf("%s", a.body)
	}
	report, a := importFile(t, e, "load?table=orders", file)
	if report.Written != 1 || report.Error != `line 3: "n" is not a number: "seven"` || len(report.InvalidLines) != 1 {
		t.Errorf("%s", a.body)
	}
	report, a = importFile(t, e, "load?table=orders&invalid=skip", file)
	if report.Written != 2 || report.Error != "" || report.InvalidLines[0].Text != "b,seven," {
		t.Errorf("%s", a.body)
	}
	large := `{"pk":"l","n":1,"x":"` + strings.Repeat("x", 500<<10) + `"}` + "\n" + `{"pk":"l","n":2}`
	report, a = importFile(t, e, "load?table=orders&invalid=skip", large)
	if report.Written != 1 || len(report.InvalidLines) != 1 ||
		!strings.Contains(report.InvalidLines[0].Reason, "Item size") {
		t.Errorf("%s", a.body)
	}
	var lines strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&lines, "{\"pk\":\"many\",\"n\":%d}\n", i)
	}
	report, a = importFile(t, e, "load?table=orders", lines.String())
	if report.Written != 3000 || report.Capacity != 3000 {
		t.Errorf("%s", a.body)
	}
}

// TestConsoleImportCreatesATable creates the table that the preview proposes, and refuses what cannot be its key.
func TestConsoleImportCreatesATable(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	const file = "customer,n,text\nana,1,x\nana,2,x\nbo,1,x\n"
	if _, a := importFile(t, e, "preview", file); !strings.Contains(a.body,
		`"key":[{"AttributeName":"customer","AttributeType":"S"},{"AttributeName":"n","AttributeType":"N"}]`) {
		t.Errorf("%s", a.body)
	}
	for want, path := range map[string]string{
		`key \"n:L\" is invalid`:   "load?create=orders&key=n:L",
		"key has 0 attributes":     "load?create=orders",
		"describes its own tables": "load?create=orders&key=pk",
	} {
		content := file
		if strings.HasPrefix(want, "describes") {
			content = shopModel
		}
		if _, a := importFile(t, e, path, content); a.status != 400 || !strings.Contains(a.body, want) {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	for _, created := range []string{"orders", ""} {
		report, a := importFile(t, e, "load?create=orders&key=customer:S&key=n:N", file)
		if report.Written != 3 || strings.Join(report.Created, " ") != created || report.Error != "" {
			t.Errorf("%s", a.body)
		}
	}
	if _, a := importFile(t, e, "load?create=orders&key=text", file); a.status != 400 ||
		!strings.Contains(a.body, "exists with another key") {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestConsoleRefusesInvalidImports(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	for _, c := range []struct {
		path, file, want string
		status           int
	}{
		{"preview", "", "the file is empty", 400},
		{"preview", "\x00", "not JSON and not CSV", 400},
		{"preview?format=xml", "{}", "format must be one of", 400},
		{"load", `{"pk":"a"}`, "does not say which table", 400},
		{"load?table=other", `{"pk":"a"}`, "Requested resource not found", 400},
		{"else", "", "an import has preview and load, not else", 404},
	} {
		if _, a := importFile(t, e, c.path, c.file); a.status != c.status || !strings.Contains(a.body, c.want) {
			t.Errorf("%s: %d %s", c.path, a.status, a.body)
		}
	}
	cut := "[" + strings.Repeat(`{"pk":"a"},`, 3)
	if preview, a := importFile(t, e, "preview?partial=true", cut); len(preview.Items) != 3 || preview.Problem != "" {
		t.Errorf("%s", a.body)
	}
	if preview, a := importFile(t, e, "preview", cut); preview.Problem != "line 1: the JSON ends too early" {
		t.Errorf("%s", a.body)
	}
	if a := browse(t, e, consolePorts(e)[0], "GET", importPath+"load", ""); a.status != 405 {
		t.Errorf("GET: %d", a.status)
	}
}

// TestConsoleImportsNeedAccess imports as a user who may not describe the table, and as nobody.
func TestConsoleImportsNeedAccess(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithIdentitiesFrom(strings.NewReader(people)))
	port := consolePorts(e)[0]
	bob := signIn(t, e, port, bobsKey)
	for _, path := range []string{"preview?table=orders", "load?table=orders"} {
		for cookie, status := range map[string]int{bob: 403, "": 401} {
			a := browse(t, e, port, "POST", importPath+path, `{"pk":"bob"}`, "Cookie", cookie)
			if a.status != status {
				t.Errorf("%s: %d %s, want %d", path, a.status, a.body, status)
			}
		}
	}
}

// TestConsoleImportsIntoAContainer has documents whose keys need escapes, and one without a partition key.
func TestConsoleImportsIntoAContainer(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	port := consolePorts(e)[0]
	for _, step := range [][2]string{{"dbs", `{"id":"my shop"}`},
		{"dbs/my%20shop/colls", `{"id":"orders","partitionKey":{"paths":["/a/b"],"kind":"Hash","version":2}}`}} {
		if a := browse(t, e, port, "POST", cosmosPath+step[0], step[1]); a.status != 201 {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	const into = "load?invalid=skip&database=my%20shop&container=orders"
	file := `{"id":"1","a":{"b":"ä🥛"},"$binary":"AA=="}
{"id":"2"}
{"id":"3","a":{"b":7.5},"n":1e3}
{"id":"","a":{"b":"empty"}}
`
	preview, a := importFile(t, e, strings.Replace(into, "load", "preview", 1), file)
	if len(preview.Items) != 4 || !strings.Contains(string(preview.Items[0]), `"$binary":{"S":"AA=="}`) {
		t.Errorf("%s", a.body)
	}
	report, a := importFile(t, e, into, file)
	if report.Written != 2 || !strings.Contains(a.body, `"place":"line 2","reason":"the document has no partition key /a/b"`) ||
		len(report.InvalidLines) != 2 || strings.Contains(a.body, `"requestUnits":0,`) ||
		string(report.Tables) != `["my shop/orders"]` {
		t.Errorf("%s", a.body)
	}
	found := browse(t, e, port, "GET", cosmosPath+"dbs/my%20shop/colls/orders/docs/1", "",
		"X-Ms-Documentdb-Partitionkey", `["\u00e4\ud83e\udd5b"]`)
	if found.status != 200 || !strings.Contains(found.body, `"$binary":"AA=="`) {
		t.Errorf("%d %s", found.status, found.body)
	}
	_, a = importFile(t, e, into, shopModel)
	if a.status != 400 || !strings.Contains(a.body, "describes tables of DynamoDB") {
		t.Errorf("%d %s", a.status, a.body)
	}
	if _, a := importFile(t, e, "load?database=my%20shop&container=no", file); a.status != 400 {
		t.Errorf("%d %s", a.status, a.body)
	}
}
