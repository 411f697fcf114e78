package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// account returns a function that runs a command on a new Cosmos DB account.
func account(t *testing.T) func(args ...string) outcome {
	endpoint := emulator.Run(t, emulator.WithCosmosHTTPAddr("127.0.0.1:0")).CosmosHTTPURL()
	return func(args ...string) outcome {
		return runCommand(t.Context(), map[string]string{"AZURE_COSMOS_ENDPOINT": endpoint}, args...)
	}
}

// documentsOfEveryType have values that formats could lose.
const documentsOfEveryType = `{"id":"1","pk":"ana","n":12.5,"list":[1,"a",null,{"x":true}],"$binary":"AAE="}
{"id":"2","pk":7,"o":{"$stringSet":["a"]},"text":"","u":"ä\u0001"}
{"id":"3","pk":null,"b":false}
{"id":"4","pk":true,"large":9007199254740991}
`

func TestDocumentsSurviveExportAndImport(t *testing.T) {
	t.Parallel()
	run := account(t)
	file := writeFile(t, "a.jsonl", documentsOfEveryType)
	first := run("import", file, "--container", "shop/first", "--create", "--key", "/pk")
	if first.status != 0 || !strings.HasPrefix(first.stdout, "created shop/first\nPASS  4 items into shop/first in ") ||
		!strings.HasSuffix(first.stdout, " RU\n") {
		t.Fatalf("%+v", first)
	}
	want := documentLines(t, run, "shop/first")
	if len(want) != 4 || !slices.Contains(want, `{"id":"2","o":{"$stringSet":["a"]},"pk":7,"text":"","u":"ä\u0001"}`) {
		t.Fatalf("%q", want)
	}
	for _, name := range []string{"a.jsonl.gz", "a.csv"} {
		copied, container := t.TempDir()+"/"+name, "copies/"+strings.ReplaceAll(name, ".", "-")
		if got := run("export", "--container", "shop/first", "--out", copied); got.status != 0 {
			t.Fatalf("%+v", got)
		}
		if got := run("import", copied, "--container", container, "--create", "--key", "/pk"); got.status != 0 {
			t.Fatalf("%+v", got)
		}
		if got := documentLines(t, run, container); !slices.Equal(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// documentLines returns the documents of a container, with sorted properties and in the order of their texts.
func documentLines(t *testing.T, run func(...string) outcome, container string) []string {
	t.Helper()
	got := run("export", "--container", container)
	if got.status != 0 {
		t.Fatalf("%+v", got)
	}
	lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
	for i, line := range lines {
		lines[i] = sortedDocument(t, line)
	}
	slices.Sort(lines)
	return lines
}

func TestContainerQueries(t *testing.T) {
	t.Parallel()
	run := account(t)
	file := writeFile(t, "a.json", `[{"id":"1","pk":"ana","n":1},{"id":"2","pk":"ana","n":2},{"id":"3","pk":"bob","n":3}]`)
	if got := run("import", file, "--container", "shop/orders", "--create", "--key", "/pk"); got.status != 0 {
		t.Fatalf("%+v", got)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"SELECT c.id, c.n FROM c WHERE c.n > 2"}, "id  n\n3   3\n"},
		{[]string{"SELECT VALUE COUNT(1) FROM c", "--partition-key", `"ana"`}, "value\n2\n"},
		{[]string{"SELECT VALUE COUNT(1) FROM c"}, "value\n3\n"},
		{[]string{"SELECT VALUE c.id FROM c ORDER BY c.n DESC"}, "value\n3\n2\n1\n"},
		{[]string{"SELECT VALUE c.n FROM c", "--partition-key", `["bob"]`, "--output", "json"}, "[\n3\n]\n"},
		{[]string{"SELECT c.id FROM c ORDER BY c.id", "--partition-key", `"ana"`, "--limit", "1", "--output", "jsonl"},
			`{"id":"1"}` + "\n"},
		{[]string{"SELECT c.id, c.n FROM c WHERE c.pk = 'bob'", "--output", "csv"}, "id,n:N\n3,3\n"},
	} {
		got := run(append([]string{"query", "--container", "shop/orders"}, c.args...)...)
		if got.status != 0 || got.stdout != c.want || !strings.Contains(got.stderr, " RU") {
			t.Errorf("%q: %+v\nwant %s", c.args, got, c.want)
		}
	}
	got := run("export", "--container", "shop/orders", "--filter", "c.n = 1", "--format", "csv")
	if got.stdout != "id,n:N,pk\n1,1,ana\n" {
		t.Errorf("%+v", got)
	}
	got = run("query", "--container", "shop/orders", "SELECT FROM")
	if got.status != 1 || !strings.HasPrefix(got.stderr, "tabletop: 400 BadRequest: ") ||
		strings.Count(got.stderr, "\n") != 1 {
		t.Errorf("%+v", got)
	}
}

func TestInvalidDocumentsAreSkipped(t *testing.T) {
	t.Parallel()
	run := account(t)
	file := writeFile(t, "a.jsonl", `{"id":"1","pk":"a"}
{"id":2,"pk":"a"}
{"id":"3"}
{"id":"4","pk":"a"}
{"id":"5","pk":[1]}
`)
	got := run("import", file, "--container", "shop/orders", "--create", "--key", "/pk", "--skip-invalid",
		t.TempDir()+"/x")
	for _, want := range []string{`skipped line 2: the document has no "id" that is a string`,
		"skipped line 3: the document has no partition key /pk",
		"skipped line 5: the partition key /pk is not a string, number, true, false or null"} {
		if !strings.Contains(got.stderr, want) {
			t.Errorf("%s lacks %q", got.stderr, want)
		}
	}
	if got.status != 0 || !strings.HasPrefix(got.stdout, "created shop/orders\nPASS  2 items into") ||
		!strings.HasSuffix(got.stdout, ", 3 invalid\n") {
		t.Errorf("%+v", got)
	}
}

func TestInvalidContainersAreRefused(t *testing.T) {
	t.Parallel()
	run := account(t)
	model := writeFile(t, "model.json", workbenchModel)
	for _, c := range []struct{ line, want string }{
		{"import FILE --container shop", `--container "shop" is invalid: use DATABASE/CONTAINER`},
		{"import FILE --container shop/a",
			`container "shop/a" does not exist: create it with --create --key /PATH, or correct --container`},
		{"import FILE --container shop/a --create --key pk", `--key "pk" is invalid: use a path such as /customer`},
		{"import FILE --container shop/a --create --key /pk", model + " describes tables of DynamoDB: omit --container"},
		{"import FILE --container shop/a --table b", "--table and --container are of two databases: use one of them"},
		{"export --container shop/b", `container "shop/b" does not exist: correct --container`},
		{"export --container shop/a --index i",
			"--index, --projection and --consistent are for tables: use tabletop query --container"},
		{"export --container shop/a --format dynamodb-json", "a container is not written as dynamodb-json: use json or csv"},
	} {
		wantRefusal(t, run(strings.Fields(strings.ReplaceAll(c.line, "FILE", model))...), c.want)
	}
}

func sortedDocument(t *testing.T, text string) string {
	t.Helper()
	document, err := datafile.ParseJSON([]byte(text), false)
	if err != nil {
		t.Fatal(err)
	}
	document.Sort()
	return string(datafile.AppendJSON(nil, document, false))
}
