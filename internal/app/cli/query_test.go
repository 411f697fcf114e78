package cli

import (
	"strings"
	"testing"
)

// orders returns a database with a table of three orders.
func orders(t *testing.T) *database {
	d := newDatabase(t)
	file := writeFile(t, "orders.jsonl", `{"customer":"ana","date":"2025-12-31","total":12.50,"tags":{"$stringSet":["a"]}}
{"customer":"ana","date":"2026-01-01","total":3}
{"customer":"bob","date":"2026-01-02","total":100,"note":"two\nlines"}
`)
	d.must("import", file, "--table", "orders", "--create", "--key", "customer,date")
	return d
}

func TestQueries(t *testing.T) {
	t.Parallel()
	d := orders(t)
	ana2026 := `{"customer":"ana","date":"2026-01-01","total":3}` + "\n"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{`SELECT * FROM orders WHERE customer = 'ana' AND total < 10`, "--output", "jsonl"}, ana2026},
		{[]string{"--table", "orders", "--key", `customer = "ana" and date begins_with "2026"`, "--output", "jsonl"}, ana2026},
		{[]string{"--table", "orders", "--key", `customer = "ana"`, "--desc", "--limit", "1", "--output", "jsonl"}, ana2026},
		{[]string{"--table", "orders", "--key", `customer = "ana"`, "--filter", "total < 5", "--output", "json"},
			"[\n" + ana2026 + "]\n"},
		{[]string{"--table", "orders", "--filter", `attribute_exists(note)`, "--projection", "customer,note"},
			"customer  note\nbob       two\\nlines\n"},
		{[]string{"--table", "orders", "--key", `customer = "ana"`},
			"customer  date        tags                  total\n" +
				"ana       2025-12-31  {\"$stringSet\":[\"a\"]}  12.5\nana       2026-01-01                        3\n"},
		{[]string{"--table", "orders", "--key", `customer = "eve"`, "--output", "json"}, "[]\n"},
		{[]string{"--table", "orders", "--key", `customer = "eve"`}, ""},
		{[]string{"--table", "orders", "--filter", "total > 5 and contains(tags, 'a')", "--output", "csv"},
			"customer,date,tags:SS,total:N\nana,2025-12-31,\"[\"\"a\"\"]\",12.5\n"},
	} {
		got := d.run(append([]string{"query"}, c.args...)...)
		if got.status != 0 || got.stdout != c.want || !strings.Contains(got.stderr, " unit") {
			t.Errorf("%q: %+v\nwant %s", c.args, got, c.want)
		}
	}
	got := d.run("query", "--table", "orders", "--limit", "2", "--consistent")
	if strings.Count(got.stdout, "\n") != 3 || !strings.HasSuffix(got.stderr, ", 1 read unit: there are more, see --limit\n") {
		t.Errorf("%+v", got)
	}
}

func TestInvalidQueriesAreRefused(t *testing.T) {
	t.Parallel()
	d := orders(t)
	for _, c := range []struct{ line, want string }{
		{"query", "nothing to read: give a statement, or set --table"},
		{"query SELECT *", `unexpected argument "*": put the statement in quotes`},
		{"query SELECT --table orders", "the statement names its table: omit --table, or use --key and --filter"},
		{"query SELECT --filter a=1",
			"--key, --index, --filter, --projection and --desc require --table: write them in the statement"},
		{"query --table orders --desc", "--desc requires --key: a scan has no order"},
		{"query --table other", `table "other" does not exist: list tables with tabletop tables describe --as-file`},
		{"query --table orders --limit -1", "--limit -1 is negative: use 1 or more"},
		{"query --table orders --output xml", `--output "xml" is unknown: use table, json, jsonl or csv`},
		{"query --table orders --partition-key 1", "--partition-key requires --container"},
		{"query --table orders --container a/b", "--table and --container are of two databases: use one of them"},
		{"query --container a/b", "--container requires a query: such as 'SELECT * FROM c'"},
		{"query --container a SELECT", `--container "a" is invalid: use DATABASE/CONTAINER`},
	} {
		wantRefusal(t, d.run(strings.Fields(c.line)...), c.want)
	}
	got := d.run("query", "SELEC 1")
	if got.status != 1 || !strings.HasPrefix(got.stderr, "tabletop: ValidationException: ") ||
		strings.Count(got.stderr, "\n") != 1 {
		t.Errorf("%+v", got)
	}
}
