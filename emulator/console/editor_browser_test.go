//go:build browser

package console_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// stored reads an order.
func stored(t testing.TB, client *dynamodb.Client, customer, n string) item {
	t.Helper()
	out, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("orders"),
		ConsistentRead: aws.Bool(true), Key: item{"customer": text(customer), "number": number(n)}})
	if err != nil {
		t.Fatal(err)
	}
	return out.Item
}

func expect(t testing.TB, got, want item) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(types.AttributeValueMemberS{}, types.AttributeValueMemberN{},
		types.AttributeValueMemberSS{}, types.AttributeValueMemberNS{}, types.AttributeValueMemberB{},
		types.AttributeValueMemberBOOL{})); diff != "" {
		t.Errorf("the stored item differs (-want +got):\n%s", diff)
	}
}

// typed is an item with types that JSON does not have.
func typed() item {
	i := order("ana", 1, "open")
	i["tags"] = &types.AttributeValueMemberSS{Value: []string{"a", "b"}}
	i["sizes"] = &types.AttributeValueMemberNS{Value: []string{"1", "12345678901234567890123456789012345678"}}
	i["digest"] = &types.AttributeValueMemberB{Value: []byte{0, 1, 255}}
	return i
}

// TestEditItem changes an item in each view, undoes it, and keeps all types.
func TestEditItem(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	putItem(t, client, "orders", typed())
	b.visit("/dynamodb/tables/orders")
	b.click("ana")
	b.fill("Value of state", "paid")
	b.click("Save if unchanged")
	b.sees("The item is saved")
	want := typed()
	want["state"] = text("paid")
	expect(t, stored(t, client, "ana", "1"), want)
	b.click("Undo")
	b.sees("Undone")
	expect(t, stored(t, client, "ana", "1"), typed())

	b.click("ana")
	b.click("JSON")
	b.fill("Item as JSON", `{"customer": "ana", "number": 1, "total": 1.10, "tags": {"$stringSet": []}}`)
	b.sees("A set is an array with at least one member")
	b.fill("Item as JSON", `{"customer": "ana", "number": 1, "total": 1.10, "tags": {"$stringSet": ["x"]}}`)
	b.click("DynamoDB JSON")
	b.sees(`"N": "1.10"`)
	b.click("Save if unchanged")
	b.sees("The item is saved")
	expect(t, stored(t, client, "ana", "1"), item{"customer": text("ana"), "number": number("1"), "total": number("1.1"),
		"tags": &types.AttributeValueMemberSS{Value: []string{"x"}}})
}

// TestSaveConflict saves an item that another client has changed meanwhile: nothing is lost, and the person decides.
func TestSaveConflict(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	putItem(t, client, "orders", order("ana", 1, "open"))
	b.visit("/dynamodb/tables/orders")
	b.click("ana")
	b.fill("Value of state", "mine")
	putItem(t, client, "orders", order("ana", 1, "theirs"))
	b.click("Save if unchanged")
	b.sees("The item has changed since it was read. Nothing was saved.", "theirs")
	expect(t, stored(t, client, "ana", "1"), order("ana", 1, "theirs"))
	b.click("Overwrite it")
	b.misses("Nothing was saved")
	expect(t, stored(t, client, "ana", "1"), order("ana", 1, "mine"))
}

// TestNewDuplicateAndDelete creates an item, duplicates it with another key, and deletes it.
func TestNewDuplicateAndDelete(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	b.visit("/dynamodb/tables/orders")
	b.click("New item")
	b.fill("Value of customer", "ana")
	b.fill("Value of number", "1")
	b.fill("New attribute", "paid")
	b.click("Add")
	b.fill("Type of paid", "Boolean")
	b.fill("Value of paid", "true")
	b.click("Create")
	b.sees("The item is created")
	want := item{"customer": text("ana"), "number": number("1"), "paid": &types.AttributeValueMemberBOOL{Value: true}}
	expect(t, stored(t, client, "ana", "1"), want)

	b.click("ana")
	b.click("Duplicate")
	b.click("Create")
	b.sees("The item has changed since it was read") // the key is taken
	b.fill("Value of number", "2")
	b.click("Create")
	b.sees("2 items")
	want["number"] = number("2")
	expect(t, stored(t, client, "ana", "2"), want)

	b.click("ana")
	b.click("Delete")
	b.sees("The item is deleted", "1 item")
	b.click("Undo")
	b.sees("2 items")
}

// TestBulkEditAndDelete changes and deletes several items after a preview, and takes both back.
func TestBulkEditAndDelete(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	for i := range 3 {
		putItem(t, client, "orders", order("ana", i, "open"))
	}
	b.visit("/dynamodb/tables/orders")
	b.sees("3 items")
	b.click("Select all items")
	b.click("Edit 3")
	b.fill("Attribute", "state")
	b.fill("Value", "shipped")
	b.sees("3 of 3 items change:")
	b.click("Change 3 items")
	b.sees("3 items are changed", "shipped")
	expect(t, stored(t, client, "ana", "2"), order("ana", 2, "shipped"))
	b.click("Undo")
	b.sees("Undone")
	expect(t, stored(t, client, "ana", "2"), order("ana", 2, "open"))

	b.click("Select all items")
	b.click("Delete 3")
	b.sees("are deleted:")
	b.click("Delete 3 items")
	b.sees("3 items are deleted", "No items")
	b.click("Undo")
	b.sees("3 items", "Last page")
	expect(t, stored(t, client, "ana", "0"), order("ana", 0, "open"))
}
