//go:build browser

package console_test

import "testing"

// TestOperations sends operations that no other page has, sees their errors, and opens one again from the history.
func TestOperations(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	putItem(t, client, "orders", order("ana", 1, "open"))
	b.visit("/dynamodb/operations")
	b.sees("TableName", "orders", `"customer"`)
	b.fill("Operation", "TransactWriteItems")
	b.sees("TransactItems")
	b.fill("Input", `{"TransactItems": [{"Delete": {"TableName": "orders", "Key": {"customer": {"S": "ana"}, "number": {"N": "1"}}}},
		{"Put": {"TableName": "orders", "Item": {"customer": {"S": "<b>bo</b>"}, "number": {"N": "2"}}}}]}`)
	b.click("Send")
	b.sees("Response of TransactWriteItems")
	b.visit("/dynamodb/tables/orders")
	b.sees("1 item", "<b>bo</b>")
	b.visit("/dynamodb/operations")
	b.fill("Operation", "DescribeEndpoints")
	b.click("Send")
	b.sees("CachePeriodInMinutes")
	b.click("TransactWriteItems")
	b.sees("<b>bo</b>")
	b.fill("Input", `{"TransactItems": []}`)
	b.click("Send")
	b.sees("ValidationException")
}

// TestDeleteAllItems empties a table and a container.
func TestDeleteAllItems(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	for i := range 60 {
		putItem(t, client, "orders", order("ana", i, "open"))
	}
	b.visit("/dynamodb/tables/orders")
	b.sees("60 items")
	b.click("Actions")
	b.click("Delete all items…")
	b.click("Delete all items")
	b.sees("60 items of orders are deleted", "No items")

	container := ordersContainer(t, b.emulator)
	upsert(t, container, "שלום", `{"id":"a/b","customer":"שלום"}`)
	upsert(t, container, "ana", `{"id":"1","customer":"ana"}`)
	b.visit("/cosmos/shop/orders")
	b.sees("2 results")
	b.click("Actions")
	b.click("Delete all items…")
	b.click("Delete all items")
	b.sees("2 items of orders are deleted", "No results")
}
