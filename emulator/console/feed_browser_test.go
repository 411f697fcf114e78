//go:build browser

package console_test

import (
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// TestStreamOfATable turns a stream on, and sees records as other clients change items, with both images.
func TestStreamOfATable(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	b.visit("/dynamodb/tables/orders/stream")
	b.sees("This table has no stream")
	_, err := client.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("orders"),
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true),
			StreamViewType: types.StreamViewTypeNewAndOldImages}})
	b.must(err)
	b.sees("Waiting for changes", "NEW_AND_OLD_IMAGES", "open")
	putItem(t, client, "orders", order("ana", 1, "open"))
	b.sees("INSERT", "1 change")
	putItem(t, client, "orders", order("ana", 1, "<b>shipped</b>"))
	b.sees("MODIFY", "2 changes")
	b.click(`{"customer":{"S":"ana"},"number":{"N":"1"}}`) // the newest
	b.sees("Old image", `"S": "open"`, `"S": "<b>shipped</b>"`, "1 line differs")
	b.check("images")
	b.click("Close")
	b.visit("/dynamodb/tables/orders/stream")
	b.sees("Waiting for changes", "0 changes")
	b.click("From the oldest")
	b.sees("INSERT", "MODIFY", "2 changes")
	b.check("stream")
}

// TestChangeFeedOfAContainer sees the changes of a container, and those from before the page was opened.
func TestChangeFeedOfAContainer(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	container := ordersContainer(t, b.emulator)
	upsert(t, container, "ana", `{"id":"1","customer":"ana","total":12345678901234567890}`)
	b.visit("/cosmos/shop/orders/changes")
	b.sees("Waiting for changes", "The latest version of each item")
	upsert(t, container, "bob", `{"id":"2","customer":"bob"}`)
	b.sees("2 · bob", "1 change")
	b.click("From the oldest")
	b.sees("1 · ana", "2 · bob", "2 changes")
	b.click("1 · ana")
	b.sees("New image", "12345678901234567890")
	b.click("Close")
	b.check("change feed")

	_, err := container.DeleteItem(t.Context(), azcosmos.NewPartitionKeyString("bob"), "2", nil)
	b.must(err)
	upsert(t, container, "ana", `{"id":"1","customer":"ana","total":5}`)
	b.sees("3 changes")
}
