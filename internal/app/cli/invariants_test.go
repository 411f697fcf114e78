package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

func TestInvariants(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, emulator.WithCosmosHTTPAddr("127.0.0.1:0"))
	db := dynamodb.NewFromConfig(e.AWSConfig())
	if _, err := db.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("dev-stock"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("product"), AttributeType: "S"}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("product"), KeyType: types.KeyTypeHash}},
	}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "invariants.yaml")
	text := "invariants:\n  - name: the stock is never negative\n    table: stock\n    each: pieces >= 0\n" +
		"  - name: no total is negative\n    cosmos: {database: shop, container: orders}\n    finds: SELECT * FROM c\n"
	if err := os.WriteFile(file, []byte(text[:strings.Index(text, "  - name: no total")]), 0o600); err != nil {
		t.Fatal(err)
	}
	check := func(more ...string) outcome {
		return runCommand(t.Context(), nil, append([]string{"invariants", file, "--target", "url=" + e.DynamoDBURL(),
			"--prefix", "dev-", "--cosmos-endpoint", e.CosmosHTTPURL()}, more...)...)
	}
	if got := check(); got.status != 0 || got.stdout != "PASS  1 of 1 invariant hold\n" {
		t.Errorf("%+v", got)
	}
	if _, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("dev-stock"),
		Item: map[string]types.AttributeValue{"product": &types.AttributeValueMemberS{Value: "lamp"},
			"pieces": &types.AttributeValueMemberN{Value: "-1"}}}); err != nil {
		t.Fatal(err)
	}
	if got := check(); got.status != 1 || got.stderr != "tabletop: 1 invariant broken\n" || got.stdout !=
		"broken: the stock is never negative\n    {pieces: -1, product: \"lamp\"}\nFAIL  0 of 1 invariant hold\n" {
		t.Errorf("%+v", got)
	}
	if got := check("--prefix", "x-"); got.status != 1 || !strings.Contains(got.stderr, "correct its name, or create it") {
		t.Errorf("%+v", got)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := check(); got.status != 1 || !strings.Contains(got.stderr, `invariant "no total is negative"`) {
		t.Errorf("%+v", got)
	}
	wantRefusal(t, runCommand(t.Context(), nil, "invariants"),
		"tabletop invariants takes one file of invariants: see tabletop invariants --help")
}
