package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
)

// database is an emulator that import, export and query commands use.
type database struct {
	t        *testing.T
	endpoint string
}

func newDatabase(t *testing.T) *database { return &database{t, emulator.Run(t).DynamoDBURL()} }

// run runs a command and returns its outcome.
func (d *database) run(args ...string) outcome {
	d.t.Helper()
	return runCommand(d.t.Context(), map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": d.endpoint}, args...)
}

// must runs a command that succeeds.
func (d *database) must(args ...string) string {
	d.t.Helper()
	got := d.run(args...)
	if got.status != 0 {
		d.t.Fatalf("%s: %+v", strings.Join(args, " "), got)
	}
	return got.stdout
}

// items returns a table's items in DynamoDB JSON, in the order of their texts.
func (d *database) items(table string) []string {
	d.t.Helper()
	lines := strings.Split(strings.TrimSpace(d.must("export", "--table", table, "--format", "dynamodb-json")), "\n")
	slices.Sort(lines)
	return lines
}

// everyType has items with each type of value; those that formats could lose are among them.
const everyType = `{"Item":{"id":{"S":"1"},"n":{"N":"99999999999999999999999999999999999999"},"b":{"B":"AP8="},"t":{"BOOL":true}}}
{"Item":{"id":{"S":"2"},"n":{"S":""},"b":{"NULL":true},"ss":{"SS":["a","b"]},"ns":{"NS":["-1","2.5"]},"bs":{"BS":["AA=="]}}}
{"Item":{"id":{"S":"3"},"l":{"L":[{"N":"1"},{"L":[]},{"M":{"$binary":{"S":"AA=="}}}]},"m":{"M":{"a:N":{"S":"\u0001\u202e"}}}}}
{"Item":{"id":{"S":"4"},"a,\"b\"\n:N":{"S":" two\r\nlines "}}}
`

// TestItemsSurviveExportAndImport imports items of every type, and moves them on in each format.
func TestItemsSurviveExportAndImport(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	d.must("import", writeFile(t, "items", everyType), "--table", "first", "--create", "--key", "id")
	want := d.items("first")
	if len(want) != 4 {
		t.Fatalf("%q", want)
	}
	for i, name := range []string{"a.jsonl", "a.jsonl.gz", "a.csv", "a.csv.gz", "dynamodb-json", "aws-export"} {
		file, table := filepath.Join(t.TempDir(), name), fmt.Sprintf("copy-%d", i)
		export := []string{"export", "--table", "first", "--out", file}
		if strings.Contains(name, "-") {
			export = append(export, "--format", name)
		}
		d.must(export...)
		d.must("import", file, "--table", table, "--create", "--key", "id:S")
		if got := d.items(table); !slices.Equal(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".*")); len(left) > 0 {
			t.Errorf("%s: %q stayed", name, left)
		}
	}
}

func TestImportReports(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	file := writeFile(t, "a.csv", "id,n\n1,5\n")
	got := d.must("import", file, "--table", "orders", "--create", "--key", "id:N,n:S")
	if !strings.HasPrefix(got, "created orders\nPASS  1 item into orders in ") || !strings.HasSuffix(got, ", 1 write unit\n") {
		t.Errorf("%s", got)
	}
}

func TestImportStopsAtAnInvalidLine(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	file := writeFile(t, "a.jsonl", `{"id":"1"}`+"\n"+`{"id":"2"}`+"\n"+`{"id":3}`+"\n"+`{"id":"4"}`+"\n")
	got := d.run("import", file, "--table", "orders", "--create", "--key", "id")
	want := "tabletop: " + file + `: line 3: the key attribute "id" has the type N, but the table's key has S: ` +
		"written: 2 items; correct it, or collect invalid lines with --skip-invalid FILE\n"
	if got.status != 1 || got.stderr != want || !strings.Contains(got.stdout, "FAIL  2 items into orders in ") {
		t.Errorf("%+v\nwant %s", got, want)
	}
	invalid := filepath.Join(t.TempDir(), "invalid.jsonl")
	got = d.run("import", file, "--table", "orders", "--skip-invalid", invalid, "--output", "json")
	var report importReport
	if err := json.Unmarshal([]byte(got.stdout), &report); err != nil || got.status != 0 || report.Written != 3 ||
		report.Invalid != 1 || report.CapacityUnits != 3 || report.Format != "json" {
		t.Errorf("%+v %v", got, err)
	}
	if text, err := os.ReadFile(invalid); err != nil || string(text) != `{"id":3}`+"\n" {
		t.Errorf("%q %v", text, err)
	}
	if got := d.items("orders"); len(got) != 3 {
		t.Errorf("%q", got)
	}
}

// TestImportFindsTheItemThatTheServiceRefuses has an item of more than 400 KB among valid ones of almost that size.
func TestImportFindsTheItemThatTheServiceRefuses(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	large := strings.Repeat("x", 400<<10)
	file := writeFile(t, "a.csv", "id,v\n1,"+large[100:]+"\n2,"+large+"\n3,"+large[100:]+"\n")
	invalid := filepath.Join(t.TempDir(), "invalid.csv")
	got := d.run("import", file, "--table", "orders", "--create", "--key", "id", "--skip-invalid", invalid)
	if got.status != 0 || !strings.Contains(got.stderr, "skipped line 3: Item size has exceeded the maximum allowed size") {
		t.Errorf("%.300s %.300s", got.stdout, got.stderr)
	}
	if got := d.items("orders"); len(got) != 2 {
		t.Errorf("%d items", len(got))
	}
	if text, err := os.ReadFile(invalid); err != nil || string(text) != "id,v\n2,"+large+"\n" {
		t.Errorf("%.100q %v", text, err)
	}
}

// TestTheLastLineOfAKeyStays imports the same key in several requests, and twice in one batch with another text.
func TestTheLastLineOfAKeyStays(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	var lines strings.Builder
	for i := range 300 {
		fmt.Fprintf(&lines, "{\"id\":%d,\"line\":%d}\n", i%3, i)
	}
	lines.WriteString(`{"id":1.0,"line":300}` + "\n")
	d.must("import", writeFile(t, "a.jsonl", lines.String()), "--table", "orders", "--create", "--key", "id:N")
	want := []string{`{"Item":{"id":{"N":"0"},"line":{"N":"297"}}}`, `{"Item":{"id":{"N":"1"},"line":{"N":"300"}}}`,
		`{"Item":{"id":{"N":"2"},"line":{"N":"299"}}}`}
	if got := d.items("orders"); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

const workbenchModel = `{"ModelName": "Shop", "ModelMetadata": {"Author": "A", "Version": "3.0"}, "DataModel": [
 {"TableName": "Orders", "KeyAttributes": {"PartitionKey": {"AttributeName": "pk", "AttributeType": "S"},
   "SortKey": {"AttributeName": "sk", "AttributeType": "N"}}, "NonKeyAttributes": [{"AttributeName": "s", "AttributeType": "S"}],
  "GlobalSecondaryIndexes": [{"IndexName": "by-s", "KeyAttributes": {"PartitionKey": {"AttributeName": "s", "AttributeType": "S"}},
   "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x"]}}],
  "TableData": [{"pk": {"S": "a"}, "sk": {"N": "1"}, "s": {"S": "open"}, "x": {"SS": ["p", "q"]}}, {"pk": {"S": "a"}, "sk": {"N": "2"}}],
  "DataAccess": {"MySql": {}}, "BillingMode": "PROVISIONED",
  "ProvisionedCapacitySettings": {"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6}}},
 {"TableName": "Users", "KeyAttributes": {"PartitionKey": {"AttributeName": "id", "AttributeType": "B"}},
  "TableData": [{"id": {"B": "AAE="}}]}]}`

func TestImportOfAWorkbenchModel(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	file := writeFile(t, "model.json", workbenchModel)
	got := d.must("import", file)
	if !strings.HasPrefix(got, "created Orders\ncreated Users\nPASS  3 items into Orders, Users in ") {
		t.Errorf("%s", got)
	}
	if got := d.items("Orders"); len(got) != 2 || !strings.Contains(got[0], `"x":{"SS":["p","q"]}`) {
		t.Errorf("%q", got)
	}
	if got := d.must("export", "--table", "Orders", "--index", "by-s"); got != `{"pk":"a","sk":1,"s":"open","x":{"$stringSet":["p","q"]}}`+"\n" {
		t.Errorf("the index has %s", got)
	}
	schema := d.must("tables", "describe", "--as-file", "Orders", "--target", "url="+d.endpoint)
	if !strings.Contains(schema, "write: 6") {
		t.Errorf("%s", schema)
	}
	if got := d.must("import", file, "--table", "Users"); !strings.HasPrefix(got, "PASS  1 item into Users in ") {
		t.Errorf("%s", got)
	}
	wantRefusal(t, d.run("import", file, "--table", "Else"), file+` has no table "Else": it has Orders, Users`)
}

// TestExportOfAModel imports a model, exports its table and imports that again: the model of the copy is the same.
func TestExportOfAModel(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	d.must("import", writeFile(t, "model.json", workbenchModel))
	first, second := filepath.Join(t.TempDir(), "1.json"), filepath.Join(t.TempDir(), "2.json")
	if got := d.must("export", "--table", "Orders", "--format", "workbench", "--out", first); !strings.HasPrefix(got,
		"PASS  2 items of Orders in ") {
		t.Errorf("%s", got)
	}
	d.must("import", first, "--table", "Copy")
	d.must("export", "--table", "Copy", "--format", "workbench", "--out", second)
	if want := strings.ReplaceAll(modelContent(t, first), `"Orders"`, `"Copy"`); modelContent(t, second) != want {
		t.Errorf("got\n%s\nwant\n%s", modelContent(t, second), want)
	}
	for _, want := range []string{`"AttributeName":"sk","AttributeType":"N"`, `"NonKeyAttributes":["x"]`,
		`{"AttributeName":"x","AttributeType":"SS"}`, `"x":{"SS":["p","q"]}`, `"WriteCapacityUnits":6`} {
		if got := modelContent(t, first); !strings.Contains(got, want) {
			t.Errorf("%s has no %s", got, want)
		}
	}
}

// modelContent returns the tables of a model, without the dates of the file.
func modelContent(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, content, ok := strings.Cut(string(text), `"DataModel":`)
	if !ok || !strings.HasPrefix(string(text), `{"ModelName":`) {
		t.Fatalf("%s", text)
	}
	return content
}

func TestImportOfADescription(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	file := writeFile(t, "table.json", `{"Table": {"TableName": "orders", "TableStatus": "ACTIVE", "CreationDateTime": 1.7e9,
  "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "N"}, {"AttributeName": "s", "AttributeType": "S"}],
  "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}], "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
  "ProvisionedThroughput": {"NumberOfDecreasesToday": 0, "ReadCapacityUnits": 0, "WriteCapacityUnits": 0},
  "GlobalSecondaryIndexes": [{"IndexName": "by-s", "IndexStatus": "ACTIVE", "KeySchema": [{"AttributeName": "s", "KeyType": "HASH"}],
   "Projection": {"ProjectionType": "ALL"}, "ProvisionedThroughput": {"ReadCapacityUnits": 0, "WriteCapacityUnits": 0}}]}}`)
	if got := d.must("import", file, "--table", "copy"); !strings.HasPrefix(got, "created copy\nPASS  0 items into copy in ") {
		t.Errorf("%s", got)
	}
	if got := d.must("export", "--table", "copy", "--index", "by-s"); got != "" {
		t.Errorf("%s", got)
	}
}

// TestImportOfAnIncrementalExport writes and deletes items.
func TestImportOfAnIncrementalExport(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	file := writeFile(t, "a.jsonl", `{"id":"1"}`+"\n"+`{"id":"2"}`)
	d.must("import", file, "--table", "orders", "--create", "--key", "id")
	changes := `{"Metadata":{"WriteTimestampMicros":{"N":"1"}},"Keys":{"id":{"S":"1"}},"NewImage":{"id":{"S":"1"},"v":{"N":"2"}}}
{"Metadata":{"WriteTimestampMicros":{"N":"2"}},"Keys":{"id":{"S":"2"}},"OldImage":{"id":{"S":"2"}}}
`
	got := d.must("import", writeFile(t, "changes", changes), "--table", "orders")
	if !strings.HasPrefix(got, "PASS  1 item into orders in ") || !strings.HasSuffix(got, ", 1 deleted\n") {
		t.Errorf("%s", got)
	}
	if got := d.items("orders"); !slices.Equal(got, []string{`{"Item":{"id":{"S":"1"},"v":{"N":"2"}}}`}) {
		t.Errorf("%q", got)
	}
}

func TestInvalidImportsAndExportsAreRefused(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	file := writeFile(t, "a.jsonl", `{"id":"1"}`)
	d.must("import", file, "--table", "orders", "--create", "--key", "id")
	for _, c := range []struct{ line, want string }{
		{"import", "tabletop import takes one file, or - for standard input: see tabletop import --help"},
		{"import nothing.jsonl --table orders", "nothing.jsonl: no such file or directory: use a file that exists, or - for standard input"},
		{"import FILE", file + " does not say which table its items belong to: set --table"},
		{"import FILE --table other", `table "other" does not exist: create it with --create --key NAME:TYPE, or correct --table`},
		{"import FILE --table other --create", "--create and --key belong together: use --create --key id:S"},
		{"import FILE --create --key id", "--create requires --table"},
		{"import FILE --table other --create --key id:BOOL", `--key "id:BOOL" is invalid: use NAME:TYPE, with the type S, N or B`},
		{"import FILE --table other --create --key a,b,c", "--key has 3 attributes: a key has one or two"},
		{"import FILE --table orders --format xml",
			`--format "xml" is unknown: use json, dynamodb-json, csv, workbench, describe-table, aws-export`},
		{"import FILE --table orders --types id:X", `--types "id:X" is invalid: use NAME:TYPE, with a type such as S, N or B`},
		{"import FILE --table orders --delimiter ab", `--delimiter "ab" is invalid: use one character such as ; or tab`},
		{"import FILE --table orders --workers 0", "--workers 0 is out of range: use 1 to 64"},
		{"import FILE --table orders --target embedded --endpoint http://127.0.0.1:1",
			"--endpoint and --target both name a database: use one of them"},
		{"import FILE --table orders --target embedded",
			"the target embedded exists only while the command runs: use --target url=http://HOST:PORT or aws"},
		{"import FILE --table orders --skip-invalid FILE", "--skip-invalid " + file + " is the file to import: use another file"},
		{"export --table orders --out " + filepath.Dir(file), "--out " + filepath.Dir(file) + ": it is a folder: use the name of a file"},
		{"export", "nothing to export: set --table or --container"},
		{"export --table other", `table "other" does not exist: list tables with tabletop tables describe --as-file`},
		{"export --table orders --segments 65", "--segments 65 is out of range: use 1 to 64"},
		{"export --table orders --format workbench --projection id", "a model has whole items of a table: use --format workbench without --index and --projection"},
		{"export --table orders --format aws-export", "the format aws-export is a folder: set --out to one that does not exist"},
		{"export --table orders --format aws-export --out FILE", "--out " + file + ": it exists: use a folder that does not"},
		{"export --table orders --output json", "--output json would be among the items on standard output: set --out"},
	} {
		args := strings.Fields(strings.ReplaceAll(c.line, "FILE", file))
		wantRefusal(t, d.run(args...), c.want)
	}
}

// TestAFailedExportLeavesNoFile has a filter that the service refuses.
func TestAFailedExportLeavesNoFile(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	d.must("import", writeFile(t, "a.jsonl", `{"id":"1"}`), "--table", "orders", "--create", "--key", "id")
	out := filepath.Join(t.TempDir(), "a.csv")
	got := d.run("export", "--table", "orders", "--out", out, "--filter", "a = ")
	if got.status != 1 || !strings.Contains(got.stderr, "orders: ValidationException: Invalid FilterExpression: ") ||
		!strings.HasSuffix(got.stderr, ": nothing was written\n") ||
		!strings.HasPrefix(got.stdout, "FAIL  0 items of orders in ") {
		t.Errorf("%+v", got)
	}
	if left, _ := os.ReadDir(filepath.Dir(out)); len(left) > 0 {
		t.Errorf("%v stayed", left)
	}
}

// TestExportKeepsWhatIsThere writes to a link to a device, to a file with its own permissions, and to a link to that.
func TestExportKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	d.must("import", writeFile(t, "a.jsonl", `{"id":"1"}`), "--table", "orders", "--create", "--key", "id")
	file := writeFile(t, "out.jsonl", "before")
	link, device := filepath.Join(t.TempDir(), "link"), filepath.Join(t.TempDir(), "device")
	err := errors.Join(os.Chmod(file, 0o640), os.Symlink(file, link), os.Symlink(os.DevNull, device))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{device, file, link} {
		d.must("export", "--table", "orders", "--out", name)
	}
	if to, err := os.Readlink(device); err != nil || to != os.DevNull {
		t.Errorf("the device is %q, %v", to, err)
	}
	text, err := os.ReadFile(file)
	if err != nil || string(text) != `{"id":"1"}`+"\n" {
		t.Errorf("%q, %v", text, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if to, err := os.Readlink(link); err != nil || to != file {
		t.Errorf("the link leads to %q, %v", to, err)
	}
}

func TestExportFiltersAndProjects(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	file := writeFile(t, "a.jsonl", `{"id":"1","status":"open","n":1}`+"\n"+`{"id":"2","status":"done","n":2}`)
	d.must("import", file, "--table", "orders", "--create", "--key", "id")
	got := d.run("export", "--table", "orders", "--filter", `status = "open" or n > 5`, "--projection", "status, n",
		"--consistent")
	if got.stdout != `{"n":1,"status":"open"}`+"\n" || !strings.HasPrefix(got.stderr, "PASS  1 item of orders in ") {
		t.Errorf("%+v", got)
	}
}
