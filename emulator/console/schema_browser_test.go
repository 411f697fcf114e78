//go:build browser

package console_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/model/tablefile"
)

// schemaOf describes the table orders as a file of tables has it.
func schemaOf(t testing.TB, e *emulator.Emulator) string {
	t.Helper()
	target, err := tablefile.NewTarget(t.Context(), e.AWSConfig())
	if err != nil {
		t.Fatal(err)
	}
	f, err := target.Read(t.Context(), []string{"orders"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := f.OmitDefaults().Write()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestChangeSchema changes each setting of a table, and its indexes; what the page then exports is the table.
func TestChangeSchema(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	ordersTable(t, b.emulator)
	b.visit("/dynamodb/tables/orders/schema")

	b.click("Change capacity")
	b.click("Provisioned")
	b.fill("Read units of the table", "7")
	b.fill("Write units of index by-state", "3")
	b.click("Change capacity")
	b.sees("7 reads and 5 writes per second", "5 reads, 3 writes")
	b.click("Change time to live")
	b.fill("Time to live attribute", "until")
	b.click("Enable time to live")
	b.sees("until enabled")
	b.click("Change stream")
	b.fill("Stream", "New image")
	b.click("Change stream")
	b.sees("Stream ARN")
	b.click("Change point-in-time recovery")
	b.click("Point-in-time recovery")
	b.fill("Days that can be recovered", "9")
	b.click("Change recovery")
	b.sees("9 days")
	b.click("Change deletion protection")
	b.click("Deletion protection")
	b.click("Change protection")
	b.sees("Deletion protection On")
	b.click("Change table class")
	b.fill("Table class", "Standard-infrequent access")
	b.click("Change class")
	b.sees("Table class Standard-infrequent access")
	changeEncryption(b)
	b.click("Change tags")
	b.click("Add tag")
	b.fill("Key of tag 1", "team")
	b.fill("Value of tag 1", "7")
	b.click("Save tags")
	b.sees("team = 7")
	b.click("Global index")
	b.fill("Name of the global index", "by-number")
	b.fill("Partition key of the index", "number")
	b.click("Create index")
	b.sees("Index by-number is being created", "by-number ACTIVE Global number")
	want := schemaOf(t, b.emulator)
	if !strings.Contains(want, "by-number") {
		t.Errorf("the index is missing:\n%s", want)
	}

	exported := b.evaluate(`document.querySelector('[aria-label="tables.yaml of this table"]').textContent`)
	file, err := tablefile.Parse("tables.yaml", []byte(exported))
	if err != nil {
		t.Fatalf("%v:\n%s", err, exported)
	}
	if got, err := file.OmitDefaults().Write(); err != nil || string(got) != want {
		t.Errorf("%v: the page exports\n%s\nof the table\n%s", err, got, want)
	}
	b.click("Terraform")
	b.sees(`resource "aws_dynamodb_table" "orders"`)

	b.click("Delete index by-state")
	b.click("Delete index")
	b.sees("Index by-state is being deleted")
	b.misses("5 reads, 3 writes")
}

// TestSchemaFollowsOtherClients changes a table as another client does, and sees that without opening the page again.
func TestSchemaFollowsOtherClients(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	b.visit("/dynamodb/tables/orders/schema")
	b.sees("Stream Off", "Tags None")
	out, err := client.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("orders"),
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true),
			StreamViewType: types.StreamViewTypeKeysOnly}})
	b.must(err)
	b.sees("Stream Keys only")
	_, err = client.TagResource(t.Context(), &dynamodb.TagResourceInput{ResourceArn: out.TableDescription.TableArn,
		Tags: []types.Tag{{Key: aws.String("team"), Value: aws.String("shop")}}})
	b.must(err)
	b.sees("team = shop")

	b.click("Change stream")
	b.fill("Stream", "New image")
	b.click("Change stream")
	b.sees("ValidationException:")
	b.check("refusal")
}

// TestIndexTakesTime creates an index that takes time, and sees it being created and then active.
func TestIndexTakesTime(t *testing.T) {
	t.Parallel()
	b := open(t, "/", emulator.WithManualClock(time.Unix(1.8e9, 0)), emulator.WithLikeCloud(emulator.States))
	ordersTable(t, b.emulator)
	b.must(b.emulator.Advance(time.Hour))
	b.visit("/dynamodb/tables/orders/schema")
	b.click("Global index")
	b.fill("Name of the global index", "by-number")
	b.fill("Partition key of the index", "number")
	b.click("Create index")
	b.sees("CREATING", "UPDATING")
	b.must(b.emulator.Advance(time.Hour))
	b.misses("CREATING")
	b.misses("UPDATING")
}

// TestDemoData creates the demo data in an empty emulator, and sees it in Live as the requests of a client.
func TestDemoData(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	b.click("Create demo data")
	b.sees("Table demo-shop and container demo/orders are created", "pk (S), sk (S)", "demo / orders")
	client := dynamodb.NewFromConfig(b.emulator.AWSConfig())
	out, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("demo-shop")})
	b.must(err)
	if out.Count != 40 {
		t.Errorf("%d items", out.Count)
	}
	b.misses("Add demo data…")
	b.visit("/cosmos/demo/orders")
	b.sees("12 results")
}

// TestDemoDataBesideTables adds the demo data to an emulator with a table. What exists of it is not offered again.
func TestDemoDataBesideTables(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	b.click("Add demo data…")
	b.sees("the DynamoDB table demo-shop with 40 items", "the Cosmos DB container demo/orders with 12 items")
	b.click("Add")
	b.sees("Table demo-shop and container demo/orders are created", "demo / orders")
	b.misses("Add demo data…")
	_, err := client.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String("demo-shop")})
	b.must(err)
	b.click("Add demo data…")
	b.sees("the DynamoDB table demo-shop with 40 items")
	b.misses("the Cosmos DB container")
	b.click("Add")
	b.sees("Table demo-shop is created")
}

// TestSchemaIsAccessible opens the dialogs of the schema in both themes and at two widths.
func TestSchemaIsAccessible(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	ordersTable(t, b.emulator)
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 390} {
			b.look(width, theme)
			for _, dialog := range []string{"Change capacity", "Change encryption", "Change tags",
				"Change time to live", "Global index"} {
				b.visit("/dynamodb/tables/orders/schema")
				b.sees("Tags None")
				b.click(dialog)
				b.sees("Cancel")
				b.check(fmt.Sprintf("%s, %s, %d px", dialog, theme, width))
			}
		}
	}
}

// changeEncryption tries a key that does not exist, and then chooses that of AWS.
func changeEncryption(b *browser) {
	b.t.Helper()
	b.click("Change encryption")
	b.fill("Key", "Key of your account")
	b.fill("Key id, ARN or alias", "alias/none")
	b.click("Change encryption")
	b.sees("ValidationException: KMS validation error")
	b.fill("Key", "AWS managed key")
	b.click("Change encryption")
	b.sees("The encryption is changed", "Encryption AWS managed key")
}
