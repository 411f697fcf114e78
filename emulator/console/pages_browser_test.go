//go:build browser

package console_test

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestPagesAreAccessible opens each page and dialog in both themes and at two widths: axe-core finds nothing serious,
// and no page is wider than the window.
func TestPagesAreAccessible(t *testing.T) {
	t.Parallel()
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 390} {
			t.Run(fmt.Sprintf("%s, %d px", theme, width), func(t *testing.T) {
				t.Parallel()
				b := openExample(t)
				b.look(width, theme)
				for _, s := range screens {
					b.show(s)
					b.check(fmt.Sprint(s.path, s.clicks))
				}
			})
		}
	}
}

// screen is a page of the console, or a dialog on one.
type screen struct {
	path, sees string
	clicks     []string
}

var screens = []screen{
	{"/", "by-state", nil},
	{"/", "demo-shop with 40 items", []string{"Add demo data…"}},
	{"/dynamodb/tables", "by-state", nil},
	{"/dynamodb/tables", "Time to live attribute", []string{"Create table", "Global index"}},
	{"/dynamodb/tables", "Skip invalid lines", []string{"Import"}},
	{"/dynamodb/tables/orders", "Last page", nil},
	{"/dynamodb/tables/orders", "Any filter", []string{"Query", "Filter", "Filter"}},
	{"/dynamodb/tables/orders", "Key condition", []string{"Query", "Expressions"}},
	{"/dynamodb/tables/orders", "Parameters", []string{"PartiQL"}},
	{"/dynamodb/tables/orders", "Save if unchanged", []string{"ana"}},
	{"/dynamodb/tables/orders", "$stringSet", []string{"ana", "JSON"}},
	{"/dynamodb/tables/orders", "are deleted:", []string{"Select all items", "Delete 6"}},
	{"/dynamodb/tables/orders", "Attribute", []string{"Select all items", "Edit 6"}},
	{"/dynamodb/tables/orders/schema", "Deletion protection", nil},
	{"/dynamodb/tables/orders/history", "Earlier states are not stored", nil},
	{"/dynamodb/tables/orders/design", "These are all items", nil},
	{"/dynamodb/tables/orders", "Name of the new table", []string{"Actions", "Clone table…"}},
	{"/dynamodb/models", "Fleet of sensors", nil},
	{"/dynamodb/models", "Table readings", []string{"Draft Fleet of sensors"}},
	{"/metrics", "Write capacity", nil},
	{"/access", "There are no identities", nil},
	{"/heat", "Hottest keys", nil},
	{"/dynamodb/tables/orders/stream", "This table has no stream", nil},
	{"/cosmos/shop/orders/changes", "Waiting for changes", nil},
	{"/faults", "a fault of a test", nil},
	{"/faults", "99th percentile", []string{"Add fault"}},
	{"/dynamodb/tables/orders/metrics", "since this page was opened", []string{"Live"}},
	{"/cosmos/shop/orders/metrics", "Normalized consumption", nil},
	{"/dynamodb/partiql", "Ctrl-Enter runs the statement", nil},
	{"/dynamodb/operations", "Response of GetItem", []string{"Send"}},
	{"/cosmos/shop/orders", "Items read", []string{"Statistics"}},
	{"/cosmos", "400 RU/s", nil},
	{"/cosmos", "Unique keys", []string{"Container"}},
	{"/cosmos/shop", "Mode", []string{"Actions of ana", "New permission…"}},
	{"/cosmos/shop", "Valid for", []string{"Actions of reader", "Create token…"}},
	{"/cosmos/shop/orders", "1 result", nil},
	{"/cosmos/shop/orders", "Save if unchanged", []string{"1"}},
	{"/cosmos/shop/orders", "Name of the new container", []string{"Actions", "Clone container…"}},
	{"/cosmos/shop/orders", "are deleted:", []string{"Select 1", "Delete 1"}},
	{"/cosmos/shop/orders", "Hide all", []string{"Columns"}},
	{"/cosmos/shop/orders", "Query 3", []string{"New tab", "New tab"}},
	{"/cosmos/shop/orders", "Name", []string{"Tab", "Save query…"}},
	{"/cosmos/shop/orders/history", "Earlier states are not stored", nil},
	{"/cosmos/shop/orders/design", "These are all items", nil},
	{"/cosmos/shop/orders/settings", "Manual, RU/s", nil},
	{"/cosmos/shop/orders/scripts", "No triggers", nil},
	{"/cosmos/shop/orders/scripts", "Operation", []string{"New: Triggers"}},
	{"/live", "Live requests", nil},
	{"/simulations", "run tabletop up.", nil},
	{"/no/such/page", "Page not found", nil},
	{"/dynamodb/tables/missing", "Table missing does not exist", nil},
	{"/cosmos/shop/missing", "Container missing does not exist", nil},
}

// ready is what a page shows when it can be clicked.
var ready = map[string]string{"/": "by-state", "/dynamodb/tables": "by-state", "/dynamodb/tables/orders": "Last page",
	"/dynamodb/operations": "TableName", "/cosmos": "400 RU/s", "/cosmos/shop/orders": "1 result",
	"/cosmos/shop":                "dbs/shop/colls/orders",
	"/cosmos/shop/orders/scripts": "No stored procedures"}

// show opens a page, clicks, and waits for what it then shows.
func (b *browser) show(s screen) {
	b.t.Helper()
	b.visit(s.path)
	b.sees(ready[s.path])
	for _, name := range s.clicks {
		b.click(name)
	}
	b.sees(s.sees)
}

// openExample opens the console of an emulator with a table, a container and a fault.
func openExample(t *testing.T) *browser {
	t.Helper()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	for i := range 5 {
		putItem(t, client, "orders", typed())
		putItem(t, client, "orders", order("ana", i+2, "open"))
	}
	container := ordersContainer(t, b.emulator)
	upsert(t, container, "ana", `{"id":"1","customer":"ana","lines":[{"sku":"tea"}],"open":true,"total":12.5}`)
	cosmosUser(t, b.emulator, "ana", "reader")
	_, err := b.emulator.Fail(emulator.Fault{Name: "a fault of a test", Do: emulator.DoThrottle, Tables: []string{"none"}})
	b.must(err)
	return b
}

// TestNavigationOfNarrowWindows opens the menu, and goes to a table with it.
func TestNavigationOfNarrowWindows(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	ordersTable(t, b.emulator)
	b.look(390, "light")
	b.visit("/live")
	b.click("Menu")
	b.click("orders")
	b.sees("No items")
}

// TestMissingPages opens links to what does not exist: the page says so and leads to what does. A table that another
// client deletes goes in the same way.
func TestMissingPages(t *testing.T) {
	t.Parallel()
	b := open(t, "/dynamodb/tables/orders/nothing")
	b.sees("Page not found")
	client := ordersTable(t, b.emulator)
	ordersContainer(t, b.emulator)
	b.visit("/cosmos/none")
	b.sees("Database none does not exist")
	b.visit("/cosmos/none/orders")
	b.sees("Database none does not exist")
	b.visit("/cosmos/shop/none")
	b.sees("Container none does not exist", "Database shop has no container with this name")
	b.click("Show its containers")
	b.sees("400 RU/s")
	b.visit("/dynamodb/tables/orders")
	b.sees("No items")
	_, err := client.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String("orders")})
	b.must(err)
	b.sees("Table orders does not exist", "Region us-east-1 has no table with this name")
	b.misses("Schema")
	b.click("Show all tables")
	b.sees("No tables yet")
}

// TestHintsOfScrolling looks at tabs that are wider than the window: they fade at the edge that has more behind it, and
// the page of the last one scrolls them to it.
func TestHintsOfScrolling(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	ordersTable(t, b.emulator)
	b.look(390, "dark")
	b.visit("/dynamodb/tables/orders")
	until[bool](b, "fades", "Table", "0px", "32px")
	b.visit("/dynamodb/tables/orders/metrics")
	until[bool](b, "fades", "Table", "32px", "0px")
	b.look(1280, "dark") // the last tab is still selected, and nothing scrolls any more
	until[bool](b, "fades", "Table", "0px", "0px")
}

// TestClockOfNarrowWindows sets the clock's speed at the width of a phone.
func TestClockOfNarrowWindows(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	b.look(390, "light")
	b.click("Speed")
	b.sees("60×: 1 minute per second")
	b.click("60×: 1 minute per second")
	b.misses("60×: 1 minute per second")
	b.sees("60×")
}
