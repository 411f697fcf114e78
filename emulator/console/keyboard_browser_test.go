//go:build browser

package console_test

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/tabletop-db/tabletop/emulator"
)

// manyTabs is more often than Tab must be pressed to go through any page of these tests.
const manyTabs = 150

// Keys that are held: with Shift, Tab goes to the previous element.
var (
	backwards = chromedp.KeyModifiers(kb.ModifierShift)
	control   = chromedp.KeyModifiers(kb.ModifierCtrl)
)

// focus is what testdata/browser.js tells about the element that has the focus.
type focus struct {
	Name    string `json:"name"`
	Moved   bool   `json:"moved"`   // it did not have the focus the time before
	Problem string `json:"problem"` // why a person might not see where the focus is
}

// focused returns which element has the focus.
func (b *browser) focused() focus {
	b.t.Helper()
	return until[focus](b, "focused")
}

// tabTo presses Tab until the element with a name has the focus. On the way the focus is seen, and nothing keeps it.
func (b *browser) tabTo(name string, options ...chromedp.KeyOption) {
	b.t.Helper()
	for range manyTabs {
		b.press(kb.Tab, options...)
		at := b.focused()
		if at.Problem != "" {
			b.t.Errorf("on the way to %s: %s", name, at.Problem)
		}
		if at.Name == name {
			return
		}
		if !at.Moved {
			b.t.Fatalf("on the way to %s: %q keeps the focus", name, at.Name)
		}
	}
	b.t.Fatalf("Tab does not reach %s", name)
}

// hasFocus waits until the element with a name has the focus.
func (b *browser) hasFocus(name string) {
	b.t.Helper()
	until[bool](b, "hasFocus", name)
}

// focusIsOnPage waits until the page itself has the focus, because what had it is gone. The next Tab begins there.
func (b *browser) focusIsOnPage() {
	b.t.Helper()
	until[bool](b, "focusIsOnPage")
}

// replaces selects the text that has the focus, and types another.
func (b *browser) replaces(text string) {
	b.t.Helper()
	b.press("a", control)
	b.press(text)
}

// presses goes to the element with a name, and presses Enter.
func (b *browser) presses(name string) {
	b.t.Helper()
	b.tabTo(name)
	b.press(kb.Enter)
}

// TestKeyboardFromHome skips the navigation, creates the demo data and copies a connection string.
func TestKeyboardFromHome(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	b.sees("No tables yet", "Connection string")
	b.presses("Skip to the page")
	b.presses("Create demo data")
	b.sees("Table demo-shop and container demo/orders are created")
	b.presses("Copy connection string")
	b.hasFocus("Copied")
}

// TestKeyboardOfItems filters a table, edits an item, saves it and undoes that.
func TestKeyboardOfItems(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	putItem(t, client, "orders", order("ben", 2, "paid"))
	noted := order("ana", 1, "open")
	noted["note"] = text("call")
	putItem(t, client, "orders", noted)
	b.visit("/dynamodb/tables")
	b.sees("by-state")
	b.presses("Skip to the page")
	b.presses("orders")
	b.sees("2 items")
	b.presses("Filter")
	b.hasFocus("Attribute")
	b.press("state")
	b.tabTo("Value")
	b.press("open")
	b.press(kb.Enter)
	b.sees("1 item", "2 read")

	b.presses("ana")
	b.sees("ana / 1", "of 400 KB")
	b.press(kb.Escape)
	b.misses("of 400 KB")
	b.hasFocus("ana")
	b.press(kb.Enter)
	b.sees("of 400 KB")
	b.tabTo("Value of note")
	b.replaces("write")
	b.presses("Save if unchanged")
	b.sees("The item is saved", "write")
	b.hasFocus("ana")
	b.press(kb.F6)
	b.hasFocus("Undo")
	b.press(kb.Enter)
	b.sees("Undone", "call")
	b.hasFocus("ana")

	b.press(kb.Enter)
	b.sees("of 400 KB")
	b.presses("Duplicate") // another dialog replaces the editor's
	b.sees("Create")
	b.press(kb.Escape)
	b.hasFocus("ana")
	b.press(kb.Enter)
	b.sees("of 400 KB")
	b.presses("Delete")
	b.sees("The item is deleted")
	b.focusIsOnPage()
}

// TestKeyboardOfTables creates a table with an index, and deletes it.
func TestKeyboardOfTables(t *testing.T) {
	t.Parallel()
	b := open(t, "/dynamodb/tables")
	b.sees("No tables yet")
	b.presses("Create table")
	b.hasFocus("Table name")
	b.press(kb.Escape)
	b.hasFocus("Create table")
	b.press(kb.Enter)
	b.hasFocus("Table name")
	b.press("events")
	b.tabTo("Partition key")
	b.press("user")
	b.presses("Global index")
	b.hasFocus("Name of the global index")
	b.press("by-kind")
	b.tabTo("Partition key of the index")
	b.press("kind")
	b.presses("Create table")
	b.sees("No items")

	b.presses("Actions")
	b.chooses("Delete table…")
	b.hasFocus("Cancel")
	b.press(kb.Escape)
	b.hasFocus("Actions")
	b.press(kb.Enter)
	b.chooses("Delete table…")
	b.presses("Delete table")
	b.sees("Table events is deleted", "No tables yet")
	b.focusIsOnPage()
}

// chooses goes down a menu to an action, and presses Enter.
func (b *browser) chooses(action string) {
	b.t.Helper()
	b.sees(action)
	for range manyTabs {
		if at := b.focused(); at.Name == action {
			if at.Problem != "" {
				b.t.Error(at.Problem)
			}
			b.press(kb.Enter)
			return
		}
		b.press(kb.ArrowDown)
	}
	b.t.Fatalf("the arrow keys do not reach %s", action)
}

// TestKeyboardOfQueries writes and runs a statement of PartiQL and a query of Cosmos DB.
func TestKeyboardOfQueries(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	putItem(t, client, "orders", order("ana", 1, "open"))
	putItem(t, client, "orders", order("ben", 2, "paid"))
	upsert(t, ordersContainer(t, b.emulator), "ana", `{"id":"1","customer":"ana"}`)
	b.visit("/dynamodb/partiql")
	b.sees(`SELECT * FROM "orders"`, "Tab leaves the editor")
	b.presses("Skip to the page")
	b.tabTo("PartiQL statement")
	b.replaces(`SELECT * FROM orders WHERE customer = 'ana'`)
	b.presses("Run")
	b.sees("1 item")
	b.tabTo("PartiQL statement", backwards)

	b.visit("/cosmos/shop/orders")
	b.sees("1 result", "Tab leaves the editor")
	b.presses("Skip to the page")
	b.tabTo("SQL query")
	b.replaces("SELECT c.id AS found FROM c")
	b.press(kb.Enter, control)
	b.sees("found string")
	b.tabTo("Run")

	b.visit("/cosmos/shop/orders")
	b.sees("1 result")
	b.presses("1")
	b.presses("Item history")
	b.sees("History of ana / 1")
	b.press(kb.Escape)
	b.hasFocus("1")
}

// TestKeyboardOfHistory moves through the states of a table, looks at an item's versions and restores a state.
func TestKeyboardOfHistory(t *testing.T) {
	t.Parallel()
	b := open(t, "/", emulator.WithManualClock(noon))
	history(b)
	b.visit("/dynamodb/tables/orders/history")
	b.sees("1 item now")
	b.presses("Skip to the page")
	b.tabTo("Time")
	b.press(kb.Home)
	b.sees("0 items at 2026-11-26 12:00:00")
	b.press(kb.End)
	b.sees("1 item now")

	b.presses("ben")
	b.sees("History of ben / 2")
	b.press(kb.Escape)
	b.misses("History of ben / 2")
	b.hasFocus("ben")
	b.must(b.emulator.Advance(10 * time.Minute)) // a table can be restored as it was five minutes ago
	b.tabTo("Restore to a new table…", backwards)
	b.press(kb.Enter)
	b.hasFocus("Name of the new table")
	b.press(kb.Escape)
	b.hasFocus("Restore to a new table…")
	b.press(kb.Enter)
	b.hasFocus("Name of the new table")
	b.replaces("as-it-was")
	b.press(kb.Enter)
	b.sees("The table as-it-was is ready")
	b.presses("as-it-was")
	b.sees("Last page")
	b.tabTo("Actions")
}
