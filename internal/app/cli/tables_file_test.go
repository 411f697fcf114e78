package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/backend"
)

const tableFileText = `tables:
  - name: orders
    key: {partition: id}
    recovery_days: 35
    alarms:
      - {name: orders-throttled, metric: WriteThrottleEvents, period: 5m, when: "> 0"}
`

func TestTablesCreateFromAFile(t *testing.T) {
	t.Parallel()
	s := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet")
	target := "url=" + s.await(t, `http://127\.0\.0\.1:[0-9]+`)
	file := filepath.Join(t.TempDir(), "tables.yaml")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(want string, args ...string) {
		t.Helper()
		got := runCommand(t.Context(), nil, append([]string{"tables"}, append(args, "--target", target,
			"--prefix", "a-")...)...)
		if got.status != 0 || !strings.Contains(got.stdout, want) {
			t.Errorf("%v: %+v, want %q", args, got, want)
		}
	}
	write(tableFileText)
	run("planned    a-orders: create table\n", "create", "--file", file, "--diff")
	run("done       a-orders: create alarm a-orders-throttled\n", "create", "--file", file)
	run("unchanged  table a-orders\n", "create", "--file", file)
	run("name: orders-throttled", "describe", "--as-file", "orders")
	write(strings.Replace(tableFileText, "recovery_days: 35", "ttl: gone", 1))
	run("done       a-orders: disable point-in-time recovery\n", "create", "--file", file)
	write(strings.Replace(tableFileText, "partition: id", "partition: customer", 1))
	wantRefusal(t, runCommand(t.Context(), nil, "tables", "create", "--file", file, "--target", target, "--prefix", "a-"),
		"nothing was changed: a-orders: the key cannot be changed from (id) to (customer): create a table with another name and move the items")
	s.stop(t)
}

func TestTableFilesOnTheEmbeddedEmulator(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "tables.yaml")
	schema := runCommand(t.Context(), nil, "tables", "schema", "telemetry")
	if err := os.WriteFile(file, []byte(schema.stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	got := runCommand(t.Context(), nil, "tables", "create", "--file", file, "--target", "embedded")
	if got.status != 0 || strings.Count(got.stdout, "create table") != 4 {
		t.Errorf("%+v", got)
	}
	all := strings.Join(backend.DynamoDBNames(), ", ")
	for _, c := range []struct{ command, says string }{
		{"create --diff", "--diff and --prune require --file"},
		{"create --file /nothing.yaml",
			"--file: open /nothing.yaml: no such file or directory: use a table file such as tabletop tables schema prints"},
		{"describe orders", "unknown system \"orders\": use one or more of " + all + "; or add --as-file to describe tables"},
		{"schema nothing", "tabletop tables schema takes one system: " + all},
	} {
		wantRefusal(t, runCommand(t.Context(), nil, append([]string{"tables"}, strings.Fields(c.command)...)...), c.says)
	}
}
