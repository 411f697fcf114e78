//go:build browser

package console_test

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// TestCloneOfATable clones a table from the list and from its own page, with its items and without.
func TestCloneOfATable(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := singleTable(t, b)
	for i := range 5 {
		putItem(t, client, "single", item{"pk": text(fmt.Sprint("USER#", i)), "sk": text("<b>")})
	}
	b.visit("/dynamodb/tables/single/schema")
	b.click("Actions")
	b.click("Clone table…")
	b.sees("Name of the new table", "With the items, as they are now")
	b.look(390, "dark")
	b.check("clone a table in a narrow window")
	b.look(1280, "light")
	b.fill("Name of the new table", "single")
	b.click("Clone")
	b.sees("Table already exists: single")
	b.fill("Name of the new table", "again")
	b.click("Clone")
	b.sees("is ready, with")
	b.check("a cloned table")
	b.click("again")
	b.sees("USER#4", "<b>")
	b.visit("/dynamodb/tables")
	b.sees("single pk (S), sk (S)", "again pk (S), sk (S)")
	b.fill("Find a table", "again")
	b.misses("single pk (S)") // the navigation still has its name
	b.click("Actions")
	b.click("Clone table…")
	b.click("With the items, as they are now")
	b.click("Clone")
	b.sees("is ready.")
	b.click("Close")
	b.sees("again-copy")
	out, err := client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("again-copy")})
	b.must(err)
	if len(out.Table.GlobalSecondaryIndexes) == 0 || *out.Table.ItemCount != 0 {
		t.Errorf("%+v", out.Table)
	}
}
