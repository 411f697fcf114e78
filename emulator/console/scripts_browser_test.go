//go:build browser

package console_test

import "testing"

// TestScripts makes a stored procedure and runs it, makes a function and uses it in a query, and changes and deletes a
// trigger.
func TestScripts(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	container := ordersContainer(t, b.emulator)
	upsert(t, container, "ana", `{"id":"1","customer":"ana","total":1234.6}`)
	b.visit("/cosmos/shop/orders/scripts")
	b.sees("No stored procedures", "No triggers", "No user-defined functions")
	b.click("New: Stored procedures")
	b.fill("Name", "count")
	b.fill("Body", `function count(first) {
  console.log('counts <b>שלום</b>')
  const add = (n) => getContext().getResponse().setBody(first + n)
  __.queryDocuments(__.getSelfLink(), 'SELECT * FROM c', (err, items) => add(items.length))
}`)
	b.click("Create")
	b.sees("The stored procedure is saved")
	b.click("Run count")
	b.fill("Partition key", `["ana"]`)
	b.fill("Parameters", `[41]`)
	b.click("Run")
	b.sees("42", "counts <b>שלום</b>", "RU")
	b.fill("Parameters", `[`)
	b.click("Run")
	b.sees("BadRequest")
	b.click("Close")

	b.click("New: User-defined functions")
	b.fill("Name", "rounded")
	b.click("Create")
	b.sees("udf.rounded(…)")
	b.click("New: Triggers")
	b.fill("Name", "stamp")
	b.fill("Runs", "Post")
	b.click("Create")
	b.sees("after any write")
	b.click("stamp")
	b.fill("Body", "function other() {}")
	b.fill("Operation", "Delete")
	b.click("Save if unchanged")
	b.sees("The trigger is saved", "after delete")
	b.click("stamp")
	b.sees("function other() {}")
	b.click("Delete")
	b.sees("The trigger is deleted", "No triggers")

	b.click("Items")
	b.sees("1 result")
	b.fill("SQL query", "SELECT VALUE udf.rounded(c.total) FROM c")
	b.click("Run")
	b.sees("1235")
}
