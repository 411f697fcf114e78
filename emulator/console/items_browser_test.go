//go:build browser

package console_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

type item = map[string]types.AttributeValue

func text(s string) types.AttributeValue   { return &types.AttributeValueMemberS{Value: s} }
func number(n string) types.AttributeValue { return &types.AttributeValueMemberN{Value: n} }

func putItem(t testing.TB, client *dynamodb.Client, table string, put item) {
	t.Helper()
	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(table), Item: put})
	if err != nil {
		t.Fatal(err)
	}
}

// order is an item of ordersTable.
func order(customer string, n int, state string) item {
	return item{"customer": text(customer), "number": number(strconv.Itoa(n)), "state": text(state)}
}

// TestItemsOfATable scans and queries a table and its index with the builder, and reads page after page.
func TestItemsOfATable(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	for i := range 30 {
		putItem(t, client, "orders", order("ana", i, []string{"open", "paid", "sent"}[i%3]))
	}
	b.visit("/dynamodb/tables/orders")
	b.sees("30 items", "Last page", "capacity units")
	b.fill("Items read per page", "25 per page")
	b.click("Run")
	b.sees("25 items so far", "1 page")
	b.click("Next page")
	b.sees("30 items", "2 pages")

	b.click("Query")
	b.fill("customer (S) =", "ana")
	b.fill("number (N)", "between")
	b.fill("Value of number", "3")
	b.fill("Upper value of number", "11")
	b.click("Descending")
	b.click("Filter")
	b.fill("Attribute", "state")
	b.fill("Operator", "in")
	b.fill("Value", "open")
	b.click("Run")
	b.sees("3 items", "9 read") // 9, 6, 3
	b.fill("Value of number", "x")
	b.click("Run")
	b.sees("x: Not a number")

	b.fill("Table or index", "by-state")
	b.fill("state (S) =", "paid")
	b.click("Remove this filter")
	b.click("Run")
	b.sees("10 items")
	b.click("Expressions")
	b.sees("#0 = :0")
	b.click("PartiQL")
	b.fill("PartiQL statement", `SELECT "number" FROM "orders" WHERE customer = 'ana' AND "number" = 7`)
	b.click("Run")
	b.sees("1 item")
}

// TestChangesOfOthersAppear sees an item that another client puts, changes and deletes.
func TestChangesOfOthersAppear(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	b.visit("/dynamodb/tables/orders")
	b.sees("No items")
	putItem(t, client, "orders", order("ana", 1, "waiting"))
	b.sees("1 item", "waiting")
	putItem(t, client, "orders", order("ana", 1, "delivered"))
	b.sees("delivered")
	_, err := client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("orders"),
		Key: item{"customer": text("ana"), "number": number("1")}})
	if err != nil {
		t.Fatal(err)
	}
	b.sees("No items")
}

// TestCopyAs copies a request for each language.
func TestCopyAs(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	ordersTable(t, b.emulator)
	b.visit("/dynamodb/tables/orders")
	b.sees("No items")
	for _, language := range []string{"AWS CLI", "Go", "Python", "JavaScript", "Java", "Gherkin"} {
		b.click("Copy as")
		b.click(language)
		b.sees("The request is on the clipboard as " + language)
	}
}

// TestExportOfAllPages shows the first page of a table, and exports all of them. The second time a page cannot be read.
func TestExportOfAllPages(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	for i := range 60 {
		long := order("ana", i, "open")
		long["text"] = text(strings.Repeat("long ", 10_000))
		putItem(t, client, "orders", long)
	}
	b.visit("/dynamodb/tables/orders")
	b.fill("Items read per page", "25 per page")
	b.click("Run")
	b.sees("items so far")
	b.click("Export")
	b.click("All pages as JSON lines")
	b.sees("orders.jsonl is saved, 2.9 MB")
	saved := until[string](b, "saved")
	lines := strings.Count(saved, "\n")
	if first := `{"customer":"ana","number":0,"state"`; lines != 60 || !strings.HasPrefix(saved, first) {
		t.Errorf("%d lines, the first is %.60s", lines, saved)
	}

	_, err := b.emulator.Fail(emulator.Fault{Operations: []string{"Scan"}, Do: emulator.DoInternalError, Skip: 1})
	b.must(err)
	for _, c := range [][2]string{{"JSON lines", "the export ended early, and nothing is saved"},
		{"CSV", "The request processing has failed because of an unknown error"}} {
		format, want := c[0], c[1]
		b.click("Export")
		b.click("All pages as " + format)
		b.sees("Export to orders.", want)
		b.check("export")
		b.click("Close")
		b.misses("Export to orders.")
	}
}

// TestHostileValuesAreText shows names and values that are scripts, very long, or written from right to left.
func TestHostileValuesAreText(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	putItem(t, client, "orders", item{"customer": text("<script>window.hacked = true</script>"), "number": number("1"),
		"<img src=x onerror='window.hacked = true'>": text("<b>bold</b>"), "__proto__": text("prototype"),
		"long": text(strings.Repeat("x", 390_000)), "rtl": text("שלום עולם"), "\u202eevil": text("\u202egnp.exe"),
		"exact": number("12345678901234567890123456789012345678")})
	b.visit("/dynamodb/tables/orders")
	b.sees("1 item", "<b>bold</b>", "<img src=x onerror='window.hacked = true'>", "שלום עולם",
		"12345678901234567890123456789012345678", "prototype")
	b.click("<script>window.hacked = true</script>")
	b.sees("Save if unchanged")
	b.click("JSON")
	b.sees(`"exact": 12345678901234567890123456789012345678`)
	b.click("DynamoDB JSON")
	b.sees(`"S": "prototype"`)
	b.click("Close")
	if hacked := b.evaluate("String(window.hacked)"); hacked != "undefined" {
		t.Error("a script in an item ran")
	}
}

// TestPartiQLPage runs statements that write and read, and shows the service's refusal of one.
func TestPartiQLPage(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	ordersTable(t, b.emulator)
	b.visit("/dynamodb/partiql")
	b.sees(`SELECT * FROM "orders"`) // comes with the tables, perhaps while a statement is being typed
	b.fill("PartiQL statement", `INSERT INTO "orders" VALUE {'customer': ?, 'number': ?}`)
	b.fill("Parameters", `["ana", 12345678901234567890]`)
	b.click("Run")
	b.sees("1 capacity units")
	b.fill("Parameters", "")
	b.fill("PartiQL statement", `SELECT * FROM "orders"`)
	b.click("Run")
	b.sees("1 item", "12345678901234567890")
	b.click("ana")
	b.sees(`"number": 12345678901234567890`)
	b.click("Close")
	b.fill("PartiQL statement", "SELEC")
	b.click("Run")
	b.sees("ValidationException:")
}
