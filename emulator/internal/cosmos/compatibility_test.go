package cosmos

import (
	"context"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"text/template"

	"gopkg.in/yaml.v3"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// compatibilityPage is the page that TestCompatibility generates.
const compatibilityPage = "../../../docs/cosmos-compatibility.md"

// difference is a difference from the service. Query, if any, demonstrates it: Result is its rows, or its error.
type difference struct {
	About, Service, Here string
	Query, Result        string
	Refused              bool
}

// TestCompatibility checks the statements of docs/cosmos-compatibility.md.
func TestCompatibility(t *testing.T) {
	t.Parallel()
	var differences []difference
	readYAML(t, "testdata/differences.yaml", &differences)
	for _, d := range differences {
		d.try(t)
	}
	names := builtin.Names()
	page := renderPage(t, map[string]any{
		"Operations": operationRows(),
		"Functions":  len(names), "FunctionNames": strings.Join(names, ", "), "Differences": differences,
	})
	if flag.Lookup("rewrite").Value.String() == "true" {
		if err := os.WriteFile(compatibilityPage, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if written, err := os.ReadFile(compatibilityPage); err != nil || string(written) != page {
		t.Errorf("docs/cosmos-compatibility.md does not tell what the emulator does (%v): go test ./emulator/internal/cosmos -run TestCompatibility -rewrite",
			err)
	}
}

func renderPage(t *testing.T, of any) string {
	t.Helper()
	text, err := template.ParseFiles("testdata/compatibility.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := text.Execute(&page, of); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

func readYAML(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// try checks a difference by its query.
func (d difference) try(t *testing.T) {
	t.Helper()
	if d.Query == "" {
		return
	}
	rows, err := run(t, d.Query)
	if (err != nil) != d.Refused || err == nil && rows != d.Result {
		t.Errorf("%s: %s gives %s, %v", d.About, d.Query, rows, err)
	}
}

// run runs a query that needs no documents.
func run(t *testing.T, text string) (string, error) {
	t.Helper()
	query, err := sql.Parse(text)
	if err != nil {
		return "", err
	}
	program, err := sql.Compile(query, sql.Params{})
	if err != nil {
		return "", err
	}
	page, err := program.Run(t.Context(), &oneDocument{}, nil, sql.Options{})
	if err != nil {
		return "", err
	}
	return doc.Array(page.Rows...).JSON(), nil
}

// oneDocument is a source of one empty document.
type oneDocument struct{ given bool }

func (o *oneDocument) Next(context.Context) (doc.Value, []byte, bool, error) {
	ok := !o.given
	o.given = true
	return doc.Object(), []byte{1}, ok, nil
}

type operationRow struct{ Name, Request string }

// operationRows returns the table of operations for the page.
func operationRows() []operationRow {
	var rows []operationRow
	for r, op := range handlers {
		path := strings.TrimSuffix(pathOf(r.kind), "{id}")
		if !r.feed && r.kind != wire.KindAccount {
			path += "{id}"
		}
		request := r.method + " " + strings.TrimSuffix(path, "/")
		if r.kind == wire.KindAccount {
			request = r.method + " /"
		}
		if r.form != wire.NoForm {
			request += " (" + string(r.form) + ")"
		}
		rows = append(rows, operationRow{op.name, request})
	}
	slices.SortFunc(rows, func(a, b operationRow) int {
		return strings.Compare(a.Name+a.Request, b.Name+b.Request)
	})
	return rows
}

// pathOf returns the path of a kind of resource, including its parents.
func pathOf(k wire.Kind) string {
	if k == wire.KindAccount {
		return "/"
	}
	owner := ""
	if wire.ParentKinds[k] != wire.KindAccount {
		owner = strings.TrimSuffix(pathOf(wire.ParentKinds[k]), "/")
	}
	return owner + "/" + string(k) + "/{id}"
}
