//go:build browser

package console_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// chooseFolder chooses a folder with these files, by path, in the open dialog.
func (b *browser) chooseFolder(files map[string][]byte) {
	b.t.Helper()
	b.sees("Or the folder of an export")
	list, err := json.Marshal(files)
	b.must(err)
	b.evaluate(fmt.Sprintf(`((files) => {
		const input = document.querySelector('[role=dialog] input[webkitdirectory]'), chosen = new DataTransfer()
		for (const [path, content] of Object.entries(files)) {
			chosen.items.add(new File([Uint8Array.from(atob(content), (c) => c.charCodeAt(0))], path.split('/').at(-1)))
		}
		input.files = chosen.files
		const paths = Object.keys(files)
		;[...input.files].forEach((f, i) => Object.defineProperty(f, 'webkitRelativePath', { value: paths[i] }))
		input.dispatchEvent(new Event('input', { bubbles: true }))
		return ''
	})(%s)`, list))
}

// packed returns lines in gzip.
func packed(t testing.TB, lines ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(strings.Join(lines, "\n") + "\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// chooseFile chooses a file with this text in the open dialog of an import.
func (b *browser) chooseFile(name, text string) {
	b.t.Helper()
	b.sees("Skip invalid lines")
	b.putFile(name, text)
}

// putFile puts a file with this text into the first field for files of the open dialog.
func (b *browser) putFile(name, text string) {
	b.t.Helper()
	file, err := json.Marshal([]string{text, name})
	b.must(err)
	b.evaluate(fmt.Sprintf(`(([text, name]) => {
		const input = document.querySelector('[role=dialog] input[type=file]'), chosen = new DataTransfer()
		chosen.items.add(new File([text], name))
		input.files = chosen.files
		input.dispatchEvent(new Event('input', { bubbles: true }))
		return ''
	})(%s)`, file))
}

const hostileModel = `{"ModelName":"Shop","DataModel":[{"TableName":"Shop.Orders","KeyAttributes":{"PartitionKey":` +
	`{"AttributeName":"pk","AttributeType":"S"}},"GlobalSecondaryIndexes":[{"IndexName":"by-state","KeyAttributes":` +
	`{"PartitionKey":{"AttributeName":"state","AttributeType":"S"}},"Projection":{"ProjectionType":"ALL"}}],` +
	`"TableData":[{"pk":{"S":"<b>ana</b>"},"state":{"S":"open"},"tags":{"SS":["a","b"]}},{"pk":{"S":"bo"}}]}]}`

// TestImportOfAModel creates the table of a model with its sample data, from the page of all tables.
func TestImportOfAModel(t *testing.T) {
	t.Parallel()
	b := open(t, "/dynamodb/tables")
	b.click("Import")
	b.chooseFile("model.json", hostileModel)
	b.sees("A model of NoSQL Workbench: the first 2 items", "Shop.Orders", "is created", "pk (S); indexes by-state", "<b>ana</b>",
		"{a, b}")
	b.check("preview")
	b.click("Import")
	b.sees("2 items written, 3 write units", "Shop.Orders is new")
	b.click("Shop.Orders")
	b.sees("2 items", "<b>ana</b>")
}

// TestImportOfAnExport imports the folder of an export of two files, after one that lacks a file.
func TestImportOfAnExport(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	ordersTable(t, b.emulator)
	b.visit("/dynamodb/tables/orders")
	b.click("Actions")
	b.click("Import a file…")
	item := func(n int) string {
		return fmt.Sprintf(`{"Item":{"customer":{"S":"<b>ana</b>"},"number":{"N":"%d"},"tags":{"SS":["a"]}}}`, n)
	}
	files := map[string][]byte{
		"orders/AWSDynamoDB/01-x/manifest-summary.json": []byte(`{"itemCount":3,"outputFormat":"DYNAMODB_JSON"}`),
		"orders/AWSDynamoDB/01-x/manifest-files.json": []byte(
			`{"itemCount":2,"dataFileS3Key":"AWSDynamoDB/01-x/data/a.json.gz"}` + "\n" +
				`{"itemCount":1,"dataFileS3Key":"AWSDynamoDB/01-x/data/b.json.gz"}`),
		"orders/AWSDynamoDB/01-x/data/a.json.gz": packed(t, item(1), item(2)),
	}
	b.chooseFolder(files)
	b.sees("The export is not complete: it has no file data/b.json.gz")
	b.check("export that lacks a file")
	files["orders/AWSDynamoDB/01-x/data/b.json.gz"] = packed(t, item(3))
	b.chooseFolder(files)
	b.sees("DynamoDB JSON", "<b>ana</b>")
	b.misses("not complete")
	b.click("Import")
	b.sees("3 items written")
	b.click("Close")
	b.sees("3 items")
}

// TestImportIntoATable imports CSV with an invalid line, stops there, and then skips it.
func TestImportIntoATable(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	ordersTable(t, b.emulator)
	b.visit("/dynamodb/tables/orders")
	b.click("Actions")
	b.click("Import a file…")
	b.chooseFile("orders.csv", "customer;number;total:N\nana;1;12.50\n<i>bo</i>;two;3\neve;3;1\n")
	b.sees("CSV")
	b.fill("Delimiter", "Semicolon")
	b.sees("customer S", "number N", `line 3: "number" is not a number: "two"`, "<i>bo</i>;two;3")
	b.click("Import")
	b.sees(`The import stopped at line 3: "number" is not a number: "two"`, "1 item written")
	b.click("Skip invalid lines")
	b.click("Import again")
	b.sees("2 items written, 1 invalid line")
	b.click("Close")
	b.sees("2 items", "eve", "12.5")

	b.click("Actions")
	b.click("Import a file…")
	b.chooseFile("broken.json", "[{\"customer\":\"x\",\"number\":1},")
	b.sees("The file cannot be read: line 1: the JSON ends too early")
}

// TestImportChoosesATable imports items, which name no table, from the page of all tables.
func TestImportChoosesATable(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	ordersTable(t, b.emulator)
	b.visit("/dynamodb/tables")
	b.click("Import")
	var lines strings.Builder
	for i := range 500 {
		fmt.Fprintf(&lines, "{\"Item\":{\"customer\":{\"S\":\"ana\"},\"number\":{\"N\":\"%d\"}}}\n", i)
	}
	b.chooseFile("orders", lines.String())
	b.sees("DynamoDB JSON: the first 20 items")
	b.fill("Table", "orders")
	b.click("Import")
	b.sees("500 items written")
}

// TestImportCreatesATable imports CSV into a table that the dialog proposes, with another sort key.
func TestImportCreatesATable(t *testing.T) {
	t.Parallel()
	b := open(t, "/dynamodb/tables")
	b.click("Import")
	b.chooseFile("Orders of 2026.csv", "customer,number,note\nana,1,<i>first</i>\nana,2,second\nbo,1,third\n")
	b.sees("CSV: the first 3 items", "The key is proposed from the first items")
	b.fill("Partition key", "customer")
	b.fill("Sort key (optional)", "number")
	b.fill("Type of sort key", "Number")
	b.check("new table")
	b.click("Import")
	b.sees("3 items written, 3 write units", "Orders-of-2026 is new")
	b.click("Orders-of-2026")
	b.sees("3 items", "<i>first</i>")
}

// TestImportIntoAContainer imports documents, one of which has no id.
func TestImportIntoAContainer(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	ordersContainer(t, b.emulator)
	b.visit("/cosmos/shop/orders")
	b.click("Actions")
	b.click("Import a file…")
	b.chooseFile("orders.json", `[{"id":"1","customer":"<b>ana</b>","n":1.50},{"customer":"bo"}]`)
	b.sees("JSON: the first 2 items", "<b>ana</b>", "1.50")
	b.click("Skip invalid lines")
	b.click("Import")
	b.sees("1 item written, 1 invalid line", "RU", `line 1: the document has no "id" that is a string`)
	b.click("Close")
	b.sees("1 result", "<b>ana</b>")
}
