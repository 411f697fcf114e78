package advice

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// standstill makes the emulator's clock stand still, but for advance.
var standstill = emulator.WithManualClock(time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC))

// wantFindingOver is wantOne for a program that decides itself how time passes.
func wantFindingOver(t *testing.T, rule, about, problem string,
	run func(*testing.T, *dynamodb.Client, *emulator.Emulator)) Finding {
	t.Helper()
	return wantOne(t, rule, about, problem, func(p program) { run(t, p.Client, p.emulator) }, standstill)
}

// wantNothingOver checks that a rule finds nothing in a program that decides itself how time passes.
func wantNothingOver(t *testing.T, rule string, run func(*testing.T, *dynamodb.Client, *emulator.Emulator)) {
	t.Helper()
	for _, f := range found(t, rule, func(p program) { run(t, p.Client, p.emulator) }, standstill) {
		t.Errorf("found %s: %s", f.about(), f.Problem)
	}
}

func advance(t *testing.T, e *emulator.Emulator, d time.Duration) {
	t.Helper()
	if err := e.Advance(d); err != nil {
		t.Fatal(err)
	}
}

// newIndexedTable makes a table with a global index named by-INDEXED. capacity is that of the table and of the index;
// nil: on demand.
func newIndexedTable(t *testing.T, db *dynamodb.Client, name, key, indexed string, p types.Projection,
	capacity *[2]types.ProvisionedThroughput) {
	t.Helper()
	hash := func(attribute string) []types.KeySchemaElement {
		return []types.KeySchemaElement{{AttributeName: aws.String(attribute), KeyType: types.KeyTypeHash}}
	}
	index := types.GlobalSecondaryIndex{IndexName: aws.String("by-" + indexed), KeySchema: hash(indexed), Projection: &p}
	in := &dynamodb.CreateTableInput{TableName: aws.String(name), BillingMode: types.BillingModePayPerRequest,
		KeySchema: hash(key), AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String(key), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String(indexed), AttributeType: types.ScalarAttributeTypeS}}}
	if capacity != nil {
		in.BillingMode, in.ProvisionedThroughput = types.BillingModeProvisioned, &capacity[0]
		index.ProvisionedThroughput = &capacity[1]
	}
	in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{index}
	if _, err := db.CreateTable(t.Context(), in); err != nil {
		t.Fatal(err)
	}
}

// query reads the items of a partition key of an index; empty attributes: whole items.
func query(t *testing.T, db *dynamodb.Client, table, index, key, value, attributes string) *dynamodb.QueryOutput {
	t.Helper()
	in := &dynamodb.QueryInput{TableName: aws.String(table), IndexName: aws.String(index),
		KeyConditionExpression:    aws.String("#key = :value"),
		ExpressionAttributeNames:  map[string]string{"#key": key},
		ExpressionAttributeValues: map[string]types.AttributeValue{":value": &types.AttributeValueMemberS{Value: value}}}
	if attributes != "" {
		in.ProjectionExpression = aws.String(attributes)
	}
	out, err := db.Query(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
