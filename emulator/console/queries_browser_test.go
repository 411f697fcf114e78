//go:build browser

package console_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestBulkDeleteOfDocuments deletes several items of a container with all that they have, and takes it back; an item
// that is not found is reported.
func TestBulkDeleteOfDocuments(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	container := ordersContainer(t, b.emulator)
	for i := range 3 {
		upsert(t, container, "ana", fmt.Sprintf(`{"id":"%d","customer":"ana","total":1234567890123456789%d}`, i, i))
	}
	b.visit("/cosmos/shop/orders")
	b.sees("3 results")
	b.fill("SQL query", "SELECT c.id, c.customer, c._etag, c._self FROM c") // the total is deleted too, and restored
	b.click("Run")
	b.click("Select all items")
	b.click("Delete 3")
	b.sees("These items of shop/orders are deleted:", "/customer")
	b.click("Delete 3 items")
	b.sees("3 items are deleted", "No results")
	b.click("Undo")
	b.sees("Undone", "3 results")
	if got := document(t, container, "ana", "2"); !strings.Contains(got, `"total":12345678901234567892`) {
		t.Error(got)
	}
	b.fill("SQL query", "SELECT c.id, c._etag, c._self FROM c") // without its partition key, an item is not found
	b.click("Run")
	b.click("Select 1")
	b.click("Delete 1")
	b.click("Delete 1 item")
	b.sees("1 failed; the others are done.")
	b.click("Close")
	b.sees("3 results")
	b.fill("SQL query", "SELECT c.id, 'no item' AS kind FROM c")
	b.click("Run")
	b.sees("kind string")
	if boxes := b.evaluate(`String(document.querySelectorAll('main input[type=checkbox]').length)`); boxes != "0" {
		t.Errorf("results that are no items have %s check boxes", boxes)
	}
}

// TestCopyCosmosQueryAs copies a query for each language, and is told why a key cannot be copied.
func TestCopyCosmosQueryAs(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	container := ordersContainer(t, b.emulator)
	upsert(t, container, "ana", `{"id":"10","customer":"ana"}`)
	upsert(t, container, "ana", `{"id":"9","customer":"ana"}`)
	b.visit("/cosmos/shop/orders")
	b.sees("2 results")
	for _, language := range []string{"curl", "Go", "Python", "JavaScript", "Java", ".NET", "Gherkin"} {
		b.click("Copy as")
		b.click(language)
		b.sees("The query is on the clipboard as " + language)
	}
	b.fill("Partition key (optional)", "[{}]")
	b.click("Run")
	b.sees("0 results")
	b.click("Copy as")
	b.click("Python")
	b.sees("A program has a partition key of texts")
}

// TestColumns hides columns of a table and of a container. The browser remembers them for each; the keys stay.
func TestColumns(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	putItem(t, client, "orders", item{"customer": text("ana"), "number": number("1"), "a10": text("x"), "a2": text("y")})
	container := ordersContainer(t, b.emulator)
	upsert(t, container, "ana", `{"a10":true,"a2":12,"customer":"ana","id":"1"}`)

	b.visit("/dynamodb/tables/orders")
	b.sees("customer S number N a2 S a10 S")
	b.click("Columns")
	b.fill("Find a column", "a10")
	b.click("Hide all")
	b.sees("Columns (1 hidden)", "1 more attributes are in the items", "customer S number N a2 S ana")
	b.visit("/cosmos/shop/orders")
	b.sees("id string customer string a2 number a10 boolean")
	b.click("Columns")
	b.click("Hide all")
	b.click("a2")
	b.sees("Columns (2 hidden)", "id string customer string a2 number 1")
	b.visit("/dynamodb/tables/orders")
	b.sees("Columns (1 hidden)", "customer S number N a2 S ana")
	b.click("Columns (1 hidden)")
	b.click("Show all")
	b.sees("customer S number N a2 S a10 S")
}
