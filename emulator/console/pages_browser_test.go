//go:build browser

package console_test

import (
	"fmt"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestPagesAreAccessible opens each page and dialog in both themes and at two widths: axe-core finds nothing serious,
// and no page is wider than the window.
func TestPagesAreAccessible(t *testing.T) {
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	for i := range 5 {
		putItem(t, client, "orders", typed())
		putItem(t, client, "orders", order("ana", i+2, "open"))
	}
	container := ordersContainer(t, b.emulator)
	upsert(t, container, "ana", `{"id":"1","customer":"ana","lines":[{"sku":"tea"}],"open":true,"total":12.5}`)
	_, err := b.emulator.Fail(emulator.Fault{Name: "a fault of a test", Do: emulator.DoThrottle, Tables: []string{"none"}})
	b.must(err)
	pages := []struct {
		path, sees string
		clicks     []string
	}{
		{"/", "by-state", nil},
		{"/dynamodb/tables", "by-state", nil},
		{"/dynamodb/tables", "Time to live attribute", []string{"Create table", "Global index"}},
		{"/dynamodb/tables", "Skip invalid lines", []string{"Import"}},
		{"/dynamodb/tables/orders", "All pages are read", nil},
		{"/dynamodb/tables/orders", "Any filter", []string{"Query", "Filter", "Filter"}},
		{"/dynamodb/tables/orders", "Key condition", []string{"Query", "Expressions"}},
		{"/dynamodb/tables/orders", "Parameters", []string{"PartiQL"}},
		{"/dynamodb/tables/orders", "Save if unchanged", []string{"ana"}},
		{"/dynamodb/tables/orders", "$stringSet", []string{"ana", "JSON"}},
		{"/dynamodb/tables/orders", "are deleted:", []string{"Select all items", "Delete 6"}},
		{"/dynamodb/tables/orders", "Attribute", []string{"Select all items", "Edit 6"}},
		{"/dynamodb/tables/orders/schema", "Deletion protection", nil},
		{"/dynamodb/tables/orders/history", "Earlier states are not stored", nil},
		{"/dynamodb/tables/orders/design", "All items are read", nil},
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
		{"/cosmos/shop/orders", "1 result", nil},
		{"/cosmos/shop/orders", "Save if unchanged", []string{"1"}},
		{"/cosmos/shop/orders/history", "Earlier states are not stored", nil},
		{"/cosmos/shop/orders/design", "All items are read", nil},
		{"/cosmos/shop/orders/settings", "Manual, RU/s", nil},
		{"/cosmos/shop/orders/scripts", "No triggers", nil},
		{"/cosmos/shop/orders/scripts", "Operation", []string{"New: Triggers"}},
		{"/live", "Live requests", nil},
		{"/no/such/page", "There is no such page", nil},
	}
	ready := map[string]string{"/dynamodb/tables": "by-state", "/dynamodb/tables/orders": "All pages are read",
		"/dynamodb/operations": "TableName", "/cosmos": "400 RU/s", "/cosmos/shop/orders": "1 result",
		"/cosmos/shop/orders/scripts": "No stored procedures"}
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 390} {
			b.look(width, theme)
			for _, page := range pages {
				b.visit(page.path)
				b.sees(ready[page.path])
				for _, name := range page.clicks {
					b.click(name)
				}
				b.sees(page.sees)
				b.check(fmt.Sprintf("%s %v, %s, %d px", page.path, page.clicks, theme, width))
			}
		}
	}
}

// TestNavigationOfNarrowWindows opens the menu, and goes to a table with it.
func TestNavigationOfNarrowWindows(t *testing.T) {
	b := open(t, "/")
	ordersTable(t, b.emulator)
	b.look(390, "light")
	b.visit("/live")
	b.click("Menu")
	b.click("orders")
	b.sees("No items")
}
