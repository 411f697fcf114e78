package targets_test

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/features/targets"
)

func TestEmbeddedRespondsAndAdvancesTime(t *testing.T) {
	t.Parallel()
	target := open(t, targets.Spec{Kind: targets.Embedded})
	private, err := target.NewPrivate(context.Background(), time.Unix(1_700_000_000, 0))
	if err != nil {
		t.Fatal(err)
	}
	if err := private.Advance(time.Hour); err != nil {
		t.Error(err)
	}
	if private.Endpoint == target.Endpoint {
		t.Error("the private store is the shared one")
	}
	if err := private.Close(); err != nil {
		t.Error(err)
	}
}

func TestURLTargetKeepsItsClockAndDropsItsTables(t *testing.T) {
	t.Parallel()
	served := open(t, targets.Spec{Kind: targets.Embedded})
	target := open(t, targets.Spec{Kind: targets.URL, URL: served.Endpoint})
	if _, ok := target.Supports(targets.MoveTime); ok || target.Advance(time.Hour) == nil {
		t.Error("it moves time")
	}
	for _, name := range []string{target.TablePrefix + "ours", "theirs"} {
		if err := createTable(target, name); err != nil {
			t.Fatal(err)
		}
	}
	if err := target.Close(); err != nil {
		t.Fatal(err)
	}
	left, err := served.DynamoDB().ListTables(context.Background(), &dynamodb.ListTablesInput{})
	if err != nil || len(left.TableNames) != 1 || left.TableNames[0] != "theirs" {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func open(t *testing.T, s targets.Spec) *targets.Target {
	t.Helper()
	target, err := s.Open(context.Background(), targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { target.Close() })
	return target
}

func createTable(t *targets.Target, name string) error {
	_, err := t.DynamoDB().CreateTable(context.Background(), &dynamodb.CreateTableInput{
		TableName: &name, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"),
			AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	return err
}
