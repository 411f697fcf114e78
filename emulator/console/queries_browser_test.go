//go:build browser

package console_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/tabletop-db/tabletop/emulator"
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
	b.sees("Columns (1 hidden)", "Columns not shown: 1", "customer S number N a2 S ana")
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

// TestQueryTabs opens, renames, duplicates and closes tabs of queries. Their texts and results are there after a visit
// to another page; the results of a container are then read again.
func TestQueryTabs(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	ordersTable(t, b.emulator)
	container := ordersContainer(t, b.emulator)
	upsert(t, container, "ana", `{"id":"1","customer":"ana","state":"waiting"}`)
	b.visit("/cosmos/shop/orders")
	b.sees("1 result", "waiting")
	b.click("New tab")
	b.fill("SQL query", "SELECT VALUE COUNT(1) FROM c")
	b.click("Run")
	b.sees("value number")
	b.click("Tab")
	b.click("Rename tab…")
	b.fill("Name", "<b>Count</b>")
	b.click("Rename")
	b.click("Query 1")
	b.sees("waiting")
	b.click("Settings")
	b.sees("Manual, RU/s")
	upsert(t, container, "ana", `{"id":"2","customer":"ana","state":"shipped"}`)
	b.click("Items")
	b.sees("2 results", "shipped")
	b.click("<b>Count</b>")
	b.sees("SELECT VALUE COUNT(1) FROM c", "value number 2")
	b.click("Tab")
	b.click("Duplicate tab")
	b.sees("Query 3")
	b.do(chromedp.Evaluate[chromedp.Void]("document.querySelector('[role=tab][aria-selected=true]').focus()"))
	b.do(chromedp.KeyEvent(kb.Delete))
	b.misses("Query 3")
	b.do(chromedp.KeyEvent(kb.ArrowLeft)) // the tab that is shown now has the focus
	b.sees("2 results")

	b.click("PartiQL")
	b.sees(`SELECT * FROM "orders"`)
	b.click("New tab")
	b.fill("PartiQL statement", `INSERT INTO "orders" VALUE {'customer': 'ana', 'number': 7}`)
	b.click("Run")
	b.sees("1 capacity units")
	b.click("Query 1")
	b.misses("1 capacity units")
	b.click("Run")
	b.sees("1 item", "ana")
	b.click("Live requests")
	b.sees("Pause")
	b.click("PartiQL")
	b.sees("1 item", "0.5 capacity units") // nothing is read again
	b.click("Query 2")
	b.sees("INSERT INTO", "1 capacity units")
}

// TestSavedQueries saves a query, opens it after the page is loaded again, renames it and deletes it.
func TestSavedQueries(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	container := ordersContainer(t, b.emulator)
	upsert(t, container, "ana", `{"id":"1","customer":"ana","state":"waiting"}`)
	b.visit("/cosmos/shop/orders")
	b.fill("SQL query", "SELECT c.state FROM c")
	b.click("Tab")
	b.click("Save query…")
	b.fill("Name", "States")
	b.click("Save")
	b.sees("The query States is saved in this browser")
	b.visit("/cosmos/shop/orders")
	b.sees("Query 1", "Saved queries")
	b.click("States")
	b.sees("state string waiting")
	b.click("Rename States")
	b.fill("Name", "All states")
	b.click("Rename")
	b.sees("All states")
	b.click("Tab")
	b.click("Save query…")
	b.fill("Name", "All states")
	b.sees("This replaces the saved query of that name.")
	b.click("Cancel")
	b.click("Delete All states")
	b.sees("The saved query All states is deleted")
	b.misses("Saved queries")
	b.click("Undo")
	b.sees("Saved queries")
	b.visit("/dynamodb/partiql")
	b.sees("Ctrl-Enter runs the statement")
	b.misses("Saved queries")
}

// TestQueryErrorPlaces runs queries with mistakes: the caret moves to the place that the service names.
func TestQueryErrorPlaces(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	ordersTable(t, b.emulator)
	ordersContainer(t, b.emulator)
	b.visit("/cosmos/shop/orders")
	b.sees("No results")
	b.fill("SQL query", "SELECT 'שלום', nofunc(c.id) FROM c")
	b.click("Run")
	b.sees("SC2005: 'nofunc' is not a recognized built-in function name.",
		"Line 1, column 16: SELECT 'שלום', nofunc(c.id) FROM c", "400 BadRequest", "Activity ID")
	b.misses(`"location`)
	b.typesOverMark("nofunc", "LOWER")
	b.sees("SELECT 'שלום', LOWER(c.id) FROM c")
	b.click("The service’s answer")
	b.sees(`"message": "Message: {\"errors\":[{`)
	b.visit("/dynamodb/partiql")
	b.sees(`SELECT * FROM "orders"`)
	b.fill("PartiQL statement", `SELECT * FROM "orders" WHERE nofunc("customer")`)
	b.click("Run")
	b.sees("Unrecognized function: nofunc at 1:30:6")
	b.typesOverMark("nofunc", "size")
	b.sees(`WHERE size("customer")`)
}

// typesOverMark waits until a text is underlined, and replaces it with another, from the caret on.
func (b *browser) typesOverMark(text, with string) {
	b.t.Helper()
	until[bool](b, "marked", text)
	for range text {
		b.do(chromedp.KeyEvent(kb.Delete))
	}
	b.do(chromedp.KeyEvent(with))
}

// cosmosUser makes a user of the database of the tests with a permission to read orders, as another client does.
func cosmosUser(t testing.TB, e *emulator.Emulator, user, permission string) {
	t.Helper()
	post := func(path, body string) {
		response, err := http.Post(e.DynamoDBURL()+"/_tabletop/console/api/cosmos/dbs/shop/users"+path, "application/json",
			strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusCreated {
			t.Fatalf("creating %s: %s", body, response.Status)
		}
	}
	post("", fmt.Sprintf(`{"id":%q}`, user))
	post("/"+user+"/permissions", fmt.Sprintf(
		`{"id":%q,"permissionMode":"Read","resource":"dbs/shop/colls/orders"}`, permission))
}

// TestUsersOfADatabase creates a user, a permission for a partition and a token that reads it; the token ends with the
// permission. A user of another client appears.
func TestUsersOfADatabase(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	container := ordersContainer(t, b.emulator)
	upsert(t, container, "ana", `{"id":"1","customer":"ana"}`)
	b.visit("/cosmos")
	b.sees("orders")
	b.click("Actions")
	b.click("Users and permissions")
	b.sees("No users")
	cosmosUser(t, b.emulator, "bob", "reader")
	b.sees("bob", "reader", "dbs/shop/colls/orders")
	b.click("User")
	b.fill("User", "<b>ana")
	b.click("Create user")
	b.sees("<b>ana", "No permissions")
	b.click("Actions of <b>ana")
	b.click("New permission…")
	b.fill("Permission", "own-orders")
	b.fill("Partition key (optional)", "ana")
	b.click("Create permission")
	b.sees("is not valid JSON")
	b.fill("Partition key (optional)", `["ana"]`)
	b.click("Create permission")
	b.sees("own-orders", `["ana"]`)
	b.click("Actions of own-orders")
	b.click("Create token…")
	b.fill("Valid for, in seconds", "600")
	b.click("Create token")
	b.sees("type=resource&ver=1.0&sig=")
	token := b.evaluate("document.querySelector('[aria-label=Token]').textContent")
	if status := readWithToken(t, b.emulator, token); status != http.StatusOK {
		t.Errorf("the token reads with status %d", status)
	}
	b.click("Close")
	b.click("Actions of own-orders")
	b.click("Delete permission…")
	b.click("Delete permission")
	b.misses("own-orders")
	if status := readWithToken(t, b.emulator, token); status != http.StatusForbidden {
		t.Errorf("the token of a deleted permission reads with status %d", status)
	}
	b.click("Actions of bob")
	b.click("Delete user…")
	b.click("Delete user")
	b.misses("reader")
}

// readWithToken reads the item 1 of the partition ana with a resource token, and returns the status.
func readWithToken(t testing.TB, e *emulator.Emulator, token string) int {
	t.Helper()
	address := e.CosmosURL() + "dbs/shop/colls/orders/docs/1"
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", url.QueryEscape(token))
	request.Header.Set("x-ms-date", time.Now().UTC().Format(http.TimeFormat))
	request.Header.Set("x-ms-version", "2020-07-15")
	request.Header.Set("x-ms-documentdb-partitionkey", `["ana"]`)
	client, err := e.CosmosHTTPClient()
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode
}
