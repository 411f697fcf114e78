package emulator_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/tabletop-db/tabletop/emulator"
)

// newStatementTable returns a client, and a table of ten items in two partitions.
func newStatementTable(t *testing.T) *dynamodb.Client {
	t.Helper()
	db := dynamodb.NewFromConfig(emulator.Run(t).AWSConfig())
	_, err := db.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("orders"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeN},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		statement := fmt.Sprintf("INSERT INTO orders VALUE {'pk': '%s', 'sk': %d}", []string{"a", "b"}[i%2], i)
		if _, err := db.ExecuteStatement(t.Context(), &dynamodb.ExecuteStatementInput{Statement: &statement}); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// statementPages returns the sort keys that a statement reads, page by page.
func statementPages(t *testing.T, db *dynamodb.Client, statement string, limit int32) (keys []string) {
	t.Helper()
	in := &dynamodb.ExecuteStatementInput{Statement: &statement, Limit: &limit}
	for range 100 {
		out, err := db.ExecuteStatement(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Items) > int(limit) {
			t.Fatalf("a page of %d items with a Limit of %d", len(out.Items), limit)
		}
		for _, item := range out.Items {
			keys = append(keys, item["sk"].(*types.AttributeValueMemberN).Value)
		}
		if in.NextToken = out.NextToken; out.NextToken == nil {
			return keys
		}
	}
	t.Fatal("the pages do not end")
	return nil
}

// TestStatementPages reads statements page by page: each item once, and in the order of ORDER BY.
func TestStatementPages(t *testing.T) {
	t.Parallel()
	db := newStatementTable(t)
	for _, c := range []struct {
		statement string
		want      []string // nil: all, in any order
	}{
		{"SELECT * FROM orders", nil},
		{"SELECT sk FROM orders WHERE pk = 'a'", []string{"0", "2", "4", "6", "8"}},
		{"SELECT sk FROM orders WHERE pk = 'a' AND sk > 2 ORDER BY sk DESC", []string{"8", "6", "4"}},
		{"SELECT sk FROM orders WHERE pk = 'b' AND sk < 4 OR pk = 'a' AND sk >= 6", []string{"1", "3", "6", "8"}},
		{"SELECT sk FROM orders WHERE pk IN ['b', 'a'] AND sk BETWEEN 3 AND 6 ORDER BY pk DESC, sk DESC",
			[]string{"5", "3", "6", "4"}},
		{"SELECT sk FROM orders WHERE pk = 'a' AND sk < 6 AND sk <> 0 OR pk = 'a' AND sk > 2", []string{"2", "4", "6", "8"}},
		{"SELECT sk FROM orders WHERE pk = 'a' AND NOT sk = 4 OR pk = 'a' AND sk = 2", []string{"0", "2", "6", "8"}},
	} {
		for _, limit := range []int32{1, 2, 3, 100} {
			got := statementPages(t, db, c.statement, limit)
			if c.want == nil {
				slices.Sort(got)
				c.want = []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s, Limit %d: %v, want %v", c.statement, limit, got, c.want)
			}
			if c.statement == "SELECT * FROM orders" {
				c.want = nil
			}
		}
	}
}

// TestStatementTokens expects that a NextToken continues only its own statement (nubo-db/dynoxide, captures of 2026-10
// in eu-west-2 and us-east-1).
func TestStatementTokens(t *testing.T) {
	t.Parallel()
	db := newStatementTable(t)
	const statement = "SELECT * FROM orders WHERE pk = ?"
	run := func(statement string, token *string, parameters ...types.AttributeValue) (*string, string) {
		out, err := db.ExecuteStatement(context.Background(), &dynamodb.ExecuteStatementInput{
			Statement: &statement, Parameters: parameters, Limit: aws.Int32(2), NextToken: token})
		var e smithy.APIError
		if errors.As(err, &e) {
			return nil, e.ErrorMessage()
		}
		return out.NextToken, ""
	}
	a := &types.AttributeValueMemberS{Value: "a"}
	token, _ := run(statement, nil, a)
	if token == nil {
		t.Fatal("no NextToken")
	}
	const mismatch = "NextToken does not match request"
	for _, c := range []struct {
		statement string
		parameter types.AttributeValue
		want      string
	}{
		{statement, a, ""},
		{"SELECT * FROM orders  WHERE pk = ?", a, mismatch},
		{"select * FROM orders WHERE pk = ?", a, mismatch},
		{statement, &types.AttributeValueMemberS{Value: "b"}, mismatch},
	} {
		if _, got := run(c.statement, token, c.parameter); got != c.want {
			t.Errorf("%s: %q, want %q", c.statement, got, c.want)
		}
	}
	list := &types.AttributeValueMemberL{}
	token, _ = run("SELECT * FROM orders WHERE x <> ?", nil, list)
	if _, got := run("SELECT * FROM orders WHERE x <> ?", token, list); got != mismatch {
		t.Errorf("a list parameter: %q, want %q", got, mismatch)
	}
	if _, got := run(statement, aws.String("AQ=="), a); got != "Invalid NextToken" {
		t.Errorf("another text: %q", got)
	}
}

// TestStatementItemSizes writes items of the largest size, and one byte more (paritysuite, itemSizeBySurface.test.ts,
// August 2026: INSERT and UPDATE are limited by the finished item alone).
func TestStatementItemSizes(t *testing.T) {
	t.Parallel()
	db := newStatementTable(t)
	const largest = 400<<10 - len("pk") - len("a") - len("sk") - 2 - len("v") // the number 1 takes two bytes
	run := func(statement string, size int) string {
		_, err := db.ExecuteStatement(t.Context(), &dynamodb.ExecuteStatementInput{Statement: &statement,
			Parameters: []types.AttributeValue{&types.AttributeValueMemberS{Value: strings.Repeat("x", size)}}})
		var e smithy.APIError
		if errors.As(err, &e) {
			return e.ErrorMessage()
		}
		return ""
	}
	const update = "UPDATE orders SET v = ? WHERE pk = 'a' AND sk = 1"
	for _, c := range []struct {
		statement string
		size      int
		want      string
	}{
		{"INSERT INTO orders VALUE {'pk': 'a', 'sk': 1, 'v': ?}", largest + 1,
			"Item size has exceeded the maximum allowed size"},
		{"INSERT INTO orders VALUE {'pk': 'a', 'sk': 1, 'v': ?}", largest, ""},
		{update, largest, ""},
		{update, largest + 1, "Item size to update has exceeded the maximum allowed size"},
	} {
		if got := run(c.statement, c.size); got != c.want {
			t.Errorf("%s with %d bytes: %q, want %q", c.statement, c.size, got, c.want)
		}
	}
}

// TestStatementDepths writes parameters of 31 to 33 levels of maps (nubo-db/dynoxide, partiql_number_literals.rs,
// captures of 2026-10): 33 levels are refused before the statement is parsed, 32 when the item is written.
func TestStatementDepths(t *testing.T) {
	t.Parallel()
	db := newStatementTable(t)
	run := func(statement string, levels int) string {
		var v types.AttributeValue = &types.AttributeValueMemberS{Value: "leaf"}
		for range levels {
			v = &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"n": v}}
		}
		_, err := db.ExecuteStatement(t.Context(), &dynamodb.ExecuteStatementInput{Statement: &statement,
			Parameters: []types.AttributeValue{v}})
		var e smithy.APIError
		if errors.As(err, &e) {
			return e.ErrorMessage()
		}
		return ""
	}
	const short = "Nesting Levels have exceeded supported limits"
	const long = short + ": Attributes in the item have nested levels beyond supported limit"
	for _, c := range []struct {
		statement string
		levels    int
		want      string
	}{
		{"INSERT INTO orders VALUE {'pk': 'a', 'sk': 99, 'v': ?}", 33, long},
		{"INSERT INTO orders VALUE {'pk': 'a', 'sk': 99, 'v': ?}", 32, short},
		{"INSERT INTO orders VALUE {'pk': 'a', 'sk': 0, 'v': ?}", 32, "Duplicate primary key exists in table"},
		{"UPDATE orders SET v = ? WHERE pk = 'a' AND sk = 0", 33, long},
		{"UPDATE orders SET v = ? WHERE pk = 'a' AND sk = 0", 32, short},
		{"UPDATE orders SET v = ? WHERE pk = 'a' AND sk = 99", 32, "The conditional request failed"},
		{"UPDATE orders SET v = ? WHERE pk = 'a' AND sk = 0", 31, ""},
		{"INSERT INTO orders VALUE {'pk': 'a', 'sk': 99, 'v': ?}", 31, ""},
	} {
		if got := run(c.statement, c.levels); got != c.want {
			t.Errorf("%s with %d levels: %q, want %q", c.statement, c.levels, got, c.want)
		}
	}
}
