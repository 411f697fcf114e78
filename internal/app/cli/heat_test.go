package cli

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestHeat(t *testing.T) {
	t.Parallel()
	s := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet")
	url := s.await(t, `http://\S+`)
	if got := runCommand(t.Context(), nil, "heat", "--endpoint", url); got.status != 0 ||
		got.stdout != "No tables or containers: create one and send it requests.\n" {
		t.Errorf("without tables: %+v", got)
	}
	db := client(t, url)
	_, err := db.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("orders"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"),
			AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("orders"),
			Item: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "order#7"}}})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{"heat", "heat orders --minutes 5"} {
		got := runCommand(t.Context(), nil, append(strings.Fields(line), "--endpoint", url)...)
		for _, want := range []string{"orders  ", "hottest keys\n  order#7                  3 write units", "█", "c0000000"} {
			if got.status != 0 || !strings.Contains(got.stdout, want) {
				t.Errorf("%s lacks %q: %+v", line, want, got)
			}
		}
	}
	wantRefusal(t, runCommand(t.Context(), nil, "heat", "carts", "--endpoint", url),
		`table "carts" does not exist: list all tables with tabletop heat`)
	wantRefusal(t, runCommand(t.Context(), nil, "heat", "a", "b"),
		`unexpected argument "b": tabletop heat takes at most one table`)
	wantRefusal(t, runCommand(t.Context(), nil, "heat", "--minutes", "0"), "--minutes 0 is out of range: use 1 to 180")
	s.stop(t)
}
