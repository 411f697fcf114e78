//go:build browser

package console_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// TestDraftOfAModel begins with a sample, which stays in the browser, and creates its tables with the sample items.
func TestDraftOfAModel(t *testing.T) {
	t.Parallel()
	b := open(t, "/dynamodb/models")
	b.sees("No drafts yet", "Fleet of sensors")
	b.click("Draft Orders of a shop")
	b.sees("DynamoDB’s rules allow this model", "Table shop", "CUSTOMER#<customer>", "Index by-state")
	b.check("a draft")
	b.visit("/dynamodb/models")
	b.click("Orders of a shop")
	b.click("Create tables…")
	b.check("create the tables")
	b.click("Create")
	b.sees("4 items written", "shop is new")
	client := dynamodb.NewFromConfig(b.emulator.AWSConfig())
	out, err := client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("shop")})
	b.must(err)
	if len(out.Table.GlobalSecondaryIndexes) != 1 {
		t.Errorf("%+v", out.Table)
	}
}

// TestDraftFromATable drafts a model from a table with a hostile item.
func TestDraftFromATable(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := singleTable(t, b)
	putItem(t, client, "single", item{"pk": text("<b>#1"), "sk": text("NOTE#<script>")})
	b.visit("/dynamodb/tables/single")
	b.click("Actions")
	b.click("Draft a data model…")
	b.sees("The first 20")
	b.click("Draft")
	b.sees("DynamoDB’s rules allow this model", "Table single", "NOTE#<script>", "Index gsi1")
	b.look(390, "dark")
	b.check("a draft in a narrow window")
}

// TestFormOfAModel designs a table with the form of a draft, whose JSON shows the same, and creates it.
func TestFormOfAModel(t *testing.T) {
	t.Parallel()
	b := open(t, "/dynamodb/models")
	b.click("New model")
	b.sees("Name of the facet", "DynamoDB’s rules allow this model")
	b.fill("Table name", "my orders")
	b.sees("the table’s name my orders must have 3 to 255", "DynamoDB would refuse this model")
	if on := b.evaluate(`document.querySelector('[aria-invalid]').value`); on != "my orders" {
		t.Errorf("the mistake is shown at %q", on)
	}
	b.fill("Table name", "orders")
	b.click("Global index")
	b.sees("an attribute of a key has no name")
	b.fill("Partition key of the index", "state")
	b.fill("Name of the global index", "by-state")
	b.fill("Attributes of the facet", "name, <b>")
	b.click("Item")
	b.sees("the key attribute pk is missing")
	b.fill("pk of item 1", "USER#1")
	b.fill("sk of item 1", "PROFILE")
	b.fill("<b> of item 1", "<script>")
	b.fill("state of item 1", "OPEN")
	b.sees("DynamoDB’s rules allow this model", "Index by-state", "OPEN", "<script>")
	b.look(390, "dark")
	b.check("the form of a draft in a narrow window")
	b.look(1280, "light")
	b.check("the form of a draft")
	b.click("Undo")
	b.misses("OPEN")
	b.click("Redo")
	b.sees("OPEN")
	b.click("JSON")
	b.sees(`"TableName": "orders"`, `"AttributeName": "state"`)
	if text := b.evaluate("JSON.parse(localStorage.getItem('tabletop.models'))[0].text"); !strings.Contains(text,
		`"IndexName": "by-state"`) {
		t.Errorf("the draft is %s", text)
	}
	b.fill("Model of NoSQL Workbench", "{")
	b.click("Form")
	b.sees("The form shows the draft when its JSON has no mistake")
	b.click("Undo")
	b.sees("Name of the facet", "OPEN")
	b.click("Create tables…")
	b.click("Create")
	b.sees("1 item written", "orders is new")
	out, err := dynamodb.NewFromConfig(b.emulator.AWSConfig()).DescribeTable(t.Context(),
		&dynamodb.DescribeTableInput{TableName: aws.String("orders")})
	b.must(err)
	if len(out.Table.GlobalSecondaryIndexes) != 1 || *out.Table.GlobalSecondaryIndexes[0].IndexName != "by-state" {
		t.Errorf("%+v", out.Table)
	}
}
