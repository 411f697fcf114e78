package script

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// BenchmarkFunctionOfAnItem calls a user-defined function as a query does: once per row, in one session.
func BenchmarkFunctionOfAnItem(b *testing.B) {
	e := newEngine()
	f := e.Functions(b.Context(), func(string) (string, bool) {
		return `function tax(item) { var n = 0; for (var i = 0; i < item.lines.length; i++) n += item.lines[i].price * item.lines[i].count; return {id: item.id, sum: n, tax: n * 0.2}; }`,
			true
	})
	defer f.Close()
	args := values(
		b, `{"id":"an order","customer":"somebody","lines":[{"sku":"a","price":12.5,"count":2},{"sku":"b","price":3,"count":10},{"sku":"c","price":99.99,"count":1}]}`)
	if _, err := f.Call("tax", args); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Call("tax", args); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBulkImport executes a stored procedure with one operation.
func BenchmarkBulkImport(b *testing.B) {
	e := newEngine()
	p := Procedure{Name: "sproc.js", Source: sample(b, "bulkImport.js"), Args: values(b, `[{"id":"a"}]`)}
	if _, err := e.Procedure(b.Context(), p, &fakeCollection{}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.Procedure(b.Context(), p, &fakeCollection{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLoop executes a stored procedure that runs a loop a million times.
func BenchmarkLoop(b *testing.B) {
	e := newEngine()
	p := Procedure{Name: "sproc.js",
		Source: `function () { var s = 0; for (var i = 0; i < 1e6; i++) s += i % 7; __.response.setBody(s); }`,
		Args:   []doc.Value{}}
	for b.Loop() {
		if _, err := e.Procedure(b.Context(), p, &fakeCollection{}); err != nil {
			b.Fatal(err)
		}
	}
}
