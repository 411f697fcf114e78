//go:build browser

package console_test

import (
	"reflect"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

const number38 = "12345678901234567890123456789012345678"

// openForm opens the form of an operation, of the key of an item of ordersTable.
func (b *browser) openForm(operation, customer string, n int) {
	b.t.Helper()
	b.visit("/dynamodb/operations")
	b.sees("TableName")
	b.fill("Operation", operation)
	b.fill("customer (S)", customer)
	b.fill("number (N)", strconv.Itoa(n))
}

// act adds an action to an update, for the attribute at a path.
func (b *browser) act(n, kind, path, valueType, value string) {
	b.t.Helper()
	b.click("Action")
	b.fill("Action "+n, kind)
	b.fill("Attribute of action "+n, path)
	if valueType != "" {
		b.fill("Type of the value of action "+n, valueType)
	}
	if value != "" {
		b.fill("Value of action "+n, value)
	}
}

// orderOf is an item of ordersTable, or nil.
func orderOf(b *browser, client *dynamodb.Client, customer, n string) item {
	b.t.Helper()
	got, err := client.GetItem(b.t.Context(), &dynamodb.GetItemInput{TableName: aws.String("orders"),
		Key: item{"customer": text(customer), "number": number(n)}})
	b.must(err)
	return got.Item
}

// TestFormOfAnUpdate sends each kind of action with a condition, which a repetition does not meet.
func TestFormOfAnUpdate(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	before := order("ana", 1, "open")
	before["total"], before["lines"] = number("1"), &types.AttributeValueMemberL{}
	before["old"] = &types.AttributeValueMemberSS{Value: []string{"a", "b"}}
	putItem(t, client, "orders", before)
	b.openForm("UpdateItem", "ana", 1)
	b.act("1", "Set", `"a.b"`, "Number", number38)
	b.act("2", "Increase by", "total", "", "2")
	b.act("3", "Append to list", "lines", "", `["<b>tea</b>"]`)
	b.act("4", "Add to number or set", "שלום", "String set", "x\ny")
	b.act("5", "Remove", "state", "", "")
	b.act("6", "Delete from set", "old", "", "a")
	b.act("7", "Set if absent", "SELECT", "Binary", "AAE=")
	b.click("Condition")
	b.fill("Attribute", "state")
	b.fill("Value", "open")
	b.fill("Return", "The new item")
	b.check("the form of an update")
	b.look(390, "dark")
	b.check("the form of an update, narrow and dark")
	b.look(1280, "light")
	b.click("Send")
	b.sees("Response of UpdateItem", "of orders", "<b>tea</b>")
	got := orderOf(b, client, "ana", "1")
	want := item{"a.b": number(number38), "total": number("3"),
		"SELECT": &types.AttributeValueMemberB{Value: []byte{0, 1}},
		"lines":  &types.AttributeValueMemberL{Value: []types.AttributeValue{text("<b>tea</b>")}},
		"old":    &types.AttributeValueMemberSS{Value: []string{"b"}},
		"שלום":   &types.AttributeValueMemberSS{Value: []string{"x", "y"}}}
	for name, value := range want {
		if !reflect.DeepEqual(got[name], value) {
			t.Errorf("%s is %v, want %v", name, got[name], value)
		}
	}
	if got["state"] != nil {
		t.Error("the state is not removed")
	}
	b.click("Return the item if the condition fails")
	b.click("Send")
	b.sees("ConditionalCheckFailedException", number38)
	until[bool](b, "labelled", "The item as it is")
	b.fill("Value of action 2", "x")
	b.sees("The form is incomplete. total: x: Not a number")
}

// TestFormsOfOneItem puts an item unless it exists, reads a part of it, and deletes it.
func TestFormsOfOneItem(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	b.visit("/dynamodb/operations")
	b.sees("TableName")
	b.fill("Operation", "PutItem")
	b.fill("Value of customer", "<i>bo</i>")
	b.fill("New attribute", "__proto__")
	b.click("Add")
	b.click("Condition")
	b.fill("Attribute", "customer")
	b.fill("Operator", "attribute_not_exists")
	b.check("the form of a put")
	b.click("Send")
	b.sees("Response of PutItem")
	if got := orderOf(b, client, "<i>bo</i>", "1"); len(got) != 3 || got["__proto__"] == nil {
		t.Errorf("the item is %v", got)
	}
	b.click("Send")
	b.sees("ConditionalCheckFailedException")
	b.fill("Operation", "GetItem")
	b.fill("customer (S)", "<i>bo</i>")
	b.fill("Attributes to return", "number")
	b.click("Strongly consistent")
	b.click("Send")
	b.sees("Response of GetItem", "ConsistentRead", "1 capacity unit of orders")
	b.fill("Input", `{"TableName": "orders", "Key": {"customer": {"S": "nobody"}, "number": {"N": "1"}}}`)
	b.sees("The input is edited.")
	b.misses("Strongly consistent")
	b.click("Back to the form")
	b.sees("Strongly consistent")
	b.fill("Operation", "DeleteItem")
	b.fill("Operator", "attribute_exists")
	b.fill("Return", "The old item")
	b.click("Send")
	b.sees("Response of DeleteItem", "Attributes")
	if got := orderOf(b, client, "<i>bo</i>", "1"); got != nil {
		t.Errorf("the item is still there: %v", got)
	}
}

// TestFormOfATransaction sees at which item a transaction was cancelled, and sends it again without its cause.
func TestFormOfATransaction(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	b.visit("/dynamodb/operations")
	b.sees("TableName")
	b.fill("Operation", "TransactWriteItems")
	b.fill("Value of customer", "cy")
	b.click("Item")
	b.fill("Kind", "Condition check")
	b.fill("customer (S)", "ana")
	b.sees("A condition check needs a condition")
	b.click("Condition")
	b.fill("Attribute", "state")
	b.fill("Operator", "attribute_exists")
	b.fill("Client request token (optional)", "once")
	b.check("the form of a transaction")
	b.look(390, "dark")
	b.check("the form of a transaction, narrow and dark")
	b.look(1280, "light")
	b.click("Send")
	b.sees("TransactionCanceledException", "Item 2: ConditionalCheckFailed")
	for i, want := range []string{"Not the cause", "ConditionalCheckFailed"} {
		row := "document.querySelectorAll('.operation-rows > li')[" + strconv.Itoa(i) + "].querySelector('.badge').textContent"
		if got := b.evaluate(row); got != want {
			t.Errorf("item %d has the reason %q, want %q", i+1, got, want)
		}
	}
	b.fill("Kind", "Update")
	b.click("Remove this condition")
	b.act("1", "Set", "state", "", "new")
	b.fill("Client request token (optional)", "twice")
	b.click("Send")
	b.sees("Response of TransactWriteItems")
	b.misses("Not the cause")
	if orderOf(b, client, "cy", "1") == nil || !reflect.DeepEqual(orderOf(b, client, "ana", "1")["state"], text("new")) {
		t.Error("the transaction has not written both items")
	}
	b.fill("Operation", "TransactGetItems")
	b.sees(`"Get"`)
	b.click("Send")
	b.sees("Response of TransactGetItems", `"S": "value"`)
}

// TestFormsOfBatches sends again what a batch has left unprocessed.
func TestFormsOfBatches(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	_, err := b.emulator.Fail(emulator.Fault{Do: emulator.DoUnprocessed, Members: 1, Tables: []string{"orders"},
		Times: 1})
	b.must(err)
	b.visit("/dynamodb/operations")
	b.sees("TableName")
	b.fill("Operation", "BatchWriteItem")
	b.fill("Value of customer", "ana")
	b.click("Item")
	b.fill("Value of customer", "bo")
	b.sees("2 of 25")
	b.check("the form of a batch")
	b.click("Send")
	b.sees("1 item of the batch is unprocessed")
	b.click("Send unprocessed again")
	b.misses("1 item of the batch is unprocessed")
	b.sees("The input is edited.")
	if orderOf(b, client, "ana", "1") == nil || orderOf(b, client, "bo", "1") == nil {
		t.Error("the batches have not written both items")
	}
	b.fill("Operation", "BatchGetItem")
	b.fill("customer (S)", "ana")
	b.fill("Attributes to return from orders", "customer")
	b.click("Read orders strongly consistently")
	b.click("Remove item 2")
	b.click("Send")
	b.sees("Response of BatchGetItem", `"ana"`, "of orders")
}

// TestDeleteSeveralTables deletes the selected tables but the one with deletion protection, which stays.
func TestDeleteSeveralTables(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	for _, name := range []string{"first", "second", "protected"} {
		_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{TableName: aws.String(name),
			BillingMode: types.BillingModePayPerRequest, DeletionProtectionEnabled: aws.Bool(name == "protected"),
			KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
			AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"),
				AttributeType: types.ScalarAttributeTypeS}}})
		b.must(err)
	}
	b.visit("/dynamodb/tables")
	b.sees("protected")
	b.click("Select all tables")
	b.click("Select orders")
	b.click("Delete 3")
	b.sees("Not deleted: deletion protection is on")
	b.check("the confirmation of several deletions")
	b.click("Delete 2 tables")
	b.sees("2 tables are deleted", "Delete 1")
	left, err := client.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	b.must(err)
	if want := []string{"orders", "protected"}; !reflect.DeepEqual(left.TableNames, want) {
		t.Errorf("the tables are %v, want %v", left.TableNames, want)
	}
	b.click("Delete 1")
	b.sees("Delete 0 tables")
}
