//go:build browser

package console_test

import "testing"

// TestLiveRequests sees requests of other clients as they end, filters and opens them, and sends one again.
func TestLiveRequests(t *testing.T) {
	t.Parallel()
	b := open(t, "/live")
	b.sees("Waiting for requests")
	client := ordersTable(t, b.emulator)
	b.sees("CreateTable")
	putItem(t, client, "orders", order("ana", 1, "open"))
	b.sees("PutItem")
	stored(t, client, "ana", "1")
	b.sees("GetItem")
	b.fill("Filter", "getitem")
	b.misses("PutItem")
	b.click("GetItem")
	b.sees(`"TableName": "orders"`, "Response")
	b.click("Send again")
	b.sees("Response to the second request", "Identical")
	putItem(t, client, "orders", order("ana", 1, "shipped"))
	b.click("Send again")
	b.sees("1 line differs", `"S": "open"`, `"S": "shipped"`)
	b.check("comparison")
	b.click("Close")
	b.fill("Filter", "")
	b.click("Pause")
	b.sees("Paused")
	b.click("Clear")
	b.sees("Waiting for requests")
}
