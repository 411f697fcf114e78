package service

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"
)

func (w *world) tables(sc *godog.ScenarioContext) {
	sc.Step(`^a table "([^"]*)" with the key "([^"]*)"$`, func(ctx context.Context, table, key string) error {
		return w.create(ctx, tableOf(w.Prefix+table, key, ""))
	})
	sc.Step(`^a table "([^"]*)" with the key "([^"]*)" and the sort key "([^"]*)"$`, func(ctx context.Context, table, key, sort string) error {
		return w.create(ctx, tableOf(w.Prefix+table, key, sort))
	})
	sc.Step(`^a table "([^"]*)" with the key "([^"]*)" and a capacity of (\d+) reads? and (\d+) writes? a second$`, w.provisioned)
}

// create makes a table. It does not wait: in the strict temperament there is nothing to wait for.
func (w *world) create(ctx context.Context, in *dynamodb.CreateTableInput) error {
	_, err := w.client.CreateTable(ctx, in)
	return err
}

func (w *world) provisioned(ctx context.Context, table, key string, reads, writes int64) error {
	in := tableOf(w.Prefix+table, key, "")
	in.BillingMode = types.BillingModeProvisioned
	in.ProvisionedThroughput = &types.ProvisionedThroughput{ReadCapacityUnits: &reads, WriteCapacityUnits: &writes}
	return w.create(ctx, in)
}

// tableOf describes a table on demand whose key attributes are strings; sort is empty for none.
func tableOf(name, key, sort string) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{TableName: &name, BillingMode: types.BillingModePayPerRequest}
	add := func(attribute string, kind types.KeyType) {
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: aws.String(attribute), AttributeType: types.ScalarAttributeTypeS})
		in.KeySchema = append(in.KeySchema, types.KeySchemaElement{AttributeName: aws.String(attribute), KeyType: kind})
	}
	add(key, types.KeyTypeHash)
	if sort != "" {
		add(sort, types.KeyTypeRange)
	}
	return in
}
