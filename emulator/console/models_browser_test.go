//go:build browser

package console_test

import (
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
